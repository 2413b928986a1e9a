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
			const conflict = twice(subscriber) ? 'severalSubscribers' : undefined;
			others.push({ subscriber, others: [], conflict });
		}
	}
	const isShared = ({ member }: Listed): boolean =>
		member.customerIds.some((id) => (byId.get(id)?.size ?? 0) > 1);
	return [...listed.map((one) => personOf(one, isShared(one))), ...others];
}

interface Listed {
	member: Member;
	/** Subscribers with the person's email. */
	named: Known[];
	/** Subscribers with a customer ID of the person, whose email is not on the list. */
	others: Known[];
}

function personOf({ member, named, others }: Listed, isShared: boolean): Person {
	const [subscriber, ...more] = named.length > 0 ? [...named, ...others] : others;
	const isUnclear = named.length > 1 || (named.length === 0 && others.length > 1);
	const conflict = isUnclear ? 'severalSubscribers' : undefined;
	return { member, subscriber, others: more, conflict: isShared ? 'severalEmails' : conflict };
}

/** Merges the rows of each person. If a field has different values, the last value counts. */
function peopleOf(rows: readonly Member[]) {
	const byEmail = new Map<string, Listed>();
	const byId = new Map<string, Set<Listed>>();
	const listed: Listed[] = [];
	const add = (row: Member, known: Listed | undefined): Listed => {
		const one = known ?? { member: { ...row, items: [], customerIds: [] }, named: [], others: [] };
		if (known === undefined) listed.push(one);
		one.member.items.push(...row.items);
		one.member.fields = { ...one.member.fields, ...row.fields };
		for (const id of row.customerIds) {
			if (!one.member.customerIds.includes(id)) one.member.customerIds.push(id);
			byId.set(id, (byId.get(id) ?? new Set()).add(one));
		}
		return one;
	};
	for (const row of rows) {
		const key = nameKey(row.email);
		if (key !== '') byEmail.set(key, add(row, byEmail.get(key)));
	}
	for (const row of rows) {
		const [owner] = byId.get(row.customerIds[0] ?? '') ?? [];
		if (row.email === '') add(row, owner);
	}
	return { byEmail, byId, listed };
}

/** Returns a test for subscribers whose email or customer ID another subscriber has too. */
function duplicates(subscribers: readonly Known[]): (subscriber: Known) => boolean {
	const counts = new Map<string, number>();
	const keysOf = ({ email, customerId }: Known): string[] =>
		[`email ${nameKey(email)}`, `id ${customerId}`].filter((key) => !key.endsWith(' '));
	for (const key of subscribers.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
	return (subscriber) => keysOf(subscriber).some((key) => counts.get(key)! > 1);
}

/**
 * Reads what the rules need to know of a record (Supercast API reference, the subscriber object).
 *
 * @param fieldNames The fields to keep. By default, all.
 */
export function knownSubscriber(record: IDataObject, fieldNames?: ReadonlySet<string>): Known {
	const kept = Object.entries(record).filter(([key]) => fieldNames?.has(key) !== false);
	return {
		uuid: textOf(record.uuid),
		email: textOf(record.email).trim(),
		customerId: textOf(record.customer_id).trim().normalize('NFC'),
		state: textOf(record.state),
		hasPlan: hasPlan(record),
		createdAt: textOf(record.created_at),
		updatedAt: textOf(record.updated_at),
		fields: Object.fromEntries(kept),
	};
}

/** Whether a subscriber, or one of their subscriptions, has a plan. */
function hasPlan(record: IDataObject): boolean {
	const subscriptions: unknown[] = Array.isArray(record.subscriptions) ? record.subscriptions : [];
	return [record, ...subscriptions.filter(isRecord)].some(
		(holder) => textOf(holder.plan_id) !== '' || textOf(holder.plan_name) !== '',
	);
}
