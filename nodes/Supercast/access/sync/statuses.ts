/** Who counts: how many people have which status and product, and what access that gives. */

import { forEach, type Steps } from '../../operations/steps';
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
export function* statusesOf(
	people: readonly Person[],
	records: readonly MemberRecord[],
): Steps<StatusCount[]> {
	const hasProducts = records.some(({ products }) => products.length > 0);
	const counts = new Map<string, StatusCount>();
	const add = (own: readonly MemberRecord[], access: RecordAccess): void => {
		const status = joinedWords(own.map((one) => one.status));
		const product = hasProducts ? joinedWords(own.flatMap((one) => one.products)) : undefined;
		const key = JSON.stringify([access, status, product]);
		const count = counts.get(key) ?? { status, product, access, grounds: new Set(), people: 0 };
		for (const { ground } of own) count.grounds.add(ground.kind);
		count.people += 1;
		counts.set(key, count);
	};
	yield* forEach(people, ({ records: own }) => {
		const access = ORDER.find((one) => own.some((record) => record.access === one)) ?? 'keep';
		add(
			own.filter((record) => record.access === access),
			access,
		);
	});
	yield* forEach(yield* endedOnly(people, records), (own) => add(own, 'close'));
	const sorted = [...counts.values()].sort((one, other) => other.people - one.people);
	return ORDER.flatMap((access) => sorted.filter((one) => one.access === access));
}

/** The records of people whose memberships have all ended. */
function* endedOnly(
	people: readonly Person[],
	records: readonly MemberRecord[],
): Steps<Iterable<MemberRecord[]>> {
	const live = new Set<string>();
	yield* forEach(people, ({ records: own }) => {
		for (const { customerId, emailKey } of own) live.add(customerId).add(emailKey);
	});
	const ended = new Map<string, MemberRecord[]>();
	yield* forEach(records, (one) => {
		const names = [one.customerId, one.emailKey].filter((name) => name !== '');
		if (one.access !== 'close' || names.some((name) => live.has(name))) return;
		const key = names[0] ?? '';
		ended.set(key, [...(ended.get(key) ?? []), one]);
	});
	return ended.values();
}

/** Each word once, as one text. */
export function joinedWords(words: readonly string[]): string {
	return [...new Set(words.filter((one) => one !== ''))].join(', ');
}
