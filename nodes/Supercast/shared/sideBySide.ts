/** Several tasks in flight at once, in a bounded number. Pure. */

/**
 * Runs `task` for 0 to `count - 1`, at most `width` at a time, beginning in that order.
 *
 * After a failure no further task is begun, and those under way are waited for.
 *
 * @returns The results in the order of the tasks, not of their ends.
 * @throws What the first task that failed threw: the first by its number, not by time.
 */
export async function sideBySide<T>(
	count: number,
	width: number,
	task: (index: number) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	const failures: Array<{ index: number; error: unknown }> = [];
	let next = 0;
	const work = async (): Promise<void> => {
		while (next < count && failures.length === 0) {
			const index = next++;
			try {
				results[index] = await task(index);
			} catch (error) {
				failures.push({ index, error });
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, work));
	const [first] = failures.sort((one, other) => one.index - other.index);
	if (first !== undefined) throw first.error;
	return results;
}
