/** Which members' feeds could not be closed if they left, why, and what to do about it. */

import { textOf } from '../../api/json';
import { NO_SUBSCRIBER, type CurrentSubscriber } from '../match';
import type { AccessDecision } from '../rules';
import { whyNotClosed, type RuleSettings } from '../whyOpen';
import type { SyncSettings } from '../settings';

/** The reasons that persist. All others pass with time, or are intended. */
const LASTING = ['noCustomerId', 'otherPrefix', 'otherForm', 'plan'] as const;

type LastingReason = (typeof LASTING)[number];

/** The members whose feeds would stay open, by reason. */
export type CannotClose = ReadonlyMap<LastingReason, number>;

/** Counts the members whose open feeds would stay open if the members left the list. */
export function countCannotClose(
	outcomes: readonly AccessDecision[],
	rules: RuleSettings,
): CannotClose {
	const counted = new Map<LastingReason, number>();
	const later = { ...rules, newAfter: undefined };
	outcomes.forEach((outcome) => {
		if (outcome.member === undefined || !isOpenAfter(outcome)) return;
		const reason = whyNotClosed(afterwards(outcome), later);
		const lasting = LASTING.find((one) => one === reason);
		if (lasting !== undefined) counted.set(lasting, (counted.get(lasting) ?? 0) + 1);
	});
	return counted;
}

/** Whether the feeds are open after the run. */
function isOpenAfter({ action, subscriber = NO_SUBSCRIBER, error }: AccessDecision): boolean {
	if (error !== undefined) return false;
	if (action === 'created' || action === 'reopened') return true;
	return action !== 'kept' && subscriber.state === 'available';
}

/** The subscriber after the run. A new email makes no difference here. */
function afterwards({ write, subscriber = NO_SUBSCRIBER }: AccessDecision): CurrentSubscriber {
	const customerId = textOf(write.customer_id) || subscriber.customerId;
	return { ...subscriber, customerId, state: 'available' };
}

/** What to do, by reason. The number of members comes before it. */
const LASTING_REMEDIES: Record<LastingReason, string> = {
	noCustomerId:
		"They have no customer ID in Supercast. Give each member a customer ID on the list, and leave 'Add Customer IDs' on. Or set 'Close' to 'All Subscribers'. Sync gives no ID to people whom Supercast bills.",
	otherPrefix:
		"Their customer ID in Supercast does not begin with the 'Customer ID Prefix'. Correct it in Supercast, for example with Subscriber: Update.",
	otherForm:
		"Their customer ID in Supercast looks like that of another membership system. Correct it there. Or, in 'Customer ID Prefix', enter the beginnings of all customer IDs on the list.",
	plan: "Supercast bills them for a plan. When they leave, end the plan in Supercast. Or turn on the option 'Close With Plan'.",
};

/** A sentence for each reason, which names the number of members and says what to do. */
export function cannotCloseTexts(counted: CannotClose, { close }: SyncSettings): string[] {
	if (close === 'none') return [];
	return [...counted].map(([reason, count]) => {
		const who = count === 1 ? '1 member on the list' : `${count} members on the list`;
		return `Sync cannot close the feeds of ${who} when they leave. ${LASTING_REMEDIES[reason]}`;
	});
}
