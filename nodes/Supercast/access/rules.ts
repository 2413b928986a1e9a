/** Who gets access, and who loses it. Sync and Set Access both decide here. */

import type { IDataObject } from 'n8n-workflow';

import { isSameName, nameKey } from '../api/identity';
import { timeOf } from '../api/json';
import { differences } from '../subscriber/requests';
import type { Known, Member, Person } from './people';

export interface RuleSettings {
	/** Whether subscribers without a customer ID get the one on the list. */
	addCustomerIds: boolean;
	/** Whose feeds may be closed. */
	close: 'all' | 'none' | 'withCustomerId';
	closeWithPlan: boolean;
	/** Only customer IDs that begin with this text may be closed. If it is empty, all may. */
	customerIdPrefix: string;
	/** If set, only customer IDs of one of these forms may be closed. */
	customerIdForms?: ReadonlySet<string>;
	/** In milliseconds since 1970. Feeds of those created or changed after it stay open. */
	newAfter?: number;
	/** Emails and domains such as `@example.com`, in lower case. */
	neverClose: ReadonlySet<string>;
	reactivate: boolean;
	/** Whether a new customer ID replaces the old one while the feed is open. */
	replaceCustomerId: boolean;
}

export type AccessAction = 'closed' | 'created' | 'kept' | 'reopened' | 'unchanged' | 'updated';

/** The actions that change something in Supercast. */
export const CHANGES: readonly AccessAction[] = ['closed', 'created', 'reopened', 'updated'];

export const REASONS = {
	notListed: 'not on the list',
	branches: 'another branch of the workflow may bring more members',
	tooOld: 'the list is too old',
	waits: 'missing from the list',
	overLimit: 'beyond the limit for one run; closes with the next list',
	creationFailed: 'may be the same person as a member who could not be created',
	closingIsOff: 'Close is set to None',
	noCustomerId: 'no customer ID',
	noSubscriber: 'no such subscriber',
	noEmail: 'no email on the list, and no subscriber with the customer ID',
	otherPrefix: 'another customer ID prefix',
	otherForm: 'a customer ID that differs in form from those on the list',
	plan: 'has a plan at Supercast',
	planClosed: 'has a plan at Supercast, and the feed is closed',
	neverClose: 'in Never Close',
	isNew: 'newer than Grace Hours',
	reactivateIsOff: 'deactivated, and Reactivate is off',
	badItems: 'some input items are not valid members',
	incomplete: 'the list of subscribers kept changing while it was read',
	changedSince: 'changed since the list of subscribers was read',
	decidedSince: 'decided by another operation since the list came',
	goneSince: 'deleted since the list of subscribers was read',
	outdated: 'a later event about this person was processed first',
	severalEmails: 'conflict: one customer ID with several emails',
	severalSubscribers: 'conflict: several subscribers have the same customer ID or email',
	otherId: 'conflict: your list says {listedId}, Supercast says {customerId}',
	otherEmail:
		'conflict: {customerId} belongs to {listedEmail} on your list, but to {email} in Supercast',
	state: 'state: {state}',
} as const;

export type Reason = keyof typeof REASONS;

/** What to do for one person, and why. */
export interface AccessDecision extends Person {
	action: AccessAction;
	/** The fields to write, with Supercast's field names as keys. */
	write: IDataObject;
	reason?: Reason;
	/** Set with the reason "waits": from how many lists in a row, and from how many it must be. */
	absence?: { lists: number; closeAfter: number };
	/** Why it could not be carried out, or only in part. */
	error?: Error;
}

/** Whether an email or customer ID is ambiguous. */
export function isConflict({ reason }: AccessDecision): boolean {
	return reason !== undefined && REASONS[reason].startsWith('conflict');
}

/** A decision to change nothing. */
export function keep(person: Person, reason: Reason): AccessDecision {
	return { ...person, action: 'kept', write: {}, reason };
}

/** Decides about a person who should have access. */
export function decideOpen(person: Person, settings: RuleSettings): AccessDecision {
	const { member, subscriber, conflict } = person as Person & { member: Member };
	if (conflict !== undefined) return keep(person, conflict);
	if (subscriber === undefined) {
		const { email, customerIds, fields } = member;
		if (email === '') return keep(person, 'noEmail');
		const id = customerIds.length === 0 ? {} : { customer_id: customerIds[0] };
		return { ...person, action: 'created', write: { email, ...id, ...fields } };
	}
	const { state, hasPlan, customerId } = subscriber;
	if (state === 'available') {
		if (hasOtherId(member, subscriber) && !settings.replaceCustomerId) {
			// While the feed is open, two systems would keep replacing each other's customer ID.
			const isOurs = customerId.startsWith(settings.customerIdPrefix);
			return isOurs ? keep(person, 'otherId') : { ...person, action: 'unchanged', write: {} };
		}
		const write = changes(person, mayWriteId(subscriber, settings));
		return { ...person, action: isEmpty(write) ? 'unchanged' : 'updated', write };
	}
	if (state !== 'deactivated') return keep(person, 'state');
	if (hasPlan && !settings.closeWithPlan) return keep(person, 'planClosed');
	const write = changes(person, settings.reactivate);
	if (settings.reactivate) return { ...person, action: 'reopened', write };
	const action = isEmpty(write) ? 'kept' : 'updated';
	return { ...person, action, write, reason: 'reactivateIsOff' };
}

