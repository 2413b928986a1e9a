/** What has to be undone at the end, the last first, however the end comes. */
export class Cleanup {
	private readonly steps: Array<() => void | Promise<void>> = [];

	/** Notes how to undo what was just done. */
	add(step: () => void | Promise<void>): void {
		this.steps.push(step);
	}

	/**
	 * Undoes everything, once.
	 *
	 * @throws The first error, after all steps were tried.
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

/** Builds something out of several parts; when one of them fails, those before it are undone. */
export async function built<T>(build: (cleanup: Cleanup) => Promise<T>): Promise<T> {
	const cleanup = new Cleanup();
	try {
		return await build(cleanup);
	} catch (error) {
		await cleanup.run();
		throw error;
	}
}
