/** Who gets access, and who loses it. Sync and Set Access both decide here. */

import type { IDataObject } from 'n8n-workflow';

import { memberAction } from '../subscriber/states';
import type { Person } from './people';
import { differences } from '../subscriber/requests';
import type { Reason } from './reasons';
import { newNames } from './newNames';
import { hasPrefix, type MemberRecord, type OtherFields } from './record';
import type { OpenSettings } from './settings';
import { isFullyClosed, type CurrentSubscriber } from './subscribers';

export type AccessAction = 'closed' | 'created' | 'kept' | 'reopened' | 'unchanged' | 'updated';

/** The actions that change something in Supercast. */
export const CHANGES: readonly AccessAction[] = ['closed', 'created', 'reopened', 'updated'];

/** How close a feed is to its closing. */
export interface Absence {
	/** How many lists in a row have nobody with this subscriber. */
	lists: number;
	/** How many it takes to close the feed. */
	closeAfter: number;
}

interface Decided {
	/** Whom the membership system means. Undefined if the subscriber is nobody's on the list. */
	person?: Person;
	/** The person's records that give no access. */
	ended?: readonly MemberRecord[];
	subscriber?: CurrentSubscriber;
	/** The fields to write, with Supercast's field names as keys. */
	write: IDataObject;
	reason?: Reason;
	/** Only with the reason "waits". */
	absence?: Absence;
	/** Why other fields are left out or changed. */
	leftOut?: readonly string[];
}

/** What to do for a person whom Supercast has. */
export type SubscriberDecision = Decided & {
	action: 'closed' | 'reopened' | 'unchanged' | 'updated';
	subscriber: CurrentSubscriber;
};

/** What to do for one person, and why. */
export type Decision =
	| SubscriberDecision
	| (Decided & { action: 'created'; person: Person })
	| (Decided & { action: 'kept'; reason: Reason });

/** Whom a decision is about. */
export type DecisionSubject = Pick<Decision, 'ended' | 'person' | 'subscriber'>;

/** A decision to change nothing. */
export function keep({ person, ended, subscriber }: DecisionSubject, reason: Reason): Decision {
	return { person, ended, subscriber, action: 'kept', write: {}, reason };
}

/** A decision about a subscriber for whom there is nothing to do. */
export function leave(
	subject: DecisionSubject & { subscriber: CurrentSubscriber },
	reason?: Reason,
): SubscriberDecision {
	const { person, ended, subscriber } = subject;
	return { person, ended, subscriber, action: 'unchanged', write: {}, reason };
}

/**
 * Decides about a person on the list. The first row that fits applies:
 *
 * | the person, and the subscriber in Supercast             | action               | why not     |
 * | ------------------------------------------------------- | -------------------- | ----------- |
 * | unclear who it is                                       | kept                 | a conflict  |
 * | keep, or unclear                                        | kept                 | keep        |
 * | none, and the email is unknown                          | kept                 | noEmail     |
 * | none                                                    | created              |             |
 * | with a plan, closeWithPlan off                          | kept                 | plan        |
 * | available, with the ID of another system                | unchanged            | otherSystem |
 * | available                                               | updated or unchanged |             |
 * | deactivated                                             | reopened             |             |
 * | anything else (`subscriber/states.ts`)                  | kept                 | state       |
 */
export function decideListed(
	person: Person,
	settings: OpenSettings,
	subscriber: CurrentSubscriber | undefined = person.subscribers[0],
): Decision {
	const { conflict, access, email } = person;
	const about = { person, subscriber };
	if (conflict !== undefined) return keep(about, conflict);
	if (access === 'keep') return keep(about, unclearIn(person).length > 0 ? 'unclear' : 'keep');
	if (subscriber === undefined) {
		return email === ''
			? keep(about, 'noEmail')
			: { person, action: 'created', write: newNames(person, undefined, settings) };
	}
	return decideKnown(person, subscriber, settings);
}

function decideKnown(
	person: Person,
	subscriber: CurrentSubscriber,
	settings: OpenSettings,
): Decision {
	const { hasPlan, state } = subscriber;
	if (hasPlan && !settings.closeWithPlan) return keep({ person, subscriber }, 'plan');
	switch (memberAction(state)) {
		case 'reopen':
			return reopen(person, subscriber, settings);
		case 'update':
			return decideAvailable(person, subscriber, settings);
		case 'skip':
			return keep({ person, subscriber }, 'state');
	}
}

/** What Set Access depends on when access ends. */
export interface EndSettings extends OpenSettings {
	/** Whether the item is pinned or from an earlier execution. */
	isOld: boolean;
}

