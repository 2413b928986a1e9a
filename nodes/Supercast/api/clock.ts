/** Time as the transport takes it, so that tests can turn the hands. Pure. */

/** A clock. The real one is in `runtime.ts`. */
export interface Clock {
	/** Milliseconds on a clock that never goes back; its zero means nothing. */
	now(): number;
	/** Milliseconds since 1970, to read dates that the service names. */
	date(): number;
	/** Waits for `ms` milliseconds; may end early when `signal` is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Waits until the time has passed or the signal is aborted, whichever comes first.
 *
 * @param ms Milliseconds.
 * @returns Whether the whole time has passed.
 */
export async function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
	if (signal === undefined) {
		await clock.sleep(ms);
		return true;
	}
	if (signal.aborted) return false;
	return await new Promise<boolean>((resolve) => {
		// The clock may ignore the signal, as n8n-workflow's older versions do.
		const onAbort = (): void => resolve(false);
		signal.addEventListener('abort', onAbort, { once: true });
		const passed = (): void => {
			signal.removeEventListener('abort', onAbort);
			resolve(!signal.aborted);
		};
		clock.sleep(ms, signal).then(passed, passed);
	});
}