/** Decides about a person who should not have access. */
export function decideClosed(person: Person, settings: RuleSettings): AccessDecision {
	const { member, subscriber, others, conflict } = person;
	if (subscriber === undefined) return keep(person, 'noSubscriber');
	if (conflict !== undefined) return keep(person, conflict);
	if (others.length > 0) return keep(person, 'otherEmail');
	if (member !== undefined && hasOtherId(member, subscriber)) return keep(person, 'otherId');
	if (subscriber.state === 'deactivated') return { ...person, action: 'unchanged', write: {} };
	const reason = whyNotClosed(subscriber, settings);
	if (reason !== undefined) return keep(person, reason);
	return { ...person, action: 'closed', write: {}, reason: 'notListed' };
}

/** Why the feed of a subscriber may not be closed. Undefined if it may. */
export function whyNotClosed(subscriber: Known, settings: RuleSettings): Reason | undefined {
	const { state, customerId, hasPlan, fields } = subscriber;
	const { close, closeWithPlan, customerIdPrefix, customerIdForms, newAfter } = settings;
	// After a failed payment, Supercast itself can reopen the feed.
	if (state !== 'available' && state !== 'charge_failure') return 'state';
	if (close === 'none') return 'closingIsOff';
	if (close === 'withCustomerId' && customerId === '') return 'noCustomerId';
	if (!customerId.startsWith(customerIdPrefix)) return 'otherPrefix';
	const isForeign = customerId !== '' && customerIdForms?.has(formOf(customerId)) === false;
	if (isForeign) return 'otherForm';
	if (hasPlan && !closeWithPlan) return 'plan';
	const { neverClose } = settings;
	const email = nameKey(subscriber.email);
	const domain = email.slice(email.lastIndexOf('@'));
	if (neverClose.has(email) || neverClose.has(domain)) return 'neverClose';
	if (newAfter === undefined) return undefined;
	// An unknown age counts as new.
	const isOld = timeOf(fields.created_at) <= newAfter && !(timeOf(fields.updated_at) > newAfter);
	return isOld ? undefined : 'isNew';
}

/** What customer IDs of one system have in common: characters, or first letters. */
export function formOf(customerId: string): string {
	if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$|^[\da-f]{20,}$/i.test(customerId)) return 'hex';
	if (/^\d+$/.test(customerId)) return 'number';
	return /^[a-z]+[^a-z\d]/i.exec(customerId)?.[0].toLowerCase() ?? 'text';
}

/** Whether an open subscriber gets the customer ID on the list, or keeps what they have. */
function mayWriteId(
	{ customerId, hasPlan }: Known,
	{ addCustomerIds, replaceCustomerId }: RuleSettings,
): boolean {
	// An ID would make people closable who pay Supercast directly.
	if (customerId === '') return addCustomerIds && !hasPlan;
	return replaceCustomerId;
}

function hasOtherId({ customerIds }: Member, { customerId }: Known): boolean {
	return customerId !== '' && customerIds.length > 0 && !customerIds.includes(customerId);
}

/** `withId` says whether to replace the customer ID too. */
function changes({ member, subscriber, others }: Person, withId: boolean): IDataObject {
	const { email, customerIds, fields } = member!;
	const { customerId: known, email: knownEmail, fields: shown } = subscriber!;
	// A field that Supercast does not return cannot be compared, and would be written every time.
	const comparable = Object.entries(fields).filter(([key]) => key in shown);
	const write = differences(shown, Object.fromEntries(comparable));
	if (email !== '' && !isSameName(email, knownEmail)) write.email = email;
	const [customerId] = customerIds;
	if (withId && customerId !== undefined && !customerIds.includes(known) && others.length === 0) {
		write.customer_id = customerId;
	}
	return write;
}

export function isEmpty(write: IDataObject): boolean {
	return Object.keys(write).length === 0;
}

/** Each field that changes, and the state of the feeds, with what Supercast shows until then. */
export function changesOf({ action, write, subscriber }: AccessDecision): IDataObject {
	const shown: IDataObject = action === 'created' ? {} : (subscriber?.fields ?? {});
	const result: IDataObject = {};
	if (action === 'closed') result.state = { from: shown.state, to: 'deactivated' };
	if (action === 'reopened') result.state = { from: shown.state, to: 'available' };
	for (const [key, to] of Object.entries(write)) {
		result[key] = { from: shown[key] === '' ? null : (shown[key] ?? null), to };
	}
	return result;
}

/** The reason of a decision, in words. */
export function reasonText(decision: AccessDecision): string | undefined {
	const { absence, reason } = decision;
	if (absence !== undefined) return absenceText(absence);
	return reason && fill(REASONS[reason], decision);
}

function absenceText({ lists, closeAfter }: { lists: number; closeAfter: number }): string {
	const remaining = closeAfter - lists;
	const since = lists <= 1 ? 'missing for the first time' : `missing from ${lists} lists in a row`;
	const next = remaining === 1 ? 'with the next list' : `after ${remaining} more lists`;
	return `${since}; closes ${next}`;
}

/** Fills in what is known about the person. */
export function fill(text: string, { member, subscriber, others }: Person): string {
	const values: Record<string, string | undefined> = {
		...{ listedEmail: member?.email, listedId: member?.customerIds[0] },
		...{ email: subscriber?.email, customerId: subscriber?.customerId },
		...{ state: subscriber?.state || 'unknown', other: others[0]?.email },
	};
	return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
