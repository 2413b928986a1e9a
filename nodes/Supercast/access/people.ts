/** Who is who: which rows of a membership system and which subscribers are about the same person. */

import type { IDataObject } from 'n8n-workflow';

import { nameKey } from '../api/identity';
import { isRecord, textOf } from '../api/json';

/** A person as the membership system reports them. */
export interface Member {
	/** Numbers of the input items about this person. */
	items: number[];
	/** Empty if the membership system does not tell it. */
	email: string;
	/** In the order of the list. Several if a person pays twice. */
	customerIds: string[];
	/** Other fields to set, with Supercast's field names as keys. */
	fields: IDataObject;
}

/** What the rules need to know of a subscriber. A text that Supercast does not return is empty. */
export interface Known {
	uuid: string;
	email: string;
	customerId: string;
	state: string;
	/** Whether Supercast bills the subscriber for a plan. */
	hasPlan: boolean;
	createdAt: string;
	updatedAt: string;
	/** The whole record, or the fields that the list sets. */
	fields: IDataObject;
}

/** One person: what the membership system reports, and the records in Supercast. */
export interface Person {
	/** Undefined if the membership system does not report the person. */
	member?: Member;
	/** The record that stands for the person. Undefined if there is none. */
	subscriber?: Known;
	/** Further records with the person's email or customer ID. */
	others: Known[];
	/** Why it is unclear who this person is. If set, nothing changes for them. */
	conflict?: 'severalEmails' | 'severalSubscribers';
}

/** A person on the list. */
interface Listed {
	member: Member;
	/** Subscribers with the person's email. */
	named: Known[];
	/** Subscribers with a customer ID of the person, whose email is not on the list. */
	others: Known[];
}

/**
 * Finds out who is who. The email decides: rows with one email are one person, and the subscriber
 * with this email is that person, whatever its customer ID. Only a subscriber whose email is not on
 * the list is recognized by customer ID.
 *
 * @param rows What the membership system reports. Each row has an email or a customer ID.
 * @returns Everyone on the list, in its order, and then the other subscribers.
 */
export function identify(rows: readonly Member[], subscribers: readonly Known[]): Person[] {
	const { byEmail, byId, listed } = peopleOf(rows);
	const twice = duplicates(subscribers);
	const others: Person[] = [];
	for (const subscriber of subscribers) {
		const owner = byEmail.get(nameKey(subscriber.email));
		const [first] = byId.get(subscriber.customerId) ?? [];
		if (owner !== undefined) owner.named.push(subscriber);
		else if (first !== undefined) first.others.push(subscriber);
		else {
			const conflict = twice.has(subscriber) ? 'severalSubscribers' : undefined;
			others.push({ subscriber, others: [], conflict });
		}
	}
	const people = listed.map(({ member, named, others: more }): Person => {
		const [subscriber, ...further] = [...named, ...more];
		const isShared = member.customerIds.some((id) => byId.get(id)!.size > 1);
		const isUnclear = named.length > 1 || (named.length === 0 && more.length > 1);
		const conflict = isUnclear ? 'severalSubscribers' : undefined;
		return { member, subscriber, others: further, conflict: isShared ? 'severalEmails' : conflict };
	});
	return [...people, ...others];
}

/** Merges the rows of each person. If a field has different values, the last value counts. */
function peopleOf(rows: readonly Member[]) {
	const byEmail = new Map<string, Listed>();
	const byId = new Map<string, Set<Listed>>();
	const listed: Listed[] = [];
	// A row without an email belongs to the person whose email another row has with the same ID.
	const isNameless = ({ email }: Member): number => (email === '' ? 1 : 0);
	for (const row of [...rows].sort((one, other) => isNameless(one) - isNameless(other))) {
		const key = nameKey(row.email);
		const [owner] = byId.get(row.customerIds[0] ?? '') ?? [];
		let person = key === '' ? owner : byEmail.get(key);
		if (person === undefined) {
			person = { member: { ...row, items: [], customerIds: [] }, named: [], others: [] };
			listed.push(person);
		}
		if (key !== '') byEmail.set(key, person);
		const { member } = person;
		member.items.push(...row.items);
		member.fields = { ...member.fields, ...row.fields };
		for (const id of row.customerIds) {
			if (!member.customerIds.includes(id)) member.customerIds.push(id);
			byId.set(id, (byId.get(id) ?? new Set()).add(person));
		}
	}
	return { byEmail, byId, listed };
}

/** The subscribers whose email or customer ID another subscriber has too. */
function duplicates(subscribers: readonly Known[]): Set<Known> {
	const holders = new Map<string, Known>();
	const twice = new Set<Known>();
	for (const one of subscribers) {
		for (const key of [`email ${nameKey(one.email)}`, `id ${one.customerId}`]) {
			const other = holders.get(key);
			if (key.endsWith(' ')) continue;
			if (other !== undefined) twice.add(one).add(other);
			holders.set(key, one);
		}
	}
	return twice;
}

/**
 * Reads what the rules need to know of a record (Supercast API reference, the subscriber object).
 *
 * @param fieldNames The fields to keep. By default, all.
 */
export function knownSubscriber(
	record: IDataObject,
	fieldNames: readonly string[] = Object.keys(record),
): Known {
	const subscriptions = [record.subscriptions as unknown].flat().filter(isRecord);
	const shown = fieldNames.filter((name) => Object.hasOwn(record, name));
	return {
		uuid: textOf(record.uuid),
		email: textOf(record.email).trim(),
		customerId: textOf(record.customer_id).trim().normalize('NFC'),
		state: textOf(record.state),
		hasPlan: [record, ...subscriptions].some(
			({ plan_id: id, plan_name: name }) => textOf(id) !== '' || textOf(name) !== '',
		),
		createdAt: textOf(record.created_at),
		updatedAt: textOf(record.updated_at),
		fields: Object.fromEntries(shown.map((name) => [name, record[name]])),
	};
}
