/** What Set Access tells a person who must decide something. */

import type { IDataObject } from 'n8n-workflow';

import { MINUTE_MS } from '../api/clock';
import { SUBSCRIBER_STATES } from '../api/states';
import { showsAccess } from '../subscriber/kind';
import { NOBODY, NO_SUBSCRIBER, type CurrentSubscriber } from './match';
import { fill } from './reasons';
import type { AppliedDecision } from './apply';
import { isEmpty, type AccessDecision } from './rules';

export type WantedAccess = 'close' | 'open';

const OTHER_EMAIL =
	'but this customer ID came with another email minutes before: {email}. Check whose ID it is. If the person has a new email, change it in Supercast.';

const TWO_PEOPLE =
	'Check these subscribers in Supercast. Correct the wrong email or customer ID there, and close any feed that is not needed.';
const CHECK = 'Check this subscriber in Supercast.';
const NOT_IN_SUPERCAST =
	'but Supercast has no such subscriber. If this person listens under another email, deactivate that subscriber in Supercast. Otherwise, there is nothing to do.';

/**
 * The keys are reasons and states. The first sentence of each text continues the one that `adviceOn`
 * starts. The others say what to do.
 */
const ADVICE: Record<WantedAccess, Record<string, string | undefined>> = {
	open: {
		noEmail:
			'but Supercast has no subscriber with this customer ID. Pass on their email too, or add them in Supercast.',
		suspended:
			'but their feed is suspended. Find out why. It may have been shared. Then activate it in Supercast.',
		charge_failure:
			'but their payment to Supercast failed. Supercast also bills this person. Check the payment in Supercast.',
		pending: `but they have not completed their checkout at Supercast. ${CHECK}`,
		state: `but Supercast shows the state "{state}". ${CHECK}`,
		planClosed:
			'but they have a plan at Supercast and their feed is closed. Check the plan in Supercast, and decide which membership continues. Then activate the feed there.',
		severalEmails: OTHER_EMAIL,
		notTaken: `but Supercast shows another value than the node wrote: {held}. ${CHECK}`,
		noFeedAddress: 'but Supercast shows no feed address for them. Get the subscriber again later.',
		mayBeSecond:
			'but Supercast does not find subscribers by email. There may be two with this email now. Search for it in Supercast, and pass on customer IDs too.',
		severalSubscribers: `but several subscribers have this email or customer ID. ${TWO_PEOPLE}`,
		otherEmail: `but another subscriber has the same customer ID: {other}. ${TWO_PEOPLE}`,
	},
	close: {
		noSubscriber: NOT_IN_SUPERCAST,
		goneSince: NOT_IN_SUPERCAST,
		isNew:
			'but n8n retries an old execution, and this subscriber may have changed since, so their feed stays open. If they have not paid again, deactivate this subscriber in Supercast.',
		severalEmails: OTHER_EMAIL,
		plan: 'but they have a plan at Supercast, so their feed stays open. If the plan has ended too, deactivate this subscriber in Supercast.',
		otherId:
			'but this subscriber has the customer ID {customerId}, so their feed stays open. If no other membership pays for this feed, deactivate this subscriber in Supercast.',
		severalSubscribers: `but several subscribers have this email or customer ID, so their feeds stay open. ${TWO_PEOPLE}`,
		secondFeed: `but the feed of {other}, who has the same customer ID, is still open. ${TWO_PEOPLE}`,
		otherEmail: `but the email and the customer ID belong to two subscribers, {email} and {other}. ${TWO_PEOPLE}`,
		state:
			'and Supercast shows the state "{state}". Deactivate this subscriber in Supercast, so that the feed does not open again.',
		unknownState: `but Supercast shows the state "{state}", which the node does not know. The feed may still be open. ${CHECK}`,
	},
};

/** Both are null in all ordinary cases. */
interface Advice {
	reason: string | null;
	attention: string | null;
}

/** What a person must know: why nothing changed, or how the result differs from the request. */
export function adviceOn(
	access: WantedAccess,
	decision: AppliedDecision,
	shown: IDataObject,
): Advice {
	const advice = textFor(access, decision, shown);
	if (advice === undefined) return { reason: null, attention: null };
	const who = namesForAdvice(decision);
	const { held = {} } = decision;
	const start = access === 'open' ? `${who} should have access` : `The access of ${who} ends`;
	const end = advice.indexOf('. ') + 1;
	const reason = `${start}, ${fill(advice.slice(0, end), decision)}`;
	const isMinor = advice === ADVICE.open.notTaken && !IMPORTANT.some((field) => field in held);
	const attention = `${reason}${advice.slice(end)}${ageText(decision)}`;
	return { reason, attention: isMinor ? null : attention };
}

/** How old the list is that shows that nobody has the customer ID. Empty if it is recent. */
function ageText({ reason, member = NOBODY, listAgeMs = 0 }: AppliedDecision): string {
	if (reason !== 'noSubscriber' || member.customerIds.length === 0 || listAgeMs <= MINUTE_MS)
		return '';
	const minutes = Math.round(listAgeMs / MINUTE_MS);
	return ` The node last read the list of customer IDs ${minutes} minutes ago. If you have added this one since, run the node again later.`;
}

/** By these fields, later events and Sync find the person. */
const IMPORTANT = ['email', 'customer_id'];

function namesForAdvice({ member = NOBODY, subscriber = NO_SUBSCRIBER }: AccessDecision): string {
	const email = member.email || subscriber.email;
	return [email, ...member.customerIds].filter((name) => name !== '').join(', ');
}

/** The advice for a decision. Undefined in all ordinary cases. */
function textFor(
	access: WantedAccess,
	decision: AppliedDecision,
	shown: IDataObject,
): string | undefined {
	const texts = ADVICE[access];
	if (decision.action === 'kept') {
		const { reason, subscriber = NO_SUBSCRIBER } = decision;
		return texts[reason === 'state' ? stateKey(access, subscriber) : reason];
	}
	const problem = openingProblem(decision, shown);
	if (problem !== undefined) return texts[problem];
	if (decision.others.length > 0) return texts[access === 'open' ? 'otherEmail' : 'secondFeed'];
	return isEmpty(decision.held ?? {}) ? undefined : texts.notTaken;
}

/** What is wrong with a feed that was just opened. */
function openingProblem(
	{ action, subscriber = NO_SUBSCRIBER, mayBeSecond }: AppliedDecision,
	shown: IDataObject,
): string | undefined {
	if (action !== 'created' && action !== 'reopened') return undefined;
	if (mayBeSecond === true) return 'mayBeSecond';
	if (action === 'created' && subscriber.state !== 'available') return stateKey('open', subscriber);
	return showsAccess(shown) ? undefined : 'noFeedAddress';
}

function stateKey(access: WantedAccess, { state }: CurrentSubscriber): string {
	if (state in ADVICE[access]) return state;
	return access === 'open' || SUBSCRIBER_STATES.includes(state) ? 'state' : 'unknownState';
}
