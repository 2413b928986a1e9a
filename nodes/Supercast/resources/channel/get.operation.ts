import { newRecordSubject } from '../../operations/recordKind';
import { requestRecord } from '../../api/records';
import type { Operation } from '../types';
import { channels } from './channel';

/** Reads the channel. */
export const get: Operation = {
	name: 'Get',
	action: 'Get the channel',
	description: 'Look up the channel that the credential belongs to',
	properties: [],
	execute: async (item) => {
		const record = await requestRecord(item.client, {
			method: 'GET',
			path: [channels.path],
			subject: newRecordSubject(channels, ''),
		});
		return [record];
	},
};
