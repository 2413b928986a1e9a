import { requestRecord } from '../api/records';
import { recordKind } from '../operations/kinds';
import { ifMissingOption, recordOperation, type Texts } from '../operations/record';
import type { Operation } from '../operations/types';
import { subscribers, warnOfPartlyClosed } from '../subscriber/kind';
import { feedSubject, setFeedState, type FeedState } from '../subscriber/requests';
import type { Resource } from './resource';

function stateOperation(
	state: FeedState,
	{ succeed, ...texts }: Texts & { succeed: string },
): Operation {
	return recordOperation(subscribers, {
		action: `${texts.name} feed of subscriber`,
		...texts,
		ifMissing: ifMissingOption(
			subscribers,
			'Stop, so that a mistyped email does not look like success',
			succeed,
		),
		gives: () => ({}),
		run: async (client, { key, value, name, subject }, _, addHint) => {
			const { feed, notOpen } = await setFeedState(client, name, state, {
				subject: feedSubject(value, subject),
			});
			const warning = warnOfPartlyClosed(notOpen);
			if (warning !== undefined) addHint?.(warning);
			return feed ?? { [key]: value, state };
		},
	});
}

export const feed = {
	kind: recordKind('Feed'),
	description:
		"A subscriber's private feeds, which you can open or close without deleting the subscriber",
	operations: {
		activate: stateOperation('available', {
			name: 'Activate',
			description: 'Reopen private feeds that were suspended or deactivated',
			notice:
				"If you use Sync and this person is not on its list, Sync may close this feed again. To prevent this, add the person to the list, or to the option 'Never Close' of Sync.",
			verb: 'activating',
			succeed:
				'Continue without opening a feed. Use this if events can concern people who were never added.',
		}),
		deactivate: stateOperation('inactive', {
			name: 'Deactivate',
			description: 'Close private feeds when a membership ends, but keep the subscriber',
			notice:
				'If Supercast bills this subscriber, their paid subscription may end too. It is unknown whether the operation Activate restarts the billing.',
			verb: 'deactivating',
			succeed: 'Continue. Use this if cancellations can arrive twice or after a deletion.',
		}),
		get: recordOperation(subscribers, {
			name: 'Get',
			action: 'Get feed of subscriber',
			description: 'Look up the private feed of one subscriber',
			run: async (client, { value, name }) => {
				const subject = feedSubject(value);
				return await requestRecord(client, { method: 'GET', path: ['feeds', name], subject });
			},
		}),
		suspend: stateOperation('suspended', {
			name: 'Suspend',
			description:
				'Close the private feeds of a subscriber temporarily, for example because of a usage alert',
			verb: 'suspending',
			succeed: 'Continue. Use this if events can arrive twice or after a deletion.',
		}),
	},
} satisfies Resource;
