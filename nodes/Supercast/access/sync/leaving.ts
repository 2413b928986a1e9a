/** Which members' feeds could not be closed if they left, why, and what to do about it. */

import { textOf } from '../../api/json';
import { currentSubscriber, type CurrentSubscriber } from '../match';
import { type Reason } from '../reasons';
import { whyNotClosed, type AccessDecision, type RuleSettings } from '../rules';
import type { SyncSettings } from '../settings';
import { forEachInSteps, type Steps } from '../steps';

/** The members whose feeds would stay open, by reason. */
export type CannotClose = Map<Reason, number>;

/** The reasons that persist. All others pass with time, or are intended. */
const LASTING: readonly Reason[] = ['noCustomerId', 'otherPrefix', 'otherForm', 'plan'];

/** Counts the members whose open feeds would stay open if the members left the list. */
export function* countCannotClose(
	outcomes: readonly AccessDecision[],
	rules: RuleSettings,
): Steps<CannotClose> {
	const counted: CannotClose = new Map();
	yield* forEachInSteps(outcomes, (outcome) => {
		const reason = outcome.member && whyNotClosedLater(outcome, rules);
		if (reason === undefined || !LASTING.includes(reason)) return;
		counted.set(reason, (counted.get(reason) ?? 0) + 1);
	});
	return counted;
}

function whyNotClosedLater(outcome: AccessDecision, rules: RuleSettings): Reason | undefined {
	return isOpenAfter(outcome)
		? whyNotClosed(afterwards(outcome), { ...rules, newAfter: undefined })
		: undefined;
}

/** Whether the feeds are open after the run. */
function isOpenAfter({ action, subscriber, error }: AccessDecision): boolean {
	if (error !== undefined) return false;
	if (action === 'created' || action === 'reopened') return true;
	return action !== 'kept' && subscriber?.state === 'available';
}

/** The subscriber after the run. A new email makes no difference here. */
function afterwards({
	write,
	subscriber = currentSubscriber({}),
}: AccessDecision): CurrentSubscriber {
	const customerId = textOf(write.customer_id) || subscriber.customerId;
	return { ...subscriber, customerId, state: 'available' };
}

/** What to do, by reason. The number of members comes before it. */
const REMEDIES: Partial<Record<Reason, string>> = {
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
		return `Sync cannot close the feeds of ${who} when they leave. ${REMEDIES[reason] ?? ''}`;
	});
}
