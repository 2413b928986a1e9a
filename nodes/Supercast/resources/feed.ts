import { requestRecord } from '../api/records';
import type { Operation } from '../operations/types';
import { feedSubject, setFeedState, type FeedState } from './subscriber/feedState';
import { subscribers } from './subscriber/subscriber';
import type { Resource } from './types';

/** Makes the operation that puts the feeds of a subscriber into one state. */
function feedStateOperation(
	state: FeedState,
	{ verb, ...texts }: Pick<Operation, 'action' | 'description' | 'name'> & { verb: string },
): Operation {
	return {
		...texts,
		properties: [subscribers.locator],
		prepare: (item) => {
			const { key, value } = subscribers.identify(item);
			return {
				record: value,
				run: async (client) => {
					const feed = await setFeedState(client, value, state, verb);
					return [feed ?? { [key]: value, state }];
				},
			};
		},
	};
}

const get: Operation = {
	name: 'Get',
	action: 'Get feed of subscriber',
	description: 'Look up the private feed of one subscriber, and whether it is open',
	properties: [subscribers.locator],
	prepare: (item) => {
		const { value } = subscribers.identify(item);
		return {
			record: value,
			run: async (client) => {
				const subject = feedSubject(value);
				return [await requestRecord(client, { method: 'GET', path: ['feeds', value], subject })];
			},
		};
	},
};

/** The private feeds through which subscribers listen. */
export const feed: Resource<'feed'> = {
	name: 'Feed',
	description: "A subscriber's private feeds: open or close them and keep the subscriber",
	defaultOperation: 'get',
	operations: {
		activate: feedStateOperation('available', {
			name: 'Activate',
			action: 'Activate feed of subscriber',
			description:
				'Reopen the private feeds of a subscriber after they were suspended or deactivated',
			verb: 'activating',
		}),
		deactivate: feedStateOperation('inactive', {
			name: 'Deactivate',
			action: 'Deactivate feed of subscriber',
			description:
				'Close the private feeds of a subscriber whose membership has ended, but keep the subscriber. The feed state becomes "inactive", the subscriber state "deactivated".',
			verb: 'deactivating',
		}),
		get,
		suspend: feedStateOperation('suspended', {
			name: 'Suspend',
			action: 'Suspend feed of subscriber',
			description:
				'Close the private feeds of a subscriber temporarily, for example after a failed payment. Activate reopens them.',
			verb: 'suspending',
		}),
	},
};
