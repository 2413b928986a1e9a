import type { IDataObject } from 'n8n-workflow';

import { isSameName, nameKey } from '../api/identity';
import { asRecord, textOf } from '../api/json';
import { groupBy } from '../subscriber/customerId';

export interface Member {
	/** Numbers of the input items. */
	items: number[];
	/** Empty if the membership system does not report it. */
	email: string;
	/** In the order of the list. Several if a person pays twice. */
	customerIds: string[];
	/** Other fields to set, with Supercast's field names as keys. */
	fields: IDataObject;
}

/** A person about whom the membership system says nothing. */
export const NOBODY: Member = { items: [], email: '', customerIds: [], fields: {} };

/** What the rules need to know. A text that Supercast does not return is empty. */
export interface Known {
	uuid: string;
	email: string;
	customerId: string;
	state: string;
	/** Whether Supercast bills the subscriber for a plan. */
	hasPlan: boolean;
	updatedAt: string;
	/** The whole record. */
	fields: IDataObject;
}

export interface Person {
	/** Undefined if the membership system does not report the person. */
	member?: Member;
	subscriber?: Known;
	/** Other records with the person's email or customer ID. */
	others: Known[];
	/** Why it is unclear who this person is. If set, nothing changes for them. */
	conflict?: 'severalEmails' | 'severalSubscribers';
}

/**
 * Finds out who is who. Rows with the same email are one person. The subscriber with a customer ID is
 * the person with this ID on the list, because emails change hands. A subscriber whose ID is not on
 * the list is recognized by email.
 * @param rows Each has an email or a customer ID.
 * @returns Everyone on the list, in its order, and then the other subscribers.
 */
export function identify(rows: readonly Member[], subscribers: readonly Known[]): Person[] {
	const listed = listedByName(rows);
	const isAmbiguous = ambiguity(subscribers);
	const unlisted: Person[] = [];
	for (const subscriber of subscribers) {
		const { customerId, email } = subscriber;
		const person = listed.get(`id ${customerId}`) ?? listed.get(`email ${nameKey(email)}`);
		const conflict = isAmbiguous(subscriber) ? 'severalSubscribers' : undefined;
		if (person === undefined) unlisted.push({ subscriber, others: [], conflict });
		else person.others.push(subscriber);
	}
	const people = new Set(listed.values());
	for (const person of people) chooseSubscriber(person);
	return [...people, ...unlisted];
}

/**
 * Returns whether another subscriber has the same email or customer ID. A deactivated one does not
 * count, because nothing remains to be closed there.
 */
function ambiguity(subscribers: readonly Known[]): (subscriber: Known) => boolean {
	const open = subscribers.filter(({ state }) => state !== 'deactivated');
	const byEmail = groupBy(open, ({ email }) => nameKey(email));
	const byId = groupBy(open, ({ customerId }) => customerId);
	const hasSeveral = (found: Known[] = []): boolean => found.length > 1;
	return ({ email, customerId }) =>
		hasSeveral(byEmail.get(nameKey(email))) || hasSeveral(byId.get(customerId));
}

/** Of a person's records, the one with the email on the list is theirs. */
function chooseSubscriber(person: Person): void {
	const { email } = person.member ?? NOBODY;
	const named = person.others.filter((one) => isSameName(one.email, email));
	const isUnclear = person.others.length > 1 && named.length !== 1;
	if (isUnclear) person.conflict ??= 'severalSubscribers';
	[person.subscriber, ...person.others] = new Set([...named, ...person.others]);
}

/** If a field has different values, the last one counts. */
function listedByName(rows: readonly Member[]): Map<string, Person> {
	const byName = new Map<string, Person>();
	// A row without an email belongs to the person whose email another row has with the same ID.
	const isNameless = ({ email }: Member): number => (email === '' ? 1 : 0);
	for (const row of [...rows].sort((one, other) => isNameless(one) - isNameless(other))) {
		const names = row.customerIds.map((id) => `id ${id}`);
		if (row.email !== '') names.unshift(`email ${nameKey(row.email)}`);
		const [first = ''] = names;
		const person: Person = byName.get(first) ?? { others: [] };
		const member = (person.member ??= { ...row, items: [], customerIds: [] });
		member.items.push(...row.items);
		member.fields = { ...member.fields, ...row.fields };
		member.customerIds = [...new Set([...member.customerIds, ...row.customerIds])];
		for (const name of names) {
			const holder = byName.get(name) ?? person;
			byName.set(name, holder);
			if (holder !== person) holder.conflict = person.conflict = 'severalEmails';
		}
	}
	return byName;
}

/** Reads what the rules need to know (Supercast API reference, the subscriber object). */
export function knownSubscriber(record: IDataObject): Known {
	const billed = [record, record.subscriptions as unknown].flat().map(asRecord);
	return {
		uuid: textOf(record.uuid),
		email: textOf(record.email).trim(),
		customerId: textOf(record.customer_id).trim().normalize('NFC'),
		state: textOf(record.state),
		hasPlan: billed.some((one) => `${textOf(one.plan_id)}${textOf(one.plan_name)}` !== ''),
		updatedAt: textOf(record.updated_at),
		fields: record,
	};
}
