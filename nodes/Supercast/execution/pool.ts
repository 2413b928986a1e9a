import { sleep } from 'n8n-workflow';

/** The tasks, and how many of them to run at the same time. */
export interface ConcurrentTasks<T> {
	count: number;
	width: number;
	/** Tasks with the same key run one after the other, in order. */
	orderingKey: (index: number) => string | undefined;
	task: (index: number) => Promise<T>;
}

/** The results of the tasks. */
export interface ConcurrentResults<T> {
	/** By task number. Tasks that failed or did not start have no value. */
	results: Array<T | undefined>;
	/** The failure with the lowest task number, which may not be the earliest one. */
	failure?: { index: number; error: unknown };
	/** How many tasks succeeded. */
	done: number;
}

/**
 * Runs `task` for 0 to `count - 1`, in this order, and at most `width` at a time. After a failure,
 * it starts no more tasks, and waits for the tasks in progress.
 */
export async function runConcurrently<T>({
	count,
	width,
	orderingKey,
	task,
}: ConcurrentTasks<T>): Promise<ConcurrentResults<T>> {
	const all: ConcurrentResults<T> = {
		results: new Array<T | undefined>(count).fill(undefined),
		done: 0,
	};
	const latest = new Map<string, Promise<void>>();
	let next = 0;
	let refill: Promise<void> | undefined;
	const fail = (index: number, error: unknown): void => {
		if (index < (all.failure?.index ?? Infinity)) all.failure = { index, error };
	};
	const run = async (index: number): Promise<void> => {
		if (all.failure !== undefined) return;
		try {
			all.results[index] = await task(index);
			all.done++;
		} catch (error) {
			fail(index, error);
		}
	};
	const worker = async (): Promise<void> => {
		while (next < count) {
			const index = next++;
			const key = orderingKey(index);
			const earlier = key === undefined ? undefined : latest.get(key);
			const turn = earlier === undefined ? run(index) : earlier.then(async () => await run(index));
			if (key !== undefined) latest.set(key, turn);
			await turn;
			// Requests that are sent together take a third less computing time (decision 0006).
			refill ??= sleep(0).then(() => (refill = undefined));
			await refill;
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
	return all;
}
