import type { IDataObject } from 'n8n-workflow';

import { isSameName, nameKey } from '../api/identity';
import { isRecord, textOf } from '../api/json';
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

/** What the rules need to know. A text that Supercast does not return is empty. */
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
 * Finds out who is who. Rows with the same email are one person, and so is the subscriber with this
 * email. A subscriber whose email is not on the list is recognized by customer ID.
 * @param rows Each has an email or a customer ID.
 * @returns Everyone on the list, in its order, and then the other subscribers.
 */
export function identify(rows: readonly Member[], subscribers: readonly Known[]): Person[] {
	const byName = membersByName(rows);
	const members = [...new Set(byName.values())];
	const ids = members.flatMap(({ customerIds }) => customerIds);
	const holders = groupBy(ids, (id) => id);
	const byEmail = groupBy(subscribers, ({ email }) => nameKey(email));
	const byId = groupBy(subscribers, ({ customerId }) => customerId);
	const memberOf = ({ email, customerId }: Known): Member | undefined =>
		byName.get(`email ${nameKey(email)}`) ?? byName.get(`id ${customerId}`);
	const byMember = groupBy(subscribers, memberOf);
	const people = members.map((member): Person => {
		const all = byMember.get(member) ?? [];
		const named = all.filter(({ email }) => isSameName(email, member.email));
		const [subscriber, ...others] = [...named, ...all.filter((one) => !named.includes(one))];
		const isShared = member.customerIds.some((id) => holders.get(id)!.length > 1);
		const isUnclear = named.length > 1 || (named.length === 0 && all.length > 1);
		const conflict = isUnclear ? 'severalSubscribers' : undefined;
		return { member, subscriber, others, conflict: isShared ? 'severalEmails' : conflict };
	});
	for (const subscriber of subscribers) {
		if (memberOf(subscriber) !== undefined) continue;
		const same = [byEmail.get(nameKey(subscriber.email)), byId.get(subscriber.customerId)];
		const isTwice = same.some((found) => found !== undefined && found.length > 1);
		people.push({ subscriber, others: [], conflict: isTwice ? 'severalSubscribers' : undefined });
	}
	return people;
}

/** If a field has different values, the last one counts. */
function membersByName(rows: readonly Member[]): Map<string, Member> {
	const byName = new Map<string, Member>();
	// A row without an email belongs to the person whose email another row has with the same ID.
	const isNameless = ({ email }: Member): number => (email === '' ? 1 : 0);
	for (const row of [...rows].sort((one, other) => isNameless(one) - isNameless(other))) {
		const names = row.customerIds.map((id) => `id ${id}`);
		if (row.email !== '') names.unshift(`email ${nameKey(row.email)}`);
		const member = byName.get(names[0]!) ?? { ...row, items: [], customerIds: [] };
		member.items.push(...row.items);
		member.fields = { ...member.fields, ...row.fields };
		member.customerIds = [...new Set([...member.customerIds, ...row.customerIds])];
		for (const name of names) byName.set(name, byName.get(name) ?? member);
	}
	return byName;
}

/** Reads what the rules need to know (Supercast API reference, the subscriber object). */
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