/**
 * Decides about a person whose membership has ended, for Set Access. The first row that fits applies:
 *
 * | the subscriber in Supercast                             | action    | why not      |
 * | ------------------------------------------------------- | --------- | ------------ |
 * | unclear who it is                                       | kept      | a conflict   |
 * | none                                                    | kept      | noSubscriber |
 * | deactivated                                             | unchanged |              |
 * | neither open nor deactivated                            | kept      | state        |
 * | with a plan, closeWithPlan off                          | kept      | plan         |
 * | with another customer ID than the record                | kept      | otherId      |
 * | with the ID of another system                           | kept      | otherSystem  |
 * | any, and the item is old                                | kept      | oldItem      |
 * | any other                                               | closed    |              |
 */
export function decideEnded(
	person: Person,
	settings: EndSettings,
	subscriber: CurrentSubscriber | undefined = person.subscribers[0],
): Decision {
	const about = { person, subscriber };
	if (person.conflict !== undefined) return keep(about, person.conflict);
	if (subscriber === undefined) return keep(about, 'noSubscriber');
	const { isOpen, hasPlan } = subscriber;
	if (isFullyClosed(subscriber)) return leave({ person, subscriber });
	if (!isOpen) return keep(about, 'state');
	if (hasPlan && !settings.closeWithPlan) return keep(about, 'plan');
	const reason = whyNotTheirs(person, subscriber, settings);
	if (reason !== undefined) return keep(about, reason);
	return settings.isOld
		? keep(about, 'oldItem')
		: { person, subscriber, action: 'closed', write: {}, reason: 'ended' };
}

/** Why the end of this membership is not the end of the subscriber's. */
function whyNotTheirs(
	{ customerIds }: Person,
	{ customerId }: CurrentSubscriber,
	{ prefixes }: OpenSettings,
): Reason | undefined {
	if (customerId === '') return undefined;
	if (customerIds.length > 0) return customerIds.includes(customerId) ? undefined : 'otherId';
	return hasPrefix(customerId, prefixes) ? undefined : 'otherSystem';
}

/** The records of a person that are unclear. */
export function unclearIn({ records }: Person): MemberRecord[] {
	return records.filter(({ access }) => access === 'unclear');
}

function decideAvailable(
	person: Person,
	subscriber: CurrentSubscriber,
	settings: OpenSettings,
): Decision {
	const { customerId } = subscriber;
	const isOurs =
		hasPrefix(customerId, settings.prefixes) || person.customerIds.includes(customerId);
	// While the feed is open, two systems would keep replacing each other's customer ID.
	if (customerId !== '' && !isOurs) return leave({ person, subscriber }, 'otherSystem');
	const write = newNames(person, subscriber, settings);
	return { person, subscriber, action: isEmpty(write) ? 'unchanged' : 'updated', write };
}

function reopen(
	person: Person,
	subscriber: CurrentSubscriber,
	settings: OpenSettings,
): SubscriberDecision {
	const { fields, leftOut } = fieldsOf(person);
	const names = newNames(person, subscriber, settings);
	// A field that Supercast does not return cannot be compared.
	const write = { ...differences(subscriber.fields, fields), ...names };
	return { person, subscriber, action: 'reopened', write, leftOut };
}

/** The other fields of a person, such as names. If records differ, the last open one counts. */
export function fieldsOf({ records }: Person): OtherFields {
	const all = records.filter(({ access }) => access === 'open').map((one) => one.fields());
	return {
		fields: Object.assign({}, ...all.map(({ fields }) => fields)) as IDataObject,
		leftOut: [...new Set(all.flatMap(({ leftOut }) => leftOut))],
	};
}

export function isEmpty(write: IDataObject): boolean {
	return Object.keys(write).length === 0;
}

/** Whether a feed goes to another email. */
export function movesEmail({ action, write, subscriber }: Decision): boolean {
	return action !== 'created' && 'email' in write && (subscriber?.email ?? '') !== '';
}

/** Whether a feed opens. */
export function opensFeed({ action }: Pick<Decision, 'action'>): boolean {
	return action === 'created' || action === 'reopened';
}

/** Each field that changes, and the state of the feeds, with the values before and after. */
export function changesOf({ action, write, subscriber }: Decision): IDataObject {
	const shown = action === 'created' ? {} : (subscriber?.fields ?? {});
	const result: IDataObject = {};
	if (action === 'closed') result.state = { from: shown.state, to: 'deactivated' };
	if (action === 'reopened') result.state = { from: shown.state, to: 'available' };
	for (const [key, to] of Object.entries(write)) {
		result[key] = { from: shown[key] === '' ? null : (shown[key] ?? null), to };
	}
	return result;
}
