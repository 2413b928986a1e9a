import { requestRecord } from '../../transport/records';
import type { Operation } from '../types';
import { subscriberLocator, subscriberOf } from '../subscriber/subscriber';

/** Reads the private feed of one subscriber. */
export const get: Operation = {
	name: 'Get',
	action: 'Get the feed of a subscriber',
	description: 'Look up the private feed of one subscriber, and whether it is open',
	properties: [subscriberLocator],
	execute: async (item) => {
		const { value } = subscriberOf(item);
		const record = await requestRecord(item.client, {
			method: 'GET',
			path: ['feeds', value],
			subject: { text: `feed of the subscriber "${value}"`, isRecord: true },
		});
		return [record];
	},
};
