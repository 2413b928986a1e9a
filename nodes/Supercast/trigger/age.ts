/** What a reading tells about the age of records. Pure. */

import type { Listed, Reading } from './reading';

/** The oldest first, as far as that is known: otherwise in the order of the list. */
export function oldestFirst({ records, order }: Pick<Reading, 'records' | 'order'>): Listed[] {
	const time = ({ createdAt = NaN }: Listed): number => createdAt;
	const [first, last] = [records[0], records.at(-1)];
	const isFalling = first !== undefined && last !== undefined && time(first) > time(last);
	const sorted = order === 'newest' || isFalling ? [...records].reverse() : [...records];
	const isDated = records.every(({ createdAt }) => createdAt !== undefined);
	// Those of the same second stay in the order of the list.
	return isDated ? sorted.sort((one, other) => time(one) - time(other)) : sorted;
}

/** Whether the records of a reading come in order of age. */
export function isInOrder({ order }: Reading): boolean {
	return order === 'newest' || order === 'oldest';
}

/** How many times the memory's size is read to sort it, where the list is longer than that. */
const ENOUGH_TO_SORT = 2;

/** Whether so many records are enough to sort a memory of `most` by age without the rest of the list. */
export function sufficeToSort({ length }: readonly unknown[], most: number): boolean {
	return length >= ENOUGH_TO_SORT * most;
}

/** Whether a reading tells the age of what is remembered. */
export function showsAge(reading: Reading, most: number): boolean {
	if (!isInOrder(reading) || reading.hasChanged) return false;
	return reading.isComplete || sufficeToSort(reading.records, most);
}

/**
 * Sorts known codes by the age that a reading shows, so that the oldest are forgotten first. A record
 * that was not read is older than those that were; in a whole list it is gone, or was skipped, and
 * stays behind the one that was learned before it.
 *
 * @param present Codes of the reading, the oldest first.
 */
export function sortedByAge(
	known: readonly string[],
	present: readonly string[],
	{ isComplete }: Reading,
): string[] {
	const isKnown = new Set(known);
	const places = new Map(present.filter((code) => isKnown.has(code)).map((code) => [code, [code]]));
	const front: string[] = [];
	let place = front;
	for (const code of known) {
		const own = places.get(code);
		if (own === undefined) place.push(code);
		else if (isComplete) place = own;
	}
	return [front, ...places.values()].flat();
}
