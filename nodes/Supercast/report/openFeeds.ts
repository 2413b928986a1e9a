/** Which feeds are open after a run: Supercast's list, and what the run itself has changed since. */

import { subscriptionNotOpen, subscriptionsOf } from '../api/states';
import type { AppliedDecision } from '../access/apply';
import { opensFeed } from '../access/rules';
import type { SyncRun } from '../access/sync/run';
import { currentSubscriber, type CurrentSubscriber } from '../access/subscribers';

/** By what never changes of a subscriber. */
export type OpenFeeds = ReadonlyMap<string, CurrentSubscriber>;

export function openFeedsAfter(run: SyncRun): OpenFeeds {
	const open = new Map(
		run.subscribers.filter(({ isOpen }) => isOpen).map((one) => [feedKey(one), one]),
	);
	if (!isCarriedOut(run)) return open;
	for (const one of run.outcomes) {
		const after = subscriberAfter(one);
		if (after === undefined) continue;
		const name = feedKey(after);
		if (one.reason !== 'goneSince' && isOpenAfter(one, after)) open.set(name, after);
		else open.delete(name);
	}
	return open;
}

/** Whether the decisions of a run were carried out. */
export function isCarriedOut({ settings, plan }: Pick<SyncRun, 'plan' | 'settings'>): boolean {
	return !settings.dryRun && plan.wrong === undefined;
}

function feedKey({ uuid, emailKey }: CurrentSubscriber): string {
	return uuid || emailKey;
}

function subscriberAfter({
	subscriber,
	shown,
	write,
}: AppliedDecision): CurrentSubscriber | undefined {
	if (subscriber !== undefined && subscriber.uuid !== '') return subscriber;
	return shown === undefined ? subscriber : currentSubscriber({ ...write, ...shown });
}

function isOpenAfter({ action, error }: AppliedDecision, after: CurrentSubscriber): boolean {
	if (error !== undefined) return after.isOpen;
	if (action === 'closed') return false;
	if (action === 'reopened') return true;
	// Supercast may create a subscriber who must first pay or confirm something.
	if (action === 'created') return after.state === '' || after.isOpen;
	return after.isOpen;
}

/** Whether someone has an open feed after a run. In a dry run, whether a real run would give one. */
export function hasOpenFeed(one: AppliedDecision, isWrong: boolean): boolean {
	if (!opensFeed(one)) return subscribersOf(one).some(({ isOpen }) => isOpen);
	const { subscriber, error } = one;
	if (error !== undefined || isWrong) return false;
	return subscriber === undefined || isOpenAfter(one, subscriber);
}

/** The state of one of someone's several feeds that is not open, as the run has last seen it. */
export function closedFeedOf(one: AppliedDecision): string | undefined {
	const record = one.shown ?? one.subscriber?.fields ?? {};
	return subscriptionsOf(record).length > 1 ? subscriptionNotOpen(record) : undefined;
}

/** In a conflict, all who may be theirs. Otherwise the one as the run has last seen them. */
function subscribersOf({ person, subscriber }: AppliedDecision): readonly CurrentSubscriber[] {
	const isOne = subscriber !== undefined && person?.conflict === undefined;
	return isOne ? [subscriber] : (person?.subscribers ?? []);
}
