import type { Clock } from '../api/clock';

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

export function* forEachInSteps<T>(things: Iterable<T>, work: (thing: T) => void): Steps<void> {
	let count = 0;
	for (const thing of things) {
		work(thing);
		count += 1;
		if (count % THINGS_PER_STEP === 0) yield;
	}
}

export function* mapInSteps<T, U>(things: Iterable<T>, map: (thing: T) => U): Steps<U[]> {
	const mapped: U[] = [];
	yield* forEachInSteps(things, (thing) => void mapped.push(map(thing)));
	return mapped;
}

export function* filterInSteps<T>(things: Iterable<T>, isKept: (thing: T) => boolean): Steps<T[]> {
	const kept: T[] = [];
	yield* forEachInSteps(things, (thing) => {
		if (isKept(thing)) kept.push(thing);
	});
	return kept;
}

/** Groups values by a key, in their order. */
export function* groupInSteps<T, K>(
	things: Iterable<T>,
	keyOf: (thing: T) => K,
): Steps<Map<K, T[]>> {
	const groups = new Map<K, T[]>();
	yield* forEachInSteps(things, (thing) => {
		const key = keyOf(thing);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [thing]);
		else group.push(thing);
	});
	return groups;
}
