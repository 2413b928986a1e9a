/** What items say about a decision: the reason in Sync, and the advice in Set Access. */

import type { IDataObject } from 'n8n-workflow';

import { MINUTE_MS } from '../api/clock';
import { showsAccess } from '../subscriber/kind';
import { NOBODY, NO_SUBSCRIBER, type CurrentSubscriber, type Person } from '../access/match';
import { CHECK, REASONS, TWO_PEOPLE, type Reason } from '../access/reasons';
import type { AppliedDecision } from '../access/apply';
import { statusOf } from '../access/sync/statuses';
import { isEmpty, type Absence, type AccessDecision, type WantedAccess } from '../access/rules';
import { isOpenState, stateRow } from '../subscriber/states';

/** When something was, in milliseconds since 1970, for a sentence. */
export function timeText(time: number): string {
	return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A person, and why something was decided about them. */
interface Explained extends Person {
	reason?: Reason;
	/** Fields that Supercast shows differently than they were written. */
	notTaken?: object;
	/** Only with the reason "waits". */
	absence?: Absence;
}

/** The reason for a decision, in words. Empty if it needs none. */
export function reasonText(decision: Explained, dryRun = false): string {
	const { absence, ended } = decision;
	if (absence === undefined) return simpleReason(decision);
	return ended === undefined
		? absenceText(absence, dryRun)
		: endingText(absence, dryRun, statusText(decision) || REASONS.ended.text);
}

function simpleReason(decision: Explained): string {
	const { reason } = decision;
	if (reason === undefined) return '';
	const [text, status] = [fill(REASONS[reason].text, decision), statusText(decision)];
	if (reason === 'ended') return status || text;
	const hasStatus = status !== '' && (reason === 'keep' || reason === 'unclear');
	return hasStatus ? `${text} (${status})` : text;
}

/** The membership system's own word for a person's records. Empty if it has none. */
export function statusText({ member, ended }: Person): string {
	return statusOf(member ?? ended ?? NOBODY);
}

/** Whether a feed closes with a later list. */
export function closesLater({ reason }: Pick<Explained, 'reason'>): boolean {
	return reason === 'waits' || reason === 'overLimit';
}

/** Why a feed closes, now or with a later list. */
export function whyItCloses(decision: Explained): string {
	if (!closesLater(decision)) return reasonText(decision);
	return reasonText({
		...decision,
		reason: decision.ended ? 'ended' : 'notListed',
		absence: undefined,
	});
}

/** What people whose feeds close have in common: no record, or only records that have ended. */
export function whoLeft(closing: readonly AccessDecision[]): string {
	const hasEnded = closing.some(({ ended }) => ended !== undefined);
	return hasEnded ? 'Not on the list, or no longer a member' : 'Not on the list';
}

/** How many more lists must lack someone. The list of a dry run does not count. */
export function remainingLists({ lists, closeAfter }: Absence, dryRun: boolean): number {
	return closeAfter - lists + (dryRun ? 1 : 0);
}

function absenceText(absence: Absence, dryRun: boolean): string {
	const { lists } = absence;
	if (dryRun) return `not on the list; closes ${whenItCloses(absence, dryRun)} without them`;
	const since = lists <= 1 ? 'missing for the first time' : `missing from ${lists} lists in a row`;
	return `${since}; closes ${whenItCloses(absence, dryRun)}`;
}

/** The same for someone whose records have ended. */
function endingText(absence: Absence, dryRun: boolean, why: string): string {
	const { lists } = absence;
	if (dryRun)
		return `${why}; closes ${whenItCloses(absence, dryRun)} that ${remainingLists(absence, dryRun) === 1 ? 'confirms' : 'confirm'} this`;
	const since = lists <= 1 ? 'for the first time' : `in ${lists} lists in a row`;
	return `${why}, ${since}; closes ${whenItCloses(absence, dryRun)}`;
}

function whenItCloses(absence: Absence, dryRun: boolean): string {
	const remaining = remainingLists(absence, dryRun);
	if (remaining === 1) return 'with the next list';
	return `after ${remaining} ${dryRun ? 'lists' : 'more lists'}`;
}

/** Fills in what is known about the person. */
export function fill(
	text: string,
	{ member = NOBODY, subscriber = NO_SUBSCRIBER, others, notTaken = {} }: Explained,
): string {
	const values: Record<string, string | undefined> = {
		listedEmail: member.email,
		listedId: member.customerIds[0],
		email: subscriber.email,
		customerId: subscriber.customerId,
		state: subscriber.state || 'unknown',
		other: others[0]?.email,
		notTaken: Object.keys(notTaken).join(', '),
	};
	return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

const UNKNOWN_STATE = `but Supercast shows the state "{state}", which the node does not know. The feed may still be open. ${CHECK}`;
const NO_FEED_ADDRESS =
	'but Supercast shows no feed address for them. Get the subscriber again later.';
const MAY_BE_SECOND =
	'but Supercast does not find subscribers by email. There may be two with this email now. Search for it in Supercast, and pass on customer IDs too.';
const SECOND_FEED = `but the feed of {other}, who has the same customer ID, is still open. ${TWO_PEOPLE}`;

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
	const { notTaken = {} } = decision;
	const start = access === 'open' ? `${who} should have access` : `The access of ${who} ends`;
	const end = advice.indexOf('. ') + 1;
	const reason = `${start}, ${fill(advice.slice(0, end), decision)}`;
	const isMinor =
		advice === adviceIn('open', 'notTaken') && !IMPORTANT.some((field) => field in notTaken);
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
	if (decision.action === 'kept') {
		const { reason, subscriber = NO_SUBSCRIBER } = decision;
		return reason === 'state' ? stateText(access, subscriber) : adviceIn(access, reason);
	}
	const missing = missingAfter(decision, shown);
	if (missing !== undefined) return missing;
	if (decision.others.length > 0)
		return access === 'open' ? adviceIn(access, 'otherEmail') : SECOND_FEED;
	return isEmpty(decision.notTaken ?? {}) ? undefined : adviceIn(access, 'notTaken');
}

function adviceIn(access: WantedAccess, reason: Reason): string | undefined {
	return REASONS[reason].setAccess?.[access];
}

/** What is not as it should be after a feed was opened. */
function missingAfter(
	{ action, subscriber = NO_SUBSCRIBER, mayBeSecond }: AppliedDecision,
	shown: IDataObject,
): string | undefined {
	if (action !== 'created' && action !== 'reopened') return undefined;
	if (mayBeSecond === true) return MAY_BE_SECOND;
	if (action === 'created' && !isOpenState(subscriber.state)) return stateText('open', subscriber);
	return showsAccess(shown) ? undefined : NO_FEED_ADDRESS;
}

function stateText(access: WantedAccess, { state }: CurrentSubscriber): string | undefined {
	if (access === 'open') return stateRow(state)?.skipped ?? adviceIn(access, 'state');
	return stateRow(state) === undefined ? UNKNOWN_STATE : adviceIn(access, 'state');
}
