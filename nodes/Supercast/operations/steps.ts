/** Long computations in steps, between which n8n does other work. */

import type { Clock } from '../api/clock';

/** A computation that yields wherever it may pause. */
export type Steps<T> = Generator<undefined, T>;

/** How many items are worked on before a pause is possible. */
const TOGETHER = 200;

/** After how many milliseconds of work n8n gets a turn. */
const WORK_MS = 20;

/** Works on each item. */
export function* forEach<T>(items: Iterable<T>, work: (item: T) => void): Steps<void> {
	let count = 0;
	for (const item of items) {
		work(item);
		count += 1;
		if (count % TOGETHER === 0) yield;
	}
}

/** What comes of each item. */
export function* mapEach<T, U>(items: Iterable<T>, of: (item: T) => U): Steps<U[]> {
	const all: U[] = [];
	yield* forEach(items, (item) => all.push(of(item)));
	return all;
}

/** The items of which something is true. */
export function select<T, S extends T>(
	items: Iterable<T>,
	isWanted: (item: T) => item is S,
): Steps<S[]>;
export function select<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Steps<T[]>;
export function* select<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Steps<T[]> {
	const all: T[] = [];
	yield* forEach(items, (item) => {
		if (isWanted(item)) all.push(item);
	});
	return all;
}

/** Computes without pauses. */
export function finish<T>(steps: Steps<T>): T {
	for (;;) {
		const { done, value } = steps.next();
		if (done === true) return value;
	}
}

/** Computes with a pause after each stretch of work. */
export async function paced<T>(steps: Steps<T>, clock: Pick<Clock, 'now' | 'sleep'>): Promise<T> {
	for (let since = clock.now(); ;) {
		const { done, value } = steps.next();
		if (done === true) return value;
		if (clock.now() - since < WORK_MS) continue;
		await clock.sleep(0);
		since = clock.now();
	}
}
