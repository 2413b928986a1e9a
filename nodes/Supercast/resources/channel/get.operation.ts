import { newRecordSubject } from '../../operations/recordKind';
import { requestRecord } from '../../api/records';
import { channels } from './channel';
import type { Operation } from '../../operations/types';

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
