/** The steps that clean up at the end, in reverse order, however the run ends. */
export class Cleanup {
	private readonly steps: Array<() => void | Promise<void>> = [];

	/** Notes how to undo the last step. */
	add(step: () => void | Promise<void>): void {
		this.steps.push(step);
	}

	/**
	 * Undoes everything, once.
	 *
	 * @throws The first error, after it has tried all steps.
	 */
	async run(): Promise<void> {
		const errors: unknown[] = [];
		for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
			try {
				await step();
			} catch (error) {
				errors.push(error);
			}
		}
		if (errors.length > 0) throw errors[0];
	}
}

/** Builds something out of several parts. If one of them fails, undoes those before it. */
export async function built<T>(build: (cleanup: Cleanup) => Promise<T>): Promise<T> {
	const cleanup = new Cleanup();
	try {
		return await build(cleanup);
	} catch (error) {
		await cleanup.run();
		throw error;
	}
}
