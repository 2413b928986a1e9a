/** The texts that explain why a decision leaves someone alone or closes a feed. */

import { NOBODY, NO_SUBSCRIBER, type Person } from './match';

/** The reasons that a person must settle, about an email or a customer ID. */
const CONFLICTS = {
	severalEmails: 'conflict: one customer ID with several emails',
	severalSubscribers: 'conflict: several subscribers have the same customer ID or email',
	otherId: 'conflict: your list says {listedId}, Supercast says {customerId}',
	otherEmail:
		'conflict: {customerId} belongs to {listedEmail} on your list, but to {email} in Supercast',
	emailTaken: 'conflict: another subscriber has the email {listedEmail}',
} as const;

export type Conflict = keyof typeof CONFLICTS;

export const REASONS = {
	...CONFLICTS,
	notListed: 'not on the list',
	branches: 'another branch of the workflow may bring more members',
	tooOld: 'the list is too old',
	waits: 'missing from the list',
	creationFailed: 'may be the same person as a member who could not be created',
	closingIsOff: 'Close is set to None',
	noCustomerId: 'no customer ID',
	mayBeListed: 'no customer ID, and may be a member on the list who has no subscriber',
	noSubscriber: 'no such subscriber',
	noEmail: 'no email on the list, and no subscriber with the customer ID',
	otherPrefix: 'another customer ID prefix',
	missingPart: 'nobody on the list has this customer ID prefix',
	otherForm: 'a customer ID that differs in form from those on the list',
	plan: 'has a plan at Supercast',
	planClosed: 'has a plan at Supercast, and the feed is closed',
	neverClose: 'in Never Close',
	isNew: 'newer than Grace Hours',
	reactivateIsOff: 'deactivated, and Reactivate is off',
	notTaken: 'Supercast shows other values than the node wrote',
	badItems: 'some input items are not valid members',
	notWhole: 'the list of members is not whole',
	incomplete: 'the list of subscribers kept changing while it was read',
	strange: "Supercast's list of subscribers is not as expected",
	unlisted: "Supercast's list of subscribers does not show everyone",
	changedSince: 'changed since the list of subscribers was read',
	decidedSince: 'handled by another operation since the list arrived',
	goneSince: 'deleted since the list of subscribers was read',
	state: 'state: {state}',
} as const;

export type Reason = keyof typeof REASONS;

/** A person, and why something was decided about them. */
interface Explained extends Person {
	reason?: Reason;
	/** Fields that Supercast shows differently than they were written. */
	held?: object;
	/** Only with the reason "waits". */
	absence?: Absence;
}

/** When something was, in milliseconds since 1970, for a sentence. */
export function timeText(time: number): string {
	return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export interface Absence {
	/** How many lists in a row the person has been missing from. */
	lists: number;
	/** How many it takes to close their feeds. */
	closeAfter: number;
}

/** Whether a person must settle a conflict about an email or a customer ID. */
export function isConflict<T extends Explained>(one: T): one is T & { reason: Conflict } {
	return one.reason !== undefined && one.reason in CONFLICTS;
}

/** The reason for a decision, in words. Empty if it needs none. */
export function reasonText(decision: Explained): string {
	const { absence, reason } = decision;
	if (absence !== undefined) return absenceText(absence);
	return reason === undefined ? '' : fill(REASONS[reason], decision);
}

function absenceText({ lists, closeAfter }: Absence): string {
	const remaining = closeAfter - lists;
	const since = lists <= 1 ? 'missing for the first time' : `missing from ${lists} lists in a row`;
	const next = remaining === 1 ? 'with the next list' : `after ${remaining} more lists`;
	return `${since}; closes ${next}`;
}

/** Fills in what is known about the person. */
export function fill(
	text: string,
	{ member = NOBODY, subscriber = NO_SUBSCRIBER, others, held = {} }: Explained,
): string {
	const values: Record<string, string | undefined> = {
		listedEmail: member.email,
		listedId: member.customerIds[0],
		email: subscriber.email,
		customerId: subscriber.customerId,
		state: subscriber.state || 'unknown',
		other: others[0]?.email,
		held: Object.keys(held).join(', '),
	};
	return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
