/** Several tasks in flight at once, in a bounded number. Pure. */

/** What is to be done side by side. */
export interface SideBySide<T> {
	/** How many tasks there are. */
	count: number;
	/** How many are under way at most. */
	width: number;
	/** What a task works on: those with the same name follow each other. */
	nameOf: (index: number) => string;
	task: (index: number) => Promise<T>;
}

/**
 * Runs `task` for 0 to `count - 1`, at most `width` at a time, beginning in that order.
 *
 * Tasks of the same name run one after the other, so that the last one has the last word. After a
 * failure no further task is begun, and those under way are waited for.
 *
 * @returns The results in the order of the tasks, not of their ends.
 * @throws What the first task that failed threw: the first by its number, not by time.
 */
export async function sideBySide<T>({ count, width, nameOf, task }: SideBySide<T>): Promise<T[]> {
	const results: T[] = [];
	const failures: Array<{ index: number; error: unknown }> = [];
	const names = Array.from({ length: count }, (_, index) => nameOf(index));
	const latest = new Map<string, Promise<void>>();

	const run = async (index: number): Promise<void> => {
		if (failures.length > 0) return;
		try {
			results[index] = await task(index);
		} catch (error) {
			failures.push({ index, error });
		}
	};
	await fillUp(width, count, async (index) => {
		if (failures.length > 0) return;
		const name = names[index]!;
		const earlier = latest.get(name);
		const turn = earlier === undefined ? run(index) : earlier.then(async () => await run(index));
		latest.set(name, turn);
		await turn;
		if (latest.get(name) === turn) latest.delete(name);
	});
	const [first] = failures.sort((one, other) => one.index - other.index);
	if (first !== undefined) throw first.error;
	return results;
}

/**
 * Begins with `width` tasks, and with more whenever half of them have ended: requests that are sent
 * together cost a third less computing time than one sent for each that is answered.
 */
async function fillUp(
	width: number,
	count: number,
	task: (index: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	let running = 0;
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
			if (running <= width / 2) fill();
		};
		fill();
	});
}
