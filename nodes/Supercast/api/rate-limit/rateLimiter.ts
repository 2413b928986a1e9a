import { pause, type Clock } from '../clock';
import { FairQueue, type Client, type Queued } from './fairQueue';
import { SlidingWindow } from './slidingWindow';

/** The right to send one request now. It must be released, whatever happens to the request. */
export interface Slot {
	/** @param retryAfterMs How long every client should wait, if Supercast sent `Retry-After`. */
	release(outcome: 'counted' | 'refused', retryAfterMs?: number): void;
}

/** `late`: a pause lasts beyond the deadline. `stopped`: the signal was aborted. */
export type AcquireResult = Slot | 'late' | 'stopped';

export interface AcquireOptions {
	/** The deadline of a retry, by the clock's `now`. Other clients cannot make a retry late. */
	deadline?: number;
	signal?: AbortSignal;
}

interface Waiter extends Queued {
	/** All requests that wait with the same signal. */
	readonly group?: Set<Waiter>;
	settle(result: AcquireResult): void;
}

/** Lets requests through as fast as a limit allows. All clients that use it take turns. */
export class RateLimiter {
	private readonly queue = new FairQueue<Waiter>();
	private readonly window: SlidingWindow;
	/** The waiting requests by signal, so that a stop does not have to search the queue. */
	private readonly stoppable = new WeakMap<AbortSignal, Set<Waiter>>();
	private alarm: { at: number; stop: AbortController } | undefined;

	/** @param limit The number of requests per window; 0 for no pacing. */
	constructor(
		limit: number,
		windowMs: number,
		private readonly clock: Clock,
	) {
		this.window = new SlidingWindow(windowMs);
		this.limit = limit;
	}

	/** A new limit takes effect immediately. Requests already sent count toward it. */
	set limit(limit: number) {
		this.window.setLimit(limit || Infinity);
		if (!this.queue.isEmpty) this.advance(this.clock.now());
	}

	acquire(client: Client, options: AcquireOptions = {}): Promise<AcquireResult> {
		const { deadline = Infinity, signal } = options;
		const { queue, window } = this;
		if (signal?.aborted === true) return Promise.resolve('stopped');
		const now = this.clock.now();
		if (deadline <= Math.max(now, window.pausedUntil)) return Promise.resolve('late');
		if (queue.isEmpty && window.roomAt(now) <= now) {
			queue.countSent(client);
			return Promise.resolve(this.begin(now));
		}
		const group = signal && this.waitersOf(signal);
		return new Promise((settle) => {
			const waiter = { client, deadline, group, settle };
			queue.add(waiter);
			group?.add(waiter);
			this.advance(now);
		});
	}

	/** The waiting requests that a signal stops. */
	private waitersOf(signal: AbortSignal): Set<Waiter> {
		const known = this.stoppable.get(signal);
		if (known !== undefined) return known;
		const waiters = new Set<Waiter>();
		this.stoppable.set(signal, waiters);
		signal.addEventListener('abort', () => this.stop(waiters));
		return waiters;
	}

	private stop(waiters: Set<Waiter>): void {
		for (const waiter of waiters) {
			this.queue.remove(waiter);
			waiter.settle('stopped');
		}
		waiters.clear();
		if (this.queue.isEmpty) this.endAlarm();
	}

	/** Ends the wait of a request that has left the queue. */
	private settle(waiter: Waiter, result: AcquireResult): void {
		waiter.group?.delete(waiter);
		waiter.settle(result);
	}

	private begin(sentAt: number): Slot {
		const sent = this.window.begin(sentAt);
		return {
			release: (outcome, retryAfterMs) => {
				const now = this.clock.now();
				if (outcome === 'refused') this.window.refused(sent, now, retryAfterMs);
				else this.window.accepted(sent, now);
				if (!this.queue.isEmpty) this.advance(now);
			},
		};
	}

	private advance(now: number): void {
		this.settleLate();
		const roomAt = this.sendUntilFull(now);
		if (this.queue.isEmpty) return this.endAlarm();
		if (this.alarm === undefined || this.alarm.at > roomAt) this.setAlarm(now, roomAt);
	}

	/** Settles the retries that a pause makes late. */
	private settleLate(): void {
		const { queue, window } = this;
		let late = queue.nextDue(window.pausedUntil);
		while (late !== undefined) {
			this.settle(late, 'late');
			late = queue.nextDue(window.pausedUntil);
		}
	}

	/** The time when room is free again. */
	private sendUntilFull(now: number): number {
		let roomAt = this.window.roomAt(now);
		while (roomAt <= now) {
			const waiter = this.queue.next();
			if (waiter === undefined) return roomAt;
			this.settle(waiter, this.begin(now));
			roomAt = this.window.roomAt(now);
		}
		return roomAt;
	}

	private setAlarm(now: number, at: number): void {
		this.endAlarm();
		const alarm = { at, stop: new AbortController() };
		this.alarm = alarm;
		void pause(this.clock, Math.ceil(at - now), alarm.stop.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.advance(this.clock.now());
		});
	}

	private endAlarm(): void {
		this.alarm?.stop.abort();
		this.alarm = undefined;
	}
}
