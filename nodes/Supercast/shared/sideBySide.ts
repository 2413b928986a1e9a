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
	const latest = new Map<string, Promise<void>>();
	let next = 0;

	const run = async (index: number): Promise<void> => {
		try {
			results[index] = await task(index);
		} catch (error) {
			failures.push({ index, error });
		}
	};
	const work = async (): Promise<void> => {
		while (next < count && failures.length === 0) {
			const index = next++;
			const name = nameOf(index);
			const turn = (latest.get(name) ?? Promise.resolve()).then(async () => {
				if (failures.length === 0) await run(index);
			});
			latest.set(name, turn);
			await turn;
			if (latest.get(name) === turn) latest.delete(name);
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, work));
	const [first] = failures.sort((one, other) => one.index - other.index);
	if (first !== undefined) throw first.error;
	return results;
}
