/**
 * Who gets access, and who loses it. Sync and Set Access both decide here. The rules are pure
 * functions of what the membership system and Supercast say about a person.
 */

import type { IDataObject } from 'n8n-workflow';

import { isSameName, nameKey } from '../api/identity';
import { timeOf } from '../operations/validation';
import { differences } from '../subscriber/requests';
import type { Known, Member, Person } from './people';

const HOUR_MS = 3_600_000;

/** The settings that the rules depend on. */
export interface RuleSettings {
	/** Whose feeds may be closed. */
	close: 'all' | 'none' | 'withCustomerId';
	closeWithPlan: boolean;
	/** Only customer IDs that begin with this text may be closed. If it is empty, all may. */
	customerIdPrefix: string;
	/** If set, only customer IDs of one of these forms may be closed. */
	customerIdForms?: ReadonlySet<string>;
	graceHours: number;
	/** Emails and domains such as `@example.com`, in lower case. */
	neverClose: ReadonlySet<string>;
	reactivate: boolean;
	/** Whether a new customer ID replaces the old one while the feed is open. */
	replaceCustomerId: boolean;
}

/** What happens to a person. */
export type AccessAction = 'closed' | 'created' | 'kept' | 'reopened' | 'unchanged' | 'updated';

/** Why an action is taken, or why nothing is done. */
export const REASONS = {
	notListed: 'not on the list',
	branches: 'another branch of the workflow may bring more members',
	tooOld: 'the list is too old',
	creationFailed: 'a subscriber could not be created',
	closingIsOff: 'Close is set to None',
	noCustomerId: 'no customer ID',
	noSubscriber: 'no such subscriber',
	noEmail: 'no email on the list, and no subscriber with the customer ID',
	otherPrefix: 'another customer ID prefix',
	otherForm: 'a customer ID of another form than those on the list',
	plan: 'has a plan at Supercast',
	planClosed: 'has a plan at Supercast, and the feed is closed',
	neverClose: 'in Never Close',
	isNew: 'newer than Grace Hours',
	reactivateIsOff: 'deactivated, and Reactivate is off',
	badItems: 'some input items are not valid members',
	incomplete: 'the list of subscribers kept changing while it was read',
	changedSince: 'changed since the list of subscribers was read',
	goneSince: 'deleted since the list of subscribers was read',
	severalEmails: 'conflict: one customer ID with several emails',
	severalSubscribers: 'conflict: several subscribers have the same customer ID or email',
	otherId: 'conflict: your list has another customer ID',
	otherEmail: 'conflict: your list has this customer ID with another email',
	state: 'state',
} as const;

/** The name of a reason. */
export type Reason = keyof typeof REASONS;

const CONFLICTS: ReadonlySet<Reason | undefined> = new Set([
	'severalEmails',
	'severalSubscribers',
	'otherId',
	'otherEmail',
]);

/** What to do for one person, and why. */
export interface AccessDecision extends Person {
	action: AccessAction;
	/** The fields to write, with Supercast's field names as keys. */
	write: IDataObject;
	reason?: Reason;
}

/** Whether an email or customer ID is ambiguous. */
export function isConflict({ reason }: AccessDecision): boolean {
	return CONFLICTS.has(reason);
}

/**
 * Decides about a person who should have access.
 *
 * @returns The decision about the person, and then one for each further record of theirs.
 */
export function decideOpen(person: Person, settings: RuleSettings): AccessDecision[] {
	const { member, others, conflict } = person;
	const rest = others.map((subscriber) =>
		keep({ member, subscriber, others: [] }, conflict ?? 'otherEmail'),
	);
	return [
		conflict === undefined ? decideMember(person, settings) : keep(person, conflict),
		...rest,
	];
}

function decideMember(person: Person, settings: RuleSettings): AccessDecision {
	const { member, subscriber } = person as Person & { member: Member };
	if (subscriber === undefined) {
		if (member.email === '') return keep(person, 'noEmail');
		const { email, customerIds, fields } = member;
		const id = customerIds.length === 0 ? {} : { customer_id: customerIds[0] };
		return { ...person, action: 'created', write: { email, ...id, ...fields } };
	}
	const { state, hasPlan } = subscriber;
	if (state === 'available') return decideOpenFeed(person, settings);
	if (state !== 'deactivated') return keep(person, 'state');
	if (hasPlan && !settings.closeWithPlan) return keep(person, 'planClosed');
	const write = changes(person, settings.reactivate);
	if (settings.reactivate) return { ...person, action: 'reopened', write };
	return {
		...person,
		action: isEmpty(write) ? 'kept' : 'updated',
		write,
		reason: 'reactivateIsOff',
	};
}

