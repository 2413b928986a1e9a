import { requestRecord } from '../../api/records';
import { subscribers } from '../subscriber/subscriber';
import { feedSubject } from './feed';
import type { Operation } from '../../operations/types';

/** Reads the private feed of one subscriber. */
export const get: Operation = {
	name: 'Get',
	action: 'Get the feed of a subscriber',
	description: 'Look up the private feed of one subscriber, and whether it is open',
	properties: [subscribers.locator],
	execute: async (item) => {
		const { value } = subscribers.identify(item);
		const record = await requestRecord(item.client, {
			method: 'GET',
			path: ['feeds', value],
			subject: feedSubject(value),
		});
		return [record];
	},
};
