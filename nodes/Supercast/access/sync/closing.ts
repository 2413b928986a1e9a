/** The last look before a feed closes: what has happened since the plan. */

import { apply, type AppliedDecision } from '../apply';
import { keep, type SubscriberDecision } from '../rules';
import { completed, isFullyClosed, isUnchanged } from '../subscribers';
import type { PerformTools } from './run';

/** After this time, a run closes no more feeds. The next run does the rest, with a new list. */
const LONGEST_RUN_MS = 10 * 60_000;

/**
 * Closes a feed, unless there is now a reason to leave it open.
 * @throws ServiceError if the closing fails, or if Supercast does not show it.
 */
export async function closeMissing(
	decision: SubscriberDecision,
	{ client, clock, subscribersReadAt }: PerformTools,
): Promise<AppliedDecision> {
	if (clock.date() - subscribersReadAt > LONGEST_RUN_MS) return keep(decision, 'tooOld');
	const { subscriber } = decision;
	return await apply(client, decision, (shown) => {
		const fresh = completed(shown, subscriber);
		const about = { ...decision, subscriber: fresh };
		if (isUnchanged(subscriber, fresh)) return about;
		return keep(about, isFullyClosed(fresh) ? 'closedAlready' : 'changedSince');
	});
}