function decideOpenFeed(person: Person, settings: RuleSettings): AccessDecision {
	const { member, subscriber } = person as Required<Person>;
	if (hasOtherId(member, subscriber) && !settings.replaceCustomerId) {
		// While the feed is open, the lists of two systems would write the person back and forth.
		const isOurs = subscriber.customerId.startsWith(settings.customerIdPrefix);
		return isOurs ? keep(person, 'otherId') : { ...person, action: 'unchanged', write: {} };
	}
	const isBilledOnly = subscriber.hasPlan && subscriber.customerId === '';
	const write = changes(person, settings.replaceCustomerId && !isBilledOnly);
	return { ...person, action: isEmpty(write) ? 'unchanged' : 'updated', write };
}

/** Decides about a person who should not have access. `now` is in milliseconds since 1970. */
export function decideClosed(person: Person, settings: RuleSettings, now: number): AccessDecision {
	const { member, subscriber, others, conflict } = person;
	if (subscriber === undefined) return keep(person, 'noSubscriber');
	if (conflict !== undefined) return keep(person, conflict);
	if (others.length > 0) return keep(person, 'otherEmail');
	if (member !== undefined && hasOtherId(member, subscriber)) return keep(person, 'otherId');
	if (subscriber.state === 'deactivated') return { ...person, action: 'unchanged', write: {} };
	if (!canClose(subscriber)) return keep(person, 'state');
	const reason = whyNotClosed(subscriber, settings, now);
	if (reason !== undefined) return keep(person, reason);
	return { ...person, action: 'closed', write: {}, reason: 'notListed' };
}

/** Whether there is a feed to close. It opens again by itself after a failed payment. */
export function canClose({ state }: Known): boolean {
	return state === 'available' || state === 'charge_failure';
}

/** Why the feed of a subscriber may not be closed. Undefined if it may. */
export function whyNotClosed(
	subscriber: Known,
	settings: RuleSettings,
	now: number,
): Reason | undefined {
	const { customerId, hasPlan } = subscriber;
	const { close, closeWithPlan, customerIdPrefix, customerIdForms, graceHours } = settings;
	if (close === 'none') return 'closingIsOff';
	if (close === 'withCustomerId' && customerId === '') return 'noCustomerId';
	if (!customerId.startsWith(customerIdPrefix)) return 'otherPrefix';
	const isForeign = customerId !== '' && customerIdForms?.has(formOf(customerId)) === false;
	if (isForeign) return 'otherForm';
	if (hasPlan && !closeWithPlan) return 'plan';
	const email = nameKey(subscriber.email);
	const domain = email.slice(email.lastIndexOf('@'));
	const { neverClose } = settings;
	if (neverClose.has(email) || neverClose.has(domain)) return 'neverClose';
	return isNew(subscriber, graceHours, now) ? 'isNew' : undefined;
}

/** What the customer IDs of one system have in common: the letters in front, or their digits. */
export function formOf(customerId: string): string {
	if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$|^[\da-f]{20,}$/i.test(customerId)) return 'hex';
	if (/^\d+$/.test(customerId)) return 'number';
	return /^[a-z]+[^a-z\d]/i.exec(customerId)?.[0].toLowerCase() ?? 'text';
}

/** Whether the membership system and Supercast have different customer IDs for a person. */
function hasOtherId({ customerIds }: Member, { customerId }: Known): boolean {
	return customerId !== '' && customerIds.length > 0 && !customerIds.includes(customerId);
}

/** A decision to change nothing. */
export function keep(person: Person, reason: Reason): AccessDecision {
	return { ...person, action: 'kept', write: {}, reason };
}

/**
 * Whether a subscriber was created or changed within the grace period. A subscriber of unknown age
 * counts as new, unless there is no grace period.
 */
function isNew({ createdAt, updatedAt }: Known, graceHours: number, now: number): boolean {
	if (graceHours === 0) return false;
	const isRecent = (time: number): boolean => now - time < graceHours * HOUR_MS;
	const created = timeOf(createdAt);
	return Number.isNaN(created) || isRecent(created) || isRecent(timeOf(updatedAt));
}

/**
 * Finds the fields to change. Skips a field that Supercast does not return, because it cannot be
 * compared and would be written every time.
 *
 * @param withId Whether to replace the customer ID too. Nobody else may have it.
 */
function changes({ member, subscriber, others }: Person, withId: boolean): IDataObject {
	const { email, customerIds, fields } = member!;
	const { customerId: known, email: knownEmail, fields: shown } = subscriber!;
	const comparable = Object.entries(fields).filter(([key]) => key in shown);
	const write = differences(shown, Object.fromEntries(comparable));
	if (email !== '' && !isSameName(email, knownEmail)) write.email = email;
	const [customerId] = customerIds;
	if (withId && customerId !== undefined && !customerIds.includes(known) && others.length === 0) {
		write.customer_id = customerId;
	}
	return write;
}

/** Whether there is nothing to write. */
export function isEmpty(write: IDataObject): boolean {
	return Object.keys(write).length === 0;
}
