import { fieldCollection } from '../../operations/bodyFields';
import { newRecordSubject } from '../../operations/recordKind';
import { changedFields } from '../../operations/update';
import { requestChange } from '../../api/records';
import { channels } from './channel';
import type { Operation } from '../../operations/types';

/** Changes the channel. Its fields are not documented, so they are given as JSON. */
export const update: Operation = {
	name: 'Update',
	action: 'Update the channel',
	description: 'Change fields of the channel that the credential belongs to',
	properties: [fieldCollection('Update Fields', 'updateFields', [])],
	sameRecord: true,
	execute: async (item) => {
		const record = await requestChange(item.client, {
			method: 'PATCH',
			path: [channels.path],
			body: { [channels.wrapper]: changedFields(item) },
			subject: newRecordSubject(channels, ''),
		});
		return [record ?? { updated: true }];
	},
};
