import { simplifyProperty } from '../../shared/fields';
import { requestRecord } from '../../transport/records';
import type { Operation } from '../types';
import {
	simplifySubscriber,
	subscriberLocator,
	subscriberOf,
	subscriberSubject,
} from './subscriber';

/** Reads one subscriber. */
export const get: Operation = {
	name: 'Get',
	action: 'Get a subscriber',
	description: 'Look up one subscriber: their state, plan and private feed addresses',
	properties: [subscriberLocator, simplifyProperty],
	execute: async (item) => {
		const { value } = subscriberOf(item);
		const record = await requestRecord(item.client, {
			method: 'GET',
			path: ['subscribers', value],
			subject: subscriberSubject(value),
		});
		return [item.parameter('simplify') === true ? simplifySubscriber(record) : record];
	},
};
