import type { INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { requestUnlessMissing } from '../../api/records';
import type { ApiRequest } from '../../api/types';
import { listSubject, recordSubject } from '../../operations/recordKind';
import type { Operation } from '../../operations/types';
import { subscribers } from './subscriber';

const ifMissing: INodeProperties = {
	displayName: 'If Missing',
	name: 'ifMissing',
	type: 'options',
	default: 'error',
	description: 'What to do when there is no such subscriber',
	options: [
		{
			name: 'Fail',
			value: 'error',
			description: 'Stop, so that a mistyped email does not look like a successful deletion',
		},
		{
			name: 'Succeed',
			value: 'succeed',
			description: 'Continue, for cancellations that can arrive twice',
		},
	],
};

const REMEDY_IF_MISSING =
	"If you deleted this subscriber earlier, you can ignore this message. To accept repeated cancellations, set 'If Missing' to 'Succeed'.";

/** Closes the private feeds of a member whose membership was cancelled. */
export const remove: Operation = {
	name: 'Delete',
	action: 'Delete subscriber',
	description:
		'Delete a subscriber permanently and close their private feeds immediately. Use this when a membership ends.',
	properties: [subscribers.locator],
	options: [ifMissing],
	prepare: (item) => {
		const { key, value } = subscribers.identify(item);
		const mayBeMissing = item.collection('options').ifMissing === 'succeed';
		return {
			record: value,
			run: async (client) => {
				const deleted = await deleteSubscriber(client, value, mayBeMissing);
				const outcome = deleted ? { deleted } : { deleted, alreadyMissing: true };
				return [{ ...outcome, [key]: value }];
			},
		};
	},
};

async function deleteSubscriber(
	client: SupercastClient,
	identifier: string,
	mayBeMissing: boolean,
): Promise<boolean> {
	const request: ApiRequest = {
		method: 'DELETE',
		path: [subscribers.path, identifier],
		subject: { ...recordSubject(subscribers, identifier), remedyIfMissing: REMEDY_IF_MISSING },
	};
	if (!mayBeMissing) {
		await client.request(request);
		return true;
	}
	const response = await requestUnlessMissing(client, request);
	if (response === undefined) await confirmAddress(client);
	return response !== undefined;
}

/**
 * Makes sure that the 404 was about the subscriber: the service answers a wrong address with the
 * same status (specification, section 7), and a feed would stay open while the run reads as success.
 */
async function confirmAddress(client: SupercastClient): Promise<void> {
	await client.request({
		method: 'GET',
		path: [subscribers.path],
		query: { page: 1, per_page: 1 },
		subject: listSubject(subscribers),
		expects: 'list',
	});
}
