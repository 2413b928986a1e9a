import type { INodeProperties } from 'n8n-workflow';

import { listSubject, recordSubject } from '../../operations/recordKind';
import type { SupercastClient } from '../../api/client';
import { requestUnlessMissing } from '../../api/records';
import type { ApiRequest } from '../../api/types';
import { subscribers } from './subscriber';
import type { OperationItem, Operation } from '../../operations/types';

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'If Missing',
			name: 'ifMissing',
			type: 'options',
			default: 'error',
			description: 'What to do when there is no such subscriber',
			options: [
				{
					name: 'Fail',
					value: 'error',
					description: 'A mistyped address must not read as access that was revoked',
				},
				{
					name: 'Succeed',
					value: 'succeed',
					description: 'For cancellations that are delivered twice',
				},
			],
		},
	],
};

/** Closes the private feeds of a member whose membership was cancelled. */
export const remove: Operation = {
	name: 'Delete',
	action: 'Delete a subscriber',
	description:
		'Remove a subscriber for good: their private feeds close at once. This is what a cancelled membership calls.',
	properties: [subscribers.locator, options],
	execute: async (item) => {
		const { key, value } = subscribers.identify(item);
		const deleted = await deleteSubscriber(item, value);
		const outcome = deleted ? { deleted } : { deleted, alreadyMissing: true };
		return [{ ...outcome, [key]: value }];
	},
};

const REMEDY_IF_MISSING =
	"If it was deleted before, all is well: where a cancellation can be delivered twice, set the option 'If Missing' to 'Succeed'.";

async function deleteSubscriber(item: OperationItem, identifier: string): Promise<boolean> {
	const request: ApiRequest = {
		method: 'DELETE',
		path: [subscribers.path, identifier],
		subject: { ...recordSubject(subscribers, identifier), remedyIfMissing: REMEDY_IF_MISSING },
	};
	if (item.collection('options').ifMissing !== 'succeed') {
		await item.client.request(request);
		return true;
	}
	const response = await requestUnlessMissing(item.client, request);
	if (response === undefined) await confirmAddress(item.client);
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
	});
}
