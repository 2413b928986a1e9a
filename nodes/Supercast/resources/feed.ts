import { requestRecord } from '../api/records';
import { changeUnlessMissing, ifMissingOption, REMEDY_IF_MISSING } from '../operations/removal';
import type { Operation } from '../operations/types';
import { feedSubject, setFeedState, type FeedState } from '../subscriber/feedState';
import { subscribers } from '../subscriber/kind';
import type { Resource } from './types';

/** What is specific to one operation that changes a feed's state. */
interface FeedStateOptions extends Pick<Operation, 'action' | 'description' | 'name' | 'notice'> {
	/** What the request does to the feed, for error messages. */
	verb: string;
	/**
	 * The description of "Succeed": what happens if an event concerns someone who is not a
	 * subscriber.
	 */
	succeed: string;
}

/** Builds the operation that sets the feeds of a subscriber to one state. */
function feedStateOperation(
	state: FeedState,
	{ verb, succeed, ...texts }: FeedStateOptions,
): Operation {
	const fail = 'Stop, so that a mistyped email does not look like success';
	return {
		...texts,
		properties: [subscribers.locator],
		options: [ifMissingOption(subscribers, { fail, succeed })],
		prepare: (item) => {
			const { key, value, resolve } = subscribers.identify(item);
			const unlessMissing = changeUnlessMissing(subscribers, item);
			const subject = feedSubject(value, { verb, remedyIfMissing: REMEDY_IF_MISSING });
			return {
				record: value,
				run: async (client) => {
					const changed = await unlessMissing(
						client,
						resolve,
						async (name) => await setFeedState(client, name, state, subject),
					);
					if (changed === undefined) return [{ alreadyMissing: true, [key]: value }];
					return [changed.result ?? { [key]: value, state }];
				},
			};
		},
	};
}

const get: Operation = {
	name: 'Get',
	action: 'Get feed of subscriber',
	description:
		'Look up the private feed of one subscriber and see whether it is open. A closed feed is "inactive", and its subscriber "deactivated".',
	properties: [subscribers.locator],
	prepare: (item) => {
		const { value, resolve } = subscribers.identify(item);
		return {
			record: value,
			run: async (client) => {
				const path = ['feeds', await resolve(client)];
				return [await requestRecord(client, { method: 'GET', path, subject: feedSubject(value) })];
			},
		};
	},
};

/** The private feeds through which subscribers listen. */
export const feed: Resource<'feed'> = {
	name: 'Feed',
	description:
		"A subscriber's private feeds, which you can open or close without deleting the subscriber",
	defaultOperation: 'get',
	operations: {
		activate: feedStateOperation('available', {
			name: 'Activate',
			action: 'Activate feed of subscriber',
			description: 'Reopen private feeds that were suspended or deactivated',
			verb: 'activating',
			succeed:
				'Continue without opening a feed. Use this if events can concern people who were never added.',
		}),
		deactivate: feedStateOperation('inactive', {
			name: 'Deactivate',
			action: 'Deactivate feed of subscriber',
			description:
				'Close private feeds when a membership ends, but keep the subscriber. Supercast then calls the feed "inactive", and the subscriber "deactivated".',
			notice:
				'If Supercast bills this subscriber, their paid subscription may end too. Activate reopens the feeds, but does not restart billing.',
			verb: 'deactivating',
			succeed: 'Continue. Use this if cancellations can arrive twice or after a deletion.',
		}),
		get,
		suspend: feedStateOperation('suspended', {
			name: 'Suspend',
			action: 'Suspend feed of subscriber',
			description:
				'Close the private feeds of a subscriber temporarily, for example while you look into a usage alert. Activate reopens them.',
			verb: 'suspending',
			succeed: 'Continue. Use this if events can arrive twice or after a deletion.',
		}),
	},
};
