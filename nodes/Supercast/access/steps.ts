import type { Clock } from '../api/clock';
import { groupBy } from '../subscriber/customerId';

/** A computation that can pause at each `yield`, so that n8n can do other work. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** After this time, a computation pauses so that n8n can do other work. */
const BETWEEN_RESTS_MS = 20;

/** How many things to handle between two checks of the clock. This takes about a millisecond. */
const THINGS_PER_STEP = 100;

/** Computes without pauses. */
export function finish<T>(steps: Steps<T>): T {
	let step = steps.next();
	while (step.done !== true) step = steps.next();
	return step.value;
}

/** Computes with pauses. */
export async function finishWithRests<T>(
	steps: Steps<T>,
	clock: Pick<Clock, 'now' | 'sleep'>,
): Promise<T> {
	let restedAt = clock.now();
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
		if (clock.now() - restedAt < BETWEEN_RESTS_MS) continue;
		await clock.sleep(0);
		restedAt = clock.now();
	}
}

/** Works on a few things at a time. */
function* inParts<T>(things: readonly T[], work: (part: T[]) => void): Steps<void> {
	for (let start = 0; start < things.length; start += THINGS_PER_STEP) {
		work(things.slice(start, start + THINGS_PER_STEP));
		yield;
	}
}

export function* forEachInSteps<T>(things: readonly T[], work: (thing: T) => void): Steps<void> {
	yield* inParts(things, (part) => part.forEach(work));
}

export function* mapInSteps<T, U>(things: readonly T[], map: (thing: T) => U): Steps<U[]> {
	const mapped: U[] = [];
	yield* inParts(things, (part) => void mapped.push(...part.map(map)));
	return mapped;
}

export function filterInSteps<T, U extends T>(
	things: readonly T[],
	isKept: (thing: T) => thing is U,
): Steps<U[]>;
export function filterInSteps<T>(things: readonly T[], isKept: (thing: T) => boolean): Steps<T[]>;
export function* filterInSteps<T>(things: readonly T[], isKept: (thing: T) => boolean): Steps<T[]> {
	const kept: T[] = [];
	yield* inParts(things, (part) => void kept.push(...part.filter(isKept)));
	return kept;
}

/** Groups values by a key, in their order. Leaves out those without one. */
export function* groupInSteps<T, K>(
	things: readonly T[],
	keyOf: (thing: T) => K,
): Steps<Map<K, T[]>> {
	const groups = new Map<K, T[]>();
	yield* inParts(things, (part) => void groupBy(part, keyOf, groups));
	return groups;
}
