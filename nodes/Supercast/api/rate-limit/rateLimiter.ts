/** Lets requests through as fast as a limit allows. All clients in this process take turns. */

import type { Clock } from '../clock';
import { FairQueue, type Queued } from './fairQueue';
import { Refusals } from './refusals';
import { SlidingWindow } from './slidingWindow';

/** Whether Supercast counted a request or refused it. */
export type Outcome = 'counted' | 'refused';

/** The right to send one request now. It must be released, whatever happens to the request. */
export interface Slot {
	/**
	 * @param outcome Whether Supercast counted the request, or refused it with 429.
	 * @param retryAfterMs How long every client should wait, if Supercast sent `Retry-After`.
	 */
	release(outcome: Outcome, retryAfterMs?: number): void;
}

/**
 * The result of waiting: a slot, or the reason why there is none. `late` means that a pause after
 * Supercast's refusals lasts beyond the deadline. `stopped` means that the signal was aborted.
 */
export type AcquireResult = Slot | 'late' | 'stopped';

/** When to stop waiting. */
export interface AcquireOptions {
	/**
	 * The deadline of a retry, by the clock's `now`. Retries go first and alternate with first
	 * tries. So only a pause after refusals can make a retry late, not the requests of other
	 * clients.
	 */
	deadline?: number;
	/** Ends the wait when aborted. */
	signal?: AbortSignal;
}

interface Waiter extends Queued {
	readonly signal: AbortSignal | undefined;
	readonly settle: (result: AcquireResult) => void;
}

// When other apps have used up the limit, Supercast also refuses all requests in flight. So only
// this many requests, or this part of a small limit, are in flight at the same time. If responses
// are slow, requests follow each other at intervals. An eighth of a window is enough for the whole
// limit. Without this rule, Supercast refuses 9% of the requests of four processes instead of 3%.
// But without it, a single process takes only 1.002 times the shortest possible time instead of
// 1.013 times.
const ON_THE_WAY = 3;
const PART_ON_THE_WAY = 1 / 20;
const BURST = 1 / 8;

// After a refusal, a single request tests whether there is room. Without this test, Supercast
// refuses 0.5 to 1.2% more requests. If the test gets no response, the other requests wait for at
// most this part of a window.
const TRIAL = 1 / 20;

/** One limit, shared by all clients that use it. */
export class RateLimiter {
	private readonly queue = new FairQueue<Waiter>();
	private readonly bySignal = new WeakMap<AbortSignal, Set<Waiter>>();
	private readonly refusals: Refusals;
	private window: SlidingWindow | undefined;
	private inFlight = 0;
	private pacedAt = -Infinity;
	private usedAt = -Infinity;
	private alarmAt = Infinity;

	/**
	 * @param limit The number of requests per window; 0 for no pacing.
	 * @param windowMs Length of the window in milliseconds.
	 */
	constructor(
		limit: number,
		private readonly windowMs: number,
		private readonly clock: Clock,
	) {
		this.refusals = new Refusals(windowMs);
		this.limit = limit;
	}

	/**
	 * A new limit takes effect immediately. The limiter discards its estimates for the old limit.
	 */
	set limit(limit: number) {
		this.usedAt = this.clock.now();
		if ((this.window?.limit ?? 0) === limit) return;
		this.window = limit > 0 ? new SlidingWindow(limit, this.windowMs) : undefined;
		this.advance();
	}

	/** Whether this limiter behaves exactly like a new one, and has not been used lately. */
	get isIdle(): boolean {
		const now = this.clock.now();
		const forgotten = Math.max(this.usedAt + this.windowMs, this.refusals.pausedUntil) < now;
		return this.queue.isEmpty && this.inFlight === 0 && forgotten;
	}

