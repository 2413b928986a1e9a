import type { IDataObject } from 'n8n-workflow';

import { nameKey, type PersonNames } from '../api/identity';
import { asRecord, textOf, timeOf } from '../api/json';
import { hasOpenSubscription, shownState } from '../api/states';
import { groupBy } from '../subscriber/customerId';

export interface DesiredMember {
	/** The indexes of the person's input items. */
	items: number[];
	/** Empty if the membership system does not report it. */
	email: string;
	/** The email in the form in which emails are compared (`nameKey`). */
	emailKey: string;
	/** In the order of the list. Several if a person pays twice. */
	customerIds: string[];
	/** Other fields to set, with Supercast's field names as keys. */
	fields: IDataObject;
}

/** A person about whom the membership system says nothing. */
export const NOBODY: DesiredMember = {
	items: [],
	email: '',
	emailKey: '',
	customerIds: [],
	fields: {},
};

/** What the rules need to know. A text that Supercast does not return is empty. */
export interface CurrentSubscriber {
	uuid: string;
	email: string;
	/** The email in the form in which emails are compared. */
	emailKey: string;
	customerId: string;
	state: string;
	/** Whether the record or one of its subscriptions is available. */
	isOpen: boolean;
	/** Whether Supercast bills the subscriber for a plan. */
	hasPlan: boolean;
	/** As Supercast returns it. */
	updatedAt: string;
	/** In milliseconds since 1970. NaN if Supercast does not return it. */
	createdTime: number;
	updatedTime: number;
	/** The whole record. */
	fields: IDataObject;
}

export interface Person {
	/** Undefined if the membership system does not report the person. */
	member?: DesiredMember;
	subscriber?: CurrentSubscriber;
	/** Other records with the person's email or customer ID. */
	others: CurrentSubscriber[];
	/** Why it is unclear who this person is. If set, nothing changes for them. */
	conflict?: 'severalEmails' | 'severalSubscribers';
	/** Whether another subscriber keeps the listed email, so that Supercast would refuse it. */
	isEmailTaken?: boolean;
}

/** A person on the list. */
type ListedPerson = Person & { member: DesiredMember };

/**
 * Finds out who is who. Rows with the same email are one person. A subscriber whose customer ID is
 * on the list is the person with that ID, because emails change hands. Other subscribers are
 * recognized by email.
 * @param rows Each has an email or a customer ID.
 * @returns Everyone on the list, in its order, and then the other subscribers.
 */
export function match(
	rows: readonly DesiredMember[],
	subscribers: readonly CurrentSubscriber[],
): Person[] {
	const listed = listedByName(rows);
	const personOf = ({ customerId, emailKey }: CurrentSubscriber): ListedPerson | undefined =>
		listed.get(`id ${customerId}`) ?? listed.get(`email ${emailKey}`);
	const isAmbiguous = ambiguity(subscribers, personOf);
	const unlisted: Person[] = [];
	subscribers.forEach((subscriber) => {
		const person = personOf(subscriber);
		if (person !== undefined) {
			person.others.push(subscriber);
			return;
		}
		const conflict = isAmbiguous(subscriber) ? 'severalSubscribers' : undefined;
		unlisted.push({ subscriber, others: [], conflict });
	});
	const people = [...new Set(listed.values())];
	people.forEach(chooseSubscriber);
	return [...people, ...unlisted];
}

/**
 * Returns a function that checks whether another subscriber has the same email or customer ID.
 * Deactivated subscribers, whose feeds are closed, count only if the list may reopen them with this
 * ID.
 */
function ambiguity(
	subscribers: readonly CurrentSubscriber[],
	personOf: (subscriber: CurrentSubscriber) => ListedPerson | undefined,
): (subscriber: CurrentSubscriber) => boolean {
	const mayKeepId = (one: CurrentSubscriber): boolean =>
		personOf(one)?.member.customerIds.length === 0;
	const counts = (one: CurrentSubscriber): boolean => one.state !== 'deactivated' || mayKeepId(one);
	const open = subscribers.filter(counts);
	const byEmail = groupBy(open, ({ emailKey }) => emailKey);
	const byId = groupBy(open, ({ customerId }) => customerId);
	return ({ emailKey, customerId }) =>
		[byEmail.get(emailKey), byId.get(customerId)].some((found = []) => found.length > 1);
}

