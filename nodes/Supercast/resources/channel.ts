import { fieldCollection } from '../operations/fields';
import { newRecordSubject, type RecordKind } from '../operations/kinds';
import type { Operation } from '../operations/types';
import { changedFields } from '../operations/crud';
import { requestChange, requestRecord } from '../api/records';
import type { Resource } from './types';

/** The podcast itself. A credential has access to exactly one channel. */
const channels: RecordKind = {
	singular: 'channel',
	plural: 'channels',
	path: 'channel',
	wrapper: 'channel',
};

const subject = newRecordSubject(channels, '');

const get: Operation = {
	name: 'Get',
	action: 'Get channel',
	description: 'Look up the channel that the credential belongs to',
	properties: [],
	prepare: () => ({
		run: async (client) => [
			await requestRecord(client, { method: 'GET', path: [channels.path], subject }),
		],
	}),
};

/** The fields of a channel are not documented, so users enter them as JSON. */
const update: Operation = {
	name: 'Update',
	action: 'Update channel',
	description: 'Change the fields of the channel that the credential belongs to',
	properties: [
		fieldCollection('Update Fields', 'updateFields', [], { example: '{ "title": "My podcast" }' }),
	],
	prepare: (item) => {
		const body = { [channels.wrapper]: changedFields(item) };
		return {
			record: channels.singular,
			run: async (client) => {
				const record = await requestChange(client, {
					method: 'PATCH',
					path: [channels.path],
					body,
					subject,
				});
				return [record ?? { updated: true }];
			},
		};
	},
};

/** The podcast itself. */
export const channel: Resource<'channel'> = {
	name: 'Channel',
	description: 'The podcast channel that the credential belongs to',
	defaultOperation: 'get',
	operations: { get, update },
};
