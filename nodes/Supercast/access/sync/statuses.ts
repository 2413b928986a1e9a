/** Who counts: how many people have which status and product, and what access that gives. */

import type { Person } from '../people';
import type { MemberRecord } from '../record';
import type { Ground, RecordAccess } from '../judge/judge';

export interface StatusCount {
	/** The membership system's own words. Empty if the records have none. */
	status: string;
	/** The names of the products. Undefined if the list has no products. */
	product?: string;
	access: RecordAccess;
	/** Why the records give this access. */
	grounds: Set<Ground['kind']>;
	people: number;
}

const ORDER: readonly RecordAccess[] = ['open', 'unclear', 'keep', 'close'];

/**
 * Counts each person once, by the records that decide about them. Those whose records give no access
 * come last.
 */
export function statusesOf(
	people: readonly Person[],
	records: readonly MemberRecord[],
): StatusCount[] {
	const hasProducts = records.some(({ products }) => products.length > 0);
	const counts = new Map<string, StatusCount>();
	const add = (own: readonly MemberRecord[], access: RecordAccess): void => {
		const status = joinedWords(own.map((one) => one.status));
		const product = hasProducts ? joinedWords(own.flatMap((one) => one.products)) : undefined;
		const key = JSON.stringify([access, status, product]);
		const known = counts.get(key) ?? { status, product, access, grounds: new Set(), people: 0 };
		for (const { ground } of own) known.grounds.add(ground.kind);
		counts.set(key, { ...known, people: known.people + 1 });
	};
	for (const { records: own } of people) {
		const access = ORDER.find((one) => own.some((record) => record.access === one)) ?? 'keep';
		add(
			own.filter((record) => record.access === access),
			access,
		);
	}
	for (const own of endedOnly(people, records)) add(own, 'close');
	const sorted = [...counts.values()].sort((one, other) => other.people - one.people);
	return ORDER.flatMap((access) => sorted.filter((one) => one.access === access));
}

/** The records of people whose memberships have all ended. */
function endedOnly(people: readonly Person[], records: readonly MemberRecord[]): MemberRecord[][] {
	const live = new Set(
		people.flatMap(({ records: own }) => own.flatMap((one) => [one.customerId, one.emailKey])),
	);
	const ended = new Map<string, MemberRecord[]>();
	for (const one of records) {
		const names = [one.customerId, one.emailKey].filter((name) => name !== '');
		if (one.access !== 'close' || names.some((name) => live.has(name))) continue;
		const key = names[0] ?? '';
		ended.set(key, [...(ended.get(key) ?? []), one]);
	}
	return [...ended.values()];
}

/** Each word once, as one text. */
export function joinedWords(words: readonly string[]): string {
	return [...new Set(words.filter((one) => one !== ''))].join(', ');
}
