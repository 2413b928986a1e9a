/** A clock. The real one is in `runtime.ts`. */
export interface Clock {
	/** Milliseconds on a clock that never goes backward and starts at an arbitrary point. */
	now(): number;
	/** Milliseconds since 1970, for reading dates that Supercast sends. */
	date(): number;
	/** Waits for `ms` milliseconds. May end early if `signal` is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay that a timer supports. A timer with a longer delay fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits until the time has passed or the signal is aborted. Returns whether the time has passed. */
export async function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
	if (signal?.aborted === true) return false;
	const step = Math.min(ms, LONGEST_TIMER_MS);
	const isPassed = await new Promise<boolean>((resolve) => {
		// The clock may ignore the signal, as older versions of n8n-workflow do.
		const onAbort = (): void => resolve(false);
		signal?.addEventListener('abort', onAbort, { once: true });
		const passed = (): void => {
			signal?.removeEventListener('abort', onAbort);
			resolve(signal?.aborted !== true);
		};
		clock.sleep(step, signal).then(passed, passed);
	});
	return isPassed && step < ms ? await pause(clock, ms - step, signal) : isPassed;
}

/** A time limit, and a signal that ends the work early. */
export interface TimeLimit {
	clock: Clock;
	ms: number;
	signal?: AbortSignal;
}

/** Why work was abandoned: it ran out of time, or someone stopped it. */
export type GivenUp = 'late' | 'stopped';

/**
 * Runs `work` within a time limit, with a signal that is aborted when the time is up. Later results
 * and errors are ignored.
 */
export async function withinTime<T>(
	{ clock, ms, signal }: TimeLimit,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<GivenUp | T> {
	if (signal?.aborted === true) return 'stopped';
	const timer = new AbortController();
	const worker = new AbortController();
	const stop = (): void => timer.abort();
	signal?.addEventListener('abort', stop, { once: true });
	const over = pause(clock, ms, timer.signal).then((isLate) => {
		worker.abort();
		return isLate ? 'late' : 'stopped';
	});
	const done = work(worker.signal);
	// If `work` fails after the time limit, nothing else handles its error.
	done.catch(() => undefined);
	try {
		return await Promise.race([done, over]);
	} finally {
		signal?.removeEventListener('abort', stop);
		timer.abort();
	}
}
