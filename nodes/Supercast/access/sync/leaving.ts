/** Which members' feeds could not be closed if they left, and why. */

import { textOf } from '../../api/json';
import { NO_SUBSCRIBER, type CurrentSubscriber } from '../match';
import { OBSTACLES, type Obstacle } from '../reasons';
import { whyNotClosed, type AccessDecision } from '../rules';
import type { RuleSettings } from '../settings';

/** The members whose feeds would stay open, by reason. */
export type CannotClose = ReadonlyMap<Obstacle, number>;

/** Counts the members whose open feeds would stay open if the members left the list. */
export function countCannotClose(
	outcomes: readonly AccessDecision[],
	rules: RuleSettings,
): CannotClose {
	const counted = new Map<Obstacle, number>();
	const later = { ...rules, newAfter: undefined };
	outcomes.forEach((outcome) => {
		if (outcome.member === undefined || !isOpenAfter(outcome)) return;
		const reason = whyNotClosed(afterwards(outcome), later);
		// Without a remedy, the reason passes with time or is intended.
		if (reason === undefined || OBSTACLES[reason].remedy === '') return;
		counted.set(reason, (counted.get(reason) ?? 0) + 1);
	});
	return counted;
}

/** Whether the feeds are open after the run. */
function isOpenAfter({ action, subscriber = NO_SUBSCRIBER, error }: AccessDecision): boolean {
	if (error !== undefined) return false;
	if (action === 'created' || action === 'reopened') return true;
	return action !== 'kept' && subscriber.isOpen;
}

/** The subscriber after the run. A new email makes no difference here. */
function afterwards({ write, subscriber = NO_SUBSCRIBER }: AccessDecision): CurrentSubscriber {
	const customerId = textOf(write.customer_id) || subscriber.customerId;
	return { ...subscriber, customerId, state: 'available', isOpen: true };
}
