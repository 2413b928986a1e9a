/** Runs only one piece of work at a time for each key, within this process. */
export class KeyedMutex {
	private readonly last = new Map<string, Promise<unknown>>();

	/**
	 * Runs `work` after all earlier work with the same key has ended.
	 *
	 * @returns The result of `work`, or `stopped` if the signal ended the wait before `work` began.
	 */
	async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T | 'stopped'> {
		const earlier = this.last.get(key);
		let leave = (): void => undefined;
		const left = new Promise<void>((resolve) => (leave = resolve));
		// If one waiter gives up, later waiters must still wait for the work in progress.
		const ended = Promise.all([earlier, left]).then(() => {
			if (this.last.get(key) === ended) this.last.delete(key);
		});
		this.last.set(key, ended);
		try {
			if (earlier !== undefined) await untilAborted(earlier, signal);
			return signal?.aborted === true ? 'stopped' : await work();
		} finally {
			leave();
		}
	}
}

async function untilAborted(promise: Promise<unknown>, signal?: AbortSignal): Promise<void> {
	await new Promise<void>((resolve) => {
		const end = (): void => {
			signal?.removeEventListener('abort', end);
			resolve();
		};
		signal?.addEventListener('abort', end, { once: true });
		promise.then(end, end);
		if (signal?.aborted === true) end();
	});
}
