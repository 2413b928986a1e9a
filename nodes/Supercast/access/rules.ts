/** Who gets access, and who loses it. Sync and Set Access both decide here. */

import type { IDataObject } from 'n8n-workflow';

import { differences } from '../subscriber/requests';
import { OBSTACLES, type Obstacle, type Reason } from './reasons';
import {
	NOBODY,
	NO_SUBSCRIBER,
	isFullyClosed,
	type CurrentSubscriber,
	type DesiredMember,
	type Person,
} from './match';
import { hasPrefix, type RuleSettings } from './settings';
import { memberAction } from '../subscriber/states';

/** What an event wants for a person. */
export type WantedAccess = 'close' | 'open';

export type AccessAction = 'closed' | 'created' | 'kept' | 'reopened' | 'unchanged' | 'updated';

/** The actions that change something in Supercast. */
export const CHANGES: readonly AccessAction[] = ['closed', 'created', 'reopened', 'updated'];

/** How close a feed is to its closing. */
export interface Absence {
	/** How many lists in a row the person has been missing from. */
	lists: number;
	/** How many it takes to close their feeds. */
	closeAfter: number;
}

interface Decided extends Person {
	/** The fields to write, with Supercast's field names as keys. */
	write: IDataObject;
	/** Fields that were written, and that Supercast shows differently. They are not written again. */
	notTaken?: IDataObject;
	reason?: Reason;
	/** Only with the reason "waits". */
	absence?: Absence;
	/** Why it could not be applied, or was applied only in part. */
	error?: Error;
}

/** What to do for a person whom Supercast has. */
export type SubscriberDecision = Decided & {
	action: 'closed' | 'reopened' | 'unchanged' | 'updated';
	subscriber: CurrentSubscriber;
};

/** What to do for one person, and why. */
export type AccessDecision =
	| SubscriberDecision
	| (Decided & { action: 'created' })
	| (Decided & { action: 'kept'; reason: Reason });

/** Whether a member has no subscriber, because the email is unknown or another subscriber has it. */
export function isUnmatched({ reason, subscriber, member = NOBODY }: AccessDecision): boolean {
	if (subscriber !== undefined) return false;
	const isLeft = (reason === 'keep' || reason === 'unclear') && member.email === '';
	return isLeft || reason === 'noEmail' || reason === 'emailTaken';
}

/** Whether a subscriber may be a member on the list who got no subscriber, if there is such a member. */
export function mayBeUnmatched({ customerId }: CurrentSubscriber, hasUnmatched: boolean): boolean {
	return hasUnmatched && customerId === '';
}

/** A decision to change nothing. */
export function keep(person: Person, reason: Reason): AccessDecision {
	return { ...person, action: 'kept', write: {}, reason };
}

/** Decides about a person with a record that has not ended. */
export function decideListed(person: Person, settings: RuleSettings): AccessDecision {
	const { access } = person.member ?? NOBODY;
	return access === 'keep' || access === 'unclear'
		? keep(person, access)
		: decideOpen(person, settings);
}

/**
 * Decides about a person who should have access. The table of states says in which states the feed
 * may be opened (`member`). The first row that fits applies:
 *
 * | subscriber in Supercast                      | action               | why not              |
 * | -------------------------------------------- | -------------------- | -------------------- |
 * | unclear who it is                            | kept                 | the conflict         |
 * | none, and the email is unknown               | kept                 | noEmail              |
 * | none                                         | created              |                      |
 * | available, with another customer ID of ours  | kept                 | otherId              |
 * | available, with that of another system       | unchanged            |                      |
 * | available                                    | updated or unchanged |                      |
 * | suspended, pending, charge_failure, unknown  | kept                 | state                |
 * | deactivated, has a plan, closeWithPlan off   | kept                 | planClosed           |
 * | deactivated, and Reactivate is off           | updated or kept      | reactivateIsOff      |
 * | deactivated                                  | reopened             |                      |
 */
export function decideOpen(person: Person, settings: RuleSettings): AccessDecision {
	const { subscriber, conflict } = person;
	if (conflict !== undefined) return keep(person, conflict);
	if (subscriber === undefined) return decideNew(person);
	const known = { ...person, subscriber };
	const { state, hasPlan } = subscriber;
	const wanted = memberAction(state);
	if (wanted === 'update') return decideAvailable(known, settings);
	if (wanted !== 'reopen') return keep(person, 'state');
	if (hasPlan && !settings.closeWithPlan) return keep(person, 'planClosed');
	const fields = withoutNotTaken(known, changes(known, settings.reactivate), settings);
	if (settings.reactivate) return { ...known, action: 'reopened', ...fields };
	const action = isEmpty(fields.write) ? 'kept' : 'updated';
	return { ...known, action, ...fields, reason: 'reactivateIsOff' };
}

function decideNew(person: Person): AccessDecision {
	const { email, customerIds, fields } = person.member ?? NOBODY;
	if (email === '') return keep(person, 'noEmail');
	const id = customerIds.length === 0 ? {} : { customer_id: customerIds[0] };
	return { ...person, action: 'created', write: { email, ...id, ...fields } };
}

