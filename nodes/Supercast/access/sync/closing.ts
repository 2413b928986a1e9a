/** The last look before a feed closes: what has happened since the plan. */

import type { SupercastClient } from '../../api/client';
import { apply, type AppliedDecision } from '../apply';
import {
	completed,
	isFullyClosed,
	isSameMoment,
	type CurrentSubscriber,
	type DesiredMember,
} from '../match';
import { keep, mayBeUnmatched, type SubscriberDecision } from '../rules';
import type { ListCounter } from './memory/absences';
import type { NewMembers } from './newMembers';
import type { Reason } from '../reasons';

/** After this time, Sync closes no more feeds. The next run does the rest, with a new list. */
const OLD_MS = 10 * 60_000;

/** If one of these has changed since the list was read, the feed stays open. */
const COMPARED = ['state', 'emailKey', 'customerId', 'hasPlan'] as const;

/** What the run knows when a feed should close. */
export interface ClosingRun {
	client: SupercastClient;
	lists: ListCounter;
	newMembers: Pick<NewMembers, 'areSomeUnlisted'>;
	/** In milliseconds since 1970. */
	now: () => number;
	/** When the reading of the subscribers ended, according to `now`. */
	subscribersReadAt: number;
	/** The members who could not be created so far. */
	notCreated: readonly DesiredMember[];
	/** Whether a member has turned out to get no subscriber. */
	hasUnmatched: boolean;
	/** How many feeds the run may close, and how many it has closed or is closing. */
	maxClosings: number;
	closings: { count: number };
	/** Whose closings do not count for the limit. */
	excused: ReadonlySet<CurrentSubscriber>;
}

/**
 * Closes a feed, unless there is now a reason to leave it open.
 * @throws ServiceError if the closing fails, or if Supercast does not show it.
 */
export async function closeMissing(
	decision: SubscriberDecision,
	run: ClosingRun,
): Promise<AppliedDecision> {
	const reason = whyStillOpen(decision.subscriber, run);
	if (reason !== undefined) return keep(decision, reason);
	const { closings, excused } = run;
	if (excused.has(decision.subscriber)) return await closeUnchanged(decision, run);
	// Feeds that could not be closed before may be more than the limit. Failures don't count for it.
	closings.count += 1;
	const outcome = await closeUnchanged(decision, run).catch((error: unknown) => {
		closings.count -= 1;
		throw error;
	});
	if (outcome.action !== 'closed') closings.count -= 1;
	return outcome;
}

function whyStillOpen(
	subscriber: CurrentSubscriber,
	{ lists, newMembers, notCreated, hasUnmatched, now, subscribersReadAt, ...limit }: ClosingRun,
): Reason | undefined {
	if (newMembers.areSomeUnlisted) return 'unlisted';
	if (notCreated.some((member) => mayBeSame(member, subscriber, lists))) return 'creationFailed';
	if (mayBeUnmatched(subscriber, hasUnmatched)) return 'mayBeListed';
	if (now() - subscribersReadAt > OLD_MS) return 'tooOld';
	const isFree = limit.excused.has(subscriber) || limit.closings.count < limit.maxClosings;
	return isFree ? undefined : 'overLimit';
}

async function closeUnchanged(
	decision: SubscriberDecision,
	{ client }: ClosingRun,
): Promise<AppliedDecision> {
	const { subscriber } = decision;
	return await apply(client, decision, (shown) => {
		const fresh = completed(shown, subscriber);
		const isSame = COMPARED.every((key) => subscriber[key] === fresh[key]);
		if (isSame && isSameMoment(subscriber, fresh)) return decision;
		if (isFullyClosed(fresh)) return keep({ ...decision, subscriber: fresh }, 'closedAlready');
		return keep({ ...decision, subscriber: fresh }, 'changedSince');
	});
}

/**
 * Whether a member who could not be created may be this subscriber with a new email (decision
 * 0015). Two names that were on the same list are two people. Two customer IDs usually mean two
 * people too. But someone may have subscribed again with a new email and a new ID. So after the
 * first refusal, the feed stays open for one list.
 */
function mayBeSame(
	member: DesiredMember,
	subscriber: CurrentSubscriber,
	lists: ListCounter,
): boolean {
	const haveIds = member.customerIds.length > 0 && subscriber.customerId !== '';
	const longest = haveIds ? 1 : lists.listsWithout(subscriber);
	return lists.listsRefused(member.email) <= longest;
}
