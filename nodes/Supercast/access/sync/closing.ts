/** The last look before a feed closes: what has happened since the plan. */

import type { SupercastClient } from '../../api/client';
import { apply, type AppliedDecision } from '../apply';
import { keep, type SubscriberDecision } from '../rules';
import { completed, isFullyClosed, isUnchanged } from '../subscribers';

/** After this time, a run closes no more feeds. The next run does the rest, with a new list. */
const LONGEST_RUN_MS = 10 * 60_000;

/** What a run knows when a feed should close. */
export interface ClosingTools {
	client: SupercastClient;
	/** In milliseconds since 1970. */
	now: () => number;
	/** When the reading of the subscribers ended, according to `now`. */
	subscribersReadAt: number;
}

/**
 * Closes a feed, unless there is now a reason to leave it open.
 * @throws ServiceError if the closing fails, or if Supercast does not show it.
 */
export async function closeMissing(
	decision: SubscriberDecision,
	{ client, now, subscribersReadAt }: ClosingTools,
): Promise<AppliedDecision> {
	if (now() - subscribersReadAt > LONGEST_RUN_MS) return keep(decision, 'tooOld');
	const { subscriber } = decision;
	return await apply(client, decision, (shown) => {
		const fresh = completed(shown, subscriber);
		if (isUnchanged(subscriber, fresh)) return decision;
		const about = { ...decision, subscriber: fresh };
		return keep(about, isFullyClosed(fresh) ? 'closedAlready' : 'changedSince');
	});
}
