/** Runs several tasks at the same time, up to a limit. */

/** What to do, and how much of it at a time. */
export interface ConcurrentTasks<T> {
	/** How many tasks there are. */
	count: number;
	/** How many tasks may run at the same time. */
	width: number;
	/** What a task works on. Tasks with the same key run one after the other, in their order. */
	orderingKey: (index: number) => string | undefined;
	task: (index: number) => Promise<T>;
	/** Ends after the short time for which free places may stay free. */
	pause: () => Promise<void>;
}

/** The results of the tasks. */
export interface ConcurrentResults<T> {
	/** By the number of the task. There is no value for tasks that failed or did not begin. */
	results: Array<T | undefined>;
	/** The first failure by the number of its task, not by time. */
	failure?: { index: number; error: unknown };
	/** How many tasks ended without a failure. */
	done: number;
}

/**
 * Runs `task` for 0 to `count - 1`, at most `width` at a time, beginning in that order.
 *
 * After a failure it begins no further task, and waits for those under way.
 */
export async function runConcurrently<T>({
	count,
	width,
	orderingKey,
	task,
	pause,
}: ConcurrentTasks<T>): Promise<ConcurrentResults<T>> {
	const results = new Array<T | undefined>(count).fill(undefined);
	const failures: Array<{ index: number; error: unknown }> = [];
	const latest = new Map<string, Promise<void>>();
	let done = 0;

	const run = async (index: number): Promise<void> => {
		if (failures.length > 0) return;
		try {
			results[index] = await task(index);
			done++;
		} catch (error) {
			failures.push({ index, error });
		}
	};
	const runInOrder = async (index: number): Promise<void> => {
		const key = orderingKey(index);
		if (key === undefined) return await run(index);
		const earlier = latest.get(key);
		const turn = earlier === undefined ? run(index) : earlier.then(async () => await run(index));
		latest.set(key, turn);
		await turn;
		if (latest.get(key) === turn) latest.delete(key);
	};
	await fillUp({ count, width, task: runInOrder, pause });
	const [failure] = failures.sort((one, other) => one.index - other.index);
	return { results, done, ...(failure === undefined ? {} : { failure }) };
}

/**
 * Begins with `width` tasks. More begin when half of them have ended, or after a pause when some
 * have. Requests that are sent together cost a third less computing time than one new request per
 * response. The pause is there because tasks that hang must not keep the free places empty.
 */
async function fillUp({
	count,
	width,
	task,
	pause,
}: Pick<ConcurrentTasks<void>, 'count' | 'width' | 'task' | 'pause'>): Promise<void> {
	let next = 0;
	let running = 0;
	let isPausing = false;
	await new Promise<void>((resolve, reject) => {
		const fill = (): void => {
			while (running < width && next < count) {
				running++;
				task(next++).then(ended, reject);
			}
			if (running === 0) resolve();
		};
		const ended = (): void => {
			running--;
			if (running <= width / 2) return fill();
			if (isPausing || next >= count) return;
			isPausing = true;
			pause().then(() => {
				isPausing = false;
				fill();
			}, reject);
		};
		fill();
	});
}
