/** In which order a list comes, as far as what was read of it shows. Pure. */

/** What tells the age of a record. */
export interface Aged {
	id: string;
	/** Milliseconds since 1970. */
	createdAt?: number;
}

/**
 * `newest` or `oldest` first; `none`: in neither order; `unclear`: too little was read, or what was
 * read does not tell its age.
 */
export type Order = 'newest' | 'oldest' | 'none' | 'unclear';

/**
 * How many records of different age have to come in order. A list in no order shows that many in
 * order by chance once in 479 million (12 factorial).
 */
export const ENOUGH = 12;

type Direction = 'falling' | 'rising' | 'flat' | 'mixed' | 'unknown';

interface Trend {
	direction: Direction;
	/** How many different values were seen. */
	steps: number;
}

/**
 * Observes the order of the records that were read, in the order in which they came. Times decide;
 * ids that are numbers count where times are missing or hardly differ, unless times contradict.
 */
export function observeOrder(records: readonly Aged[]): Order {
	const times = trendOf(records.map(({ createdAt }) => createdAt ?? NaN));
	const ids = trendOf(records.map(({ id }) => (/^\d{1,15}$/.test(id) ? Number(id) : NaN)));
	if (times.direction === 'mixed') return 'none';
	const decisive = times.steps >= ENOUGH ? times : ids;
	if (decisive === ids && contradicts(times.direction, ids.direction)) return 'none';
	if (decisive.direction === 'mixed') return times.direction === 'unknown' ? 'none' : 'unclear';
	if (decisive.steps < ENOUGH) return 'unclear';
	return decisive.direction === 'falling' ? 'newest' : 'oldest';
}

function contradicts(one: Direction, other: Direction): boolean {
	return (one === 'falling' && other === 'rising') || (one === 'rising' && other === 'falling');
}

function trendOf(values: readonly number[]): Trend {
	let direction: Direction = values.some(Number.isNaN) ? 'unknown' : 'flat';
	let steps = direction === 'flat' ? 1 : 0;
	for (let index = 1; index < values.length && direction !== 'unknown'; index++) {
		const change = (values[index] ?? NaN) - (values[index - 1] ?? NaN);
		if (change === 0) continue;
		const step: Direction = change < 0 ? 'falling' : 'rising';
		if (direction !== 'flat' && direction !== step) return { direction: 'mixed', steps };
		direction = step;
		steps++;
	}
	return { direction, steps };
}