/** A person whom Supercast has. */
type PersonWithSubscriber = Person & { subscriber: CurrentSubscriber };

function decideAvailable(person: PersonWithSubscriber, settings: RuleSettings): AccessDecision {
	const { member = NOBODY, subscriber } = person;
	if (hasOtherId(member, subscriber) && !settings.replaceCustomerId) {
		// While the feed is open, two systems would keep replacing each other's customer ID.
		const isOurs = hasPrefix(subscriber.customerId, settings.customerIdPrefix);
		return isOurs ? keep(person, 'otherId') : { ...person, action: 'unchanged', write: {} };
	}
	const wanted = changes(person, mayWriteId(subscriber, settings));
	const fields = withoutNotTaken(person, wanted, settings);
	if (!isEmpty(fields.write)) return { ...person, action: 'updated', ...fields };
	const reason = isEmpty(fields.notTaken) ? undefined : 'notTaken';
	return { ...person, action: 'unchanged', ...fields, reason };
}

/** Separates the fields to write from those that Supercast does not take over. */
function withoutNotTaken(
	{ subscriber }: PersonWithSubscriber,
	wanted: IDataObject,
	{ wasWritten }: RuleSettings,
): { write: IDataObject; notTaken: IDataObject } {
	const isNotTaken = ([field, value]: [string, unknown]): boolean =>
		wasWritten?.(subscriber, field, value) === true;
	const fields = Object.entries(wanted);
	return {
		write: Object.fromEntries(fields.filter((one) => !isNotTaken(one))),
		notTaken: Object.fromEntries(fields.filter(isNotTaken)),
	};
}

/** Decides about a person who should not have access. */
export function decideClosed(person: Person, settings: RuleSettings): AccessDecision {
	const { member, ended, subscriber, others, conflict } = person;
	if (subscriber === undefined) return keep(person, 'noSubscriber');
	if (conflict !== undefined) return keep(person, conflict);
	if (others.length > 0) return keep(person, 'otherEmail');
	if (member !== undefined && hasOtherId(member, subscriber)) return keep(person, 'otherId');
	const known = { ...person, subscriber };
	if (isFullyClosed(subscriber)) return { ...known, action: 'unchanged', write: {} };
	const reason = whyNotClosed(subscriber, settings);
	if (reason !== undefined) return keep(person, reason);
	const closed = { ...known, action: 'closed' as const, write: {} };
	return { ...closed, reason: ended === undefined ? 'notListed' : 'ended' };
}

const ORDERED = Object.entries(OBSTACLES) as Array<[Obstacle, (typeof OBSTACLES)[Obstacle]]>;

/** Why the feed of a subscriber may not be closed. Undefined if it may. */
export function whyNotClosed(
	subscriber: CurrentSubscriber,
	settings: RuleSettings,
): Obstacle | undefined {
	return ORDERED.find(([, { applies }]) => applies(subscriber, settings))?.[0];
}

/** Whether a subscriber with open feeds gets the customer ID on the list. */
function mayWriteId(
	{ customerId, hasPlan }: CurrentSubscriber,
	{ addCustomerIds, replaceCustomerId }: RuleSettings,
): boolean {
	// With an ID, Sync could close the feeds of people who pay Supercast directly.
	if (customerId === '') return addCustomerIds && !hasPlan;
	return replaceCustomerId;
}

function hasOtherId(
	{ customerIds, otherIds }: DesiredMember,
	{ customerId }: CurrentSubscriber,
): boolean {
	if (customerId === '' || customerIds.length === 0) return false;
	return !customerIds.includes(customerId) && !otherIds.has(customerId);
}

/** `withId` says whether to replace the customer ID too. */
function changes(
	{ member = NOBODY, subscriber, others, isEmailTaken }: PersonWithSubscriber,
	withId: boolean,
): IDataObject {
	const { email, customerIds, fields } = member;
	const { customerId: currentId, fields: shown } = subscriber;
	// A field that Supercast does not return cannot be compared, and would be written every time.
	const comparable = Object.entries(fields).filter(([key]) => key in shown);
	const write = differences(shown, Object.fromEntries(comparable));
	const getsEmail = email !== '' && isEmailTaken !== true;
	if (getsEmail && member.emailKey !== subscriber.emailKey) write.email = email;
	const [customerId] = customerIds;
	if (
		withId &&
		customerId !== undefined &&
		!customerIds.includes(currentId) &&
		others.length === 0
	) {
		write.customer_id = customerId;
	}
	return write;
}

export function isEmpty(write: IDataObject): boolean {
	return Object.keys(write).length === 0;
}

/** Each field that changes, and the state of the feeds, with the values before and after. */
export function changesOf({ action, write, subscriber }: AccessDecision): IDataObject {
	const { fields: shown } = action === 'created' ? NO_SUBSCRIBER : (subscriber ?? NO_SUBSCRIBER);
	const result: IDataObject = {};
	if (action === 'closed') result.state = { from: shown.state, to: 'deactivated' };
	if (action === 'reopened') result.state = { from: shown.state, to: 'available' };
	for (const [key, to] of Object.entries(write)) {
		result[key] = { from: shown[key] === '' ? null : (shown[key] ?? null), to };
	}
	return result;
}
