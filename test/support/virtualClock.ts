import type { Clock } from '../../nodes/Supercast/api/clock';

interface Sleeper {
	at: number;
	wake(): void;
}

/** A clock that jumps from one wake-up to the next, so minutes take no time. */
export class VirtualClock implements Clock {
	private time = 0;
	/** The sleepers, sorted by wake-up time. */
	private sleepers: Sleeper[] = [];
	/** The longest single sleep. */
	longestSleepMs = 0;

	/** The number of timers that are set. */
	get pending(): number {
		return this.sleepers.length;
	}

	now(): number {
		return this.time;
	}

	date(): number {
		return Date.UTC(2026, 0, 1) + this.time;
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		this.longestSleepMs = Math.max(this.longestSleepMs, ms);
		await new Promise<void>((resolve, reject) => {
			const sleeper = { at: this.time + Math.max(0, ms), wake: resolve };
			const later = this.sleepers.findIndex(({ at }) => at > sleeper.at);
			this.sleepers.splice(later < 0 ? this.sleepers.length : later, 0, sleeper);
			signal?.addEventListener('abort', () => {
				this.sleepers = this.sleepers.filter((other) => other !== sleeper);
				reject(new Error('aborted'));
			});
		});
	}

	/** Lets time pass until the promise is settled, or nothing sleeps any more. */
	async run<T>(promise: Promise<T>): Promise<T> {
		let settled = false;
		const done = (): void => {
			settled = true;
		};
		promise.then(done, done);
		await settle();
		while (!settled && this.wakeNext()) await settle();
		if (!settled) throw new Error('nothing left to wait for');
		return await promise;
	}

	/** Lets this much time pass. */
	async pass(ms: number): Promise<void> {
		await this.run(this.sleep(ms));
	}

	private wakeNext(): boolean {
		const next = this.sleepers.shift();
		if (next === undefined) return false;
		this.time = Math.max(this.time, next.at);
		next.wake();
		return true;
	}
}

/** Waits for everything that follows from the last event. */
async function settle(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