	/**
	 * Waits until one request may be sent.
	 *
	 * @param client The waiting client. Clients take turns, so that none of them holds up the
	 * others.
	 */
	async acquire(client: object, options: AcquireOptions = {}): Promise<AcquireResult> {
		const { deadline = Infinity, signal } = options;
		if (signal?.aborted === true) return 'stopped';
		const now = this.clock.now();
		if (deadline <= Math.max(now, this.refusals.pausedUntil)) return 'late';
		if (this.queue.isEmpty && this.roomAt(now) <= now) return this.begin(now);
		return await new Promise<AcquireResult>((settle) => {
			const waiter = { client, deadline, signal, settle };
			if (signal !== undefined) this.stoppedBy(signal).add(waiter);
			// If another request is already waiting, the timer for the next slot has already been
			// set.
			const isFirst = this.queue.isEmpty;
			this.queue.add(waiter);
			if (isFirst) this.advance();
		});
	}

	/**
	 * The waiting requests that this signal can stop. They share one event handler, because adding
	 * one for each request would take 5 microseconds each time.
	 */
	private stoppedBy(signal: AbortSignal): Set<Waiter> {
		const known = this.bySignal.get(signal);
		if (known !== undefined) return known;
		const waiters = new Set<Waiter>();
		this.bySignal.set(signal, waiters);
		const stop = (): void => {
			for (const waiter of waiters) {
				this.queue.remove(waiter);
				this.end(waiter, 'stopped');
			}
		};
		signal.addEventListener('abort', stop, { once: true });
		return waiters;
	}

	private end(waiter: Waiter, result: AcquireResult): void {
		if (waiter.signal !== undefined) this.bySignal.get(waiter.signal)?.delete(waiter);
		waiter.settle(result);
	}

	private roomAt(now: number): number {
		const { most, spacingMs } = this.pace;
		const paced = this.inFlight < most ? now : this.pacedAt + spacingMs;
		return Math.max(this.window?.roomAt(now) ?? now, paced, this.refusals.pausedUntil);
	}

	/** How many requests may be in flight, and how soon another request may follow. */
	private get pace(): { most: number; spacingMs: number } {
		if (this.refusals.inARow > 0) return { most: 1, spacingMs: this.windowMs * TRIAL };
		const limit = this.window?.limit ?? Infinity;
		const most = Math.min(ON_THE_WAY, limit * PART_ON_THE_WAY);
		return { most, spacingMs: (this.windowMs * BURST) / limit };
	}

	private begin(sentAt: number): Slot {
		const { window } = this;
		const sent = window?.begin(sentAt);
		this.inFlight++;
		// If a timer was late, the next one is set earlier by the same amount.
		const { spacingMs } = this.pace;
		const late = sentAt - this.pacedAt - spacingMs;
		this.pacedAt = late > 0 && late < spacingMs ? sentAt - late : sentAt;
		return {
			release: (outcome, retryAfterMs) => {
				const now = this.clock.now();
				this.inFlight--;
				this.usedAt = now;
				if (outcome === 'refused') {
					const isDoubtful = this.refusals.refused(sentAt, now, retryAfterMs);
					if (sent !== undefined) window?.refused(sent, now, isDoubtful);
				} else {
					this.refusals.accepted(sentAt);
					if (sent !== undefined) window?.counted(sent, now);
				}
				this.advance();
			},
		};
	}

	/** Hands out the available slots, and sets a timer for the next one. */
	private advance(): void {
		const now = this.clock.now();
		const { queue, refusals } = this;
		for (;;) {
			const late = queue.nextDue(refusals.pausedUntil);
			if (late === undefined) break;
			this.end(late, 'late');
		}
		while (this.roomAt(now) <= now) {
			const next = queue.next();
			if (next === undefined) return;
			this.end(next, this.begin(now));
		}
		if (!queue.isEmpty) this.setAlarm(now);
	}

	private setAlarm(now: number): void {
		// A Node timer cannot run for a month, and no timer should run much longer than it is
		// needed.
		const at = Math.min(this.roomAt(now), now + this.windowMs);
		if (at >= this.alarmAt) return;
		this.alarmAt = at;
		void this.clock.sleep(Math.ceil(at - now)).then(() => {
			if (this.alarmAt !== at) return;
			this.alarmAt = Infinity;
			this.advance();
		});
	}
}
