import { updateAndConfirm } from '../api/changes';
import { requestRecord } from '../api/records';
import type { ApiRequest } from '../api/types';
import { about, changeShower } from '../operations/crud';
import { readUpdateFields, updateFields } from '../operations/fields';
import { recordKind } from '../operations/kinds';
import type { Resource } from './resource';

const kind = recordKind('Channel', { path: 'channel' });
const channelRequest: Pick<ApiRequest, 'path' | 'subject'> = {
	path: [kind.path],
	subject: { text: kind.singular, isRecord: false },
};

/** The fields of a channel are not documented, so users enter them as JSON. */
const fields = { others: [], wireNames: {}, example: '{ "title": "My podcast" }' };

/** A credential has access to exactly one channel. */
export const channel = {
	kind,
	description: 'The podcast channel that the credential belongs to',
	operations: {
		get: {
			name: 'Get',
			action: 'Get channel',
			description: 'Look up the channel',
			properties: [],
			prepare: () => ({
				run: async (client) => [await requestRecord(client, { method: 'GET', ...channelRequest })],
			}),
		},
		update: {
			name: 'Update',
			action: 'Update channel',
			description: 'Change the fields of the channel',
			properties: [updateFields(fields)],
			prepare: (item) => {
				const told: string[] = [];
				const sent = readUpdateFields(item, fields, (sentence) => told.push(sentence));
				const body = { [kind.wrapper]: sent };
				const show = changeShower(kind, item, sent, 'updateFields');
				return {
					record: kind.singular,
					run: async (client, addHint) => {
						for (const sentence of told) addHint?.(about(channelRequest.subject, sentence));
						const record = await updateAndConfirm(client, {
							method: 'PATCH',
							body,
							...channelRequest,
						});
						return [show(record, { updated: true }, addHint)];
					},
				};
			},
		},
	},
} satisfies Resource;
