/** Runs several tasks at the same time, up to a limit. */

/** The tasks, and how many of them to run at the same time. */
export interface ConcurrentTasks<T> {
	/** How many tasks there are. */
	count: number;
	/** How many tasks may run at the same time. */
	width: number;
	/**
	 * Identifies what a task works on. Tasks with the same key run one after the other, in order.
	 */
	orderingKey: (index: number) => string | undefined;
	task: (index: number) => Promise<T>;
	/** Waits for a short time before free slots are filled. */
	pause: () => Promise<void>;
}

/** The results of the tasks. */
export interface ConcurrentResults<T> {
	/** The results by task number. Tasks that failed or did not start have no value. */
	results: Array<T | undefined>;
	/** The failure with the lowest task number, which may not be the earliest one. */
	failure?: { index: number; error: unknown };
	/** How many tasks succeeded. */
	done: number;
}

/**
 * Runs `task` for 0 to `count - 1`, in this order, and at most `width` at a time.
 *
 * After a failure, it starts no more tasks, and waits for the tasks in progress.
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
 * Starts `width` tasks. More tasks start once half of them have ended, or after a pause if only
 * some have ended. Requests that are sent together take a third less computing time than one new
 * request per response. Because of the pause, tasks that hang do not keep other slots empty.
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
