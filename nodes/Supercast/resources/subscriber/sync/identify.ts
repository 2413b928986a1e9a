import { nameKey } from '../../../api/identity';
import { CONFLICTS } from './reasons';
import type { KnownSubscriber, Member } from './types';

/** One person's rows on the list, and the person's records in Supercast. */
export interface Person {
	/** The person's rows, merged into one. Undefined if the person is not on the list. */
	member?: Member;
	/** All rows on the list that are about the person. */
	rows: Member[];
	subscribers: KnownSubscriber[];
	/** Why it is unclear who this person is. If set, Sync changes nothing for this person. */
	conflict?: string;
}

/**
 * Finds out which rows and subscribers belong together. Rows and subscribers that share a customer
 * ID or an email are about the same person. It is a conflict if a person has several emails on the
 * list, several customer IDs, or several subscribers.
 */
export function identify(
	members: readonly Member[],
	subscribers: readonly KnownSubscriber[],
): Person[] {
	const groups = new Groups();
	for (const { email, customerId } of [...members, ...subscribers]) groups.join(email, customerId);
	const rows = new Map<string, Member[]>();
	const records = new Map<string, KnownSubscriber[]>();
	for (const member of members) push(rows, groups.of(member), member);
	for (const subscriber of subscribers) push(records, groups.of(subscriber), subscriber);
	const names = new Set([...rows.keys(), ...records.keys()]);
	return [...names].map((name) => person(rows.get(name) ?? [], records.get(name) ?? []));
}

function person(rows: Member[], subscribers: KnownSubscriber[]): Person {
	const member = merge(rows);
	const conflict = conflictOf(rows, subscribers);
	return {
		rows,
		subscribers,
		...(member === undefined ? {} : { member }),
		...(conflict === undefined ? {} : { conflict }),
	};
}

/** Merges the rows of one person. If a field has different values, the last value counts. */
function merge(rows: Member[]): Member | undefined {
	const [first] = rows;
	if (first === undefined) return undefined;
	if (rows.length === 1) return first;
	return {
		items: rows.flatMap(({ items }) => items),
		email: first.email,
		customerId: rows.find(({ customerId }) => customerId !== '')?.customerId ?? '',
		fields: Object.assign({}, ...rows.map(({ fields }) => fields)) as Member['fields'],
	};
}

function conflictOf(rows: Member[], subscribers: KnownSubscriber[]): string | undefined {
	if (distinct(rows.map(emailOf)) > 1) return CONFLICTS.listedIdTwice;
	if (distinct(rows.map(idOf)) > 1) return CONFLICTS.listedEmailTwice;
	if (subscribers.length > 1) {
		const isTwice = hasTwice(subscribers.map(emailOf)) || hasTwice(subscribers.map(idOf));
		return isTwice ? CONFLICTS.subscriberTwice : CONFLICTS.emailTaken;
	}
	return distinct([...rows, ...subscribers].map(idOf)) > 1 ? CONFLICTS.emailTaken : undefined;
}

function emailOf({ email }: { email: string }): string {
	return nameKey(email);
}

function idOf({ customerId }: { customerId: string }): string {
	return customerId;
}

/** How many different texts there are, not counting empty ones. */
function distinct(texts: string[]): number {
	return new Set(texts.filter((text) => text !== '')).size;
}

function hasTwice(texts: string[]): boolean {
	return distinct(texts) < texts.filter((text) => text !== '').length;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
	const known = map.get(key);
	if (known === undefined) map.set(key, [value]);
	else known.push(value);
}

/** Emails and customer IDs, and which of them belong together. */
class Groups {
	private readonly parents = new Map<string, string>();

	join(email: string, customerId: string): void {
		const [first, second] = keysOf(email, customerId);
		if (first !== undefined && second !== undefined)
			this.parents.set(this.root(second), this.root(first));
	}

	/** The name of the group that a person belongs to. */
	of({
		email,
		customerId,
		uuid = '',
	}: {
		email: string;
		customerId: string;
		uuid?: string;
	}): string {
		const [key = `uuid ${uuid}`] = keysOf(email, customerId);
		return this.root(key);
	}

	private root(key: string): string {
		let root = key;
		for (let next = this.parents.get(root); next !== undefined && next !== root;) {
			root = next;
			next = this.parents.get(root);
		}
		if (root !== key) this.parents.set(key, root);
		return root;
	}
}

function keysOf(email: string, customerId: string): string[] {
	const key = nameKey(email);
	return [
		...(key === '' ? [] : [`email ${key}`]),
		...(customerId === '' ? [] : [`id ${customerId}`]),
	];
}