/** Of several records, chooses the one that has the person's email on the list. */
function chooseSubscriber(person: ListedPerson): void {
	const { others } = person;
	if (others.length < 2) {
		person.subscriber = others.pop();
		return;
	}
	const { emailKey } = person.member;
	const named = others.filter((one) => emailKey !== '' && one.emailKey === emailKey);
	if (named.length !== 1) person.conflict ??= 'severalSubscribers';
	[person.subscriber, ...person.others] = new Set([...named, ...others]);
}

/** The people on the list, by each of their names. */
function listedByName(rows: readonly DesiredMember[]): Map<string, ListedPerson> {
	const byName = new Map<string, ListedPerson>();
	// Rows without an email come last, because an earlier row may have the same customer ID.
	const isNameless = ({ email }: DesiredMember): boolean => email === '';
	const ordered = [...rows.filter((row) => !isNameless(row)), ...rows.filter(isNameless)];
	ordered.forEach((row) => addRow(byName, row));
	return byName;
}

/** If a field has different values, the last one counts. */
function addRow(byName: Map<string, ListedPerson>, row: DesiredMember): void {
	const names = row.customerIds.map((id) => `id ${id}`);
	if (row.email !== '') names.unshift(`email ${row.emailKey}`);
	const [known] = names.map((name) => byName.get(name));
	const person = known ?? { member: { ...row, items: [], customerIds: [] }, others: [] };
	const { member } = person;
	member.items.push(...row.items);
	member.fields = { ...member.fields, ...row.fields };
	member.customerIds = [...new Set([...member.customerIds, ...row.customerIds])];
	for (const name of names) {
		const holder = byName.get(name) ?? person;
		byName.set(name, holder);
		if (holder !== person) holder.conflict = person.conflict = 'severalEmails';
	}
}

/** What the rules know about someone whom Supercast does not have. */
export const NO_SUBSCRIBER = currentSubscriber({});

/** The names by which others may know a subscriber. */
export function namesOfSubscriber({ uuid, email, customerId }: CurrentSubscriber): PersonNames {
	return { uuid, email, customerIds: [customerId] };
}

/** Reads what the rules need to know (Supercast API reference, the subscriber object). */
export function currentSubscriber(record: IDataObject): CurrentSubscriber {
	const billed = [record, record.subscriptions as unknown].flat().map(asRecord);
	const email = textOf(record.email).trim();
	return {
		uuid: textOf(record.uuid),
		email,
		emailKey: nameKey(email),
		customerId: textOf(record.customer_id).trim().normalize('NFC'),
		state: shownState(record.state),
		isOpen: shownState(record.state) === 'available' || hasOpenSubscription(record),
		hasPlan: billed.some((one) => `${textOf(one.plan_id)}${textOf(one.plan_name)}` !== ''),
		updatedAt: textOf(record.updated_at),
		createdTime: timeOf(record.created_at),
		updatedTime: timeOf(record.updated_at),
		fields: record,
	};
}

/** A record that was read alone, with the fields that only the list shows. */
export function completed(
	{ fields }: CurrentSubscriber,
	listed: CurrentSubscriber = NO_SUBSCRIBER,
): CurrentSubscriber {
	return currentSubscriber({ ...listed.fields, ...fields });
}

/** Whether two records may show the same time of the last change, in whichever form. */
export function isSameMoment(one: CurrentSubscriber, other: CurrentSubscriber): boolean {
	if (one.updatedAt === other.updatedAt) return true;
	const apart = Math.abs(one.updatedTime - other.updatedTime);
	if (!Number.isNaN(apart)) return apart < 1_000;
	// One of them is unknown, or in a form that cannot be read.
	return !(Number.isNaN(one.updatedTime) && Number.isNaN(other.updatedTime));
}
