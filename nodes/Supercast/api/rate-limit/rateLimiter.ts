/** Lets requests go as fast as a limit allows, in turns, for everybody in the process. */

import { pause, type Clock } from '../clock';
import { FairQueue, type Queued } from './fairQueue';
import { SlidingWindow, type Outcome } from './slidingWindow';

/** The right to send one request now. It has to be released, whatever comes of the request. */
export interface Slot {
	/**
	 * @param outcome Whether the service counted the request, or refused it with 429.
	 * @param retryAfterMs How long everybody should wait, if the service said so.
	 */
	release(outcome: Outcome, retryAfterMs?: number): void;
}

/**
 * What came of waiting: a slot, or none. `late`: the service's refusals keep everybody waiting beyond
 * the deadline. `stopped`: the signal was aborted.
 */
export type AcquireResult = Slot | 'late' | 'stopped';

/** How somebody waits. */
export interface AcquireOptions {
	/**
	 * For a retry, by the clock's `now`: how long there is any use in it. It goes before everybody who
	 * has none. To wait behind others never makes it late, only refusals do.
	 */
	deadline?: number;
	/** Ends the wait at once when aborted. */
	signal?: AbortSignal;
}

interface Waiter extends Queued {
	settle(result: AcquireResult): void;
}

interface Alarm {
	at: number;
	off: AbortController;
}

// Without Retry-After, and with nothing of ours in the window that could leave it, nobody knows when
// there is room: asked again after this part of a window, and twice as long after each refusal.
const FIRST_BLIND_BACKOFF = 1 / 16;
const LONGEST_BLIND_BACKOFF = 1 / 3;

// A timer of Node that is to run for longer fires at once.
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/** One limit, shared by all who spend it. */
export class RateLimiter {
	private readonly queue = new FairQueue<Waiter>();
	private window: SlidingWindow | undefined;
	private inFlight = 0;
	private pausedUntil = -Infinity;
	private blindBackoff = FIRST_BLIND_BACKOFF;
	private lastEnd = -Infinity;
	private alarm: Alarm | undefined;

	/**
	 * @param limit Requests in a window; 0 for no limit on this side.
	 * @param windowMs Length of the window in milliseconds.
	 */
	constructor(
		limit: number,
		private readonly windowMs: number,
		private readonly clock: Clock,
	) {
		this.limit = limit;
	}

	/** A new limit takes effect at once, and what was learned of the old one is forgotten. */
	set limit(limit: number) {
		if ((this.window?.limit ?? 0) === limit) return;
		this.window = limit > 0 ? new SlidingWindow(limit, this.windowMs) : undefined;
		this.advance();
	}

	/** Whether a new limiter would behave no differently from this one. */
	get isIdle(): boolean {
		const now = this.clock.now();
		const forgotten = Math.max(this.lastEnd + this.windowMs, this.pausedUntil) < now;
		return this.queue.isEmpty && this.inFlight === 0 && forgotten;
	}

	/**
	 * Waits until one request may be sent.
	 *
	 * @param client Who asks. Clients take turns, so that many requests of one do not hold up another.
	 */
	async acquire(client: object, options: AcquireOptions = {}): Promise<AcquireResult> {
		const { deadline = Infinity, signal } = options;
		if (signal?.aborted === true) return 'stopped';
		const now = this.clock.now();
		if (deadline <= Math.max(now, this.pausedUntil)) return 'late';
		if (this.queue.isEmpty && this.roomAt(now) <= now) return this.begin(now);
		return await new Promise<AcquireResult>((resolve) => {
			const stop = (): void => {
				this.queue.remove(waiter);
				resolve('stopped');
				this.setAlarm();
			};
			const settle = (result: AcquireResult): void => {
				signal?.removeEventListener('abort', stop);
				resolve(result);
			};
			const waiter = { client, deadline, settle };
			signal?.addEventListener('abort', stop, { once: true });
			this.queue.add(waiter);
			this.advance();
		});
	}

	private advance(): void {
		const now = this.clock.now();
		while (!this.queue.isEmpty && this.roomAt(now) <= now) {
			this.queue.next()?.settle(this.begin(now));
		}
		this.setAlarm();
	}

	private roomAt(now: number): number {
		return Math.max(this.pausedUntil, this.window?.roomAt(now) ?? now);
	}

	private begin(sentAt: number): Slot {
		const { window } = this;
		const sent = window?.begin(sentAt);
		this.inFlight++;
		return {
			release: (outcome, retryAfterMs) => {
				const now = this.clock.now();
				this.inFlight--;
				this.lastEnd = now;
				if (sent !== undefined) window?.end(outcome, sent, now);
				if (outcome === 'refused') this.yieldToOthers(sentAt, now, retryAfterMs);
				else this.blindBackoff = FIRST_BLIND_BACKOFF;
				this.advance();
			},
		};
	}

	private yieldToOthers(sentAt: number, now: number, toldMs?: number): void {
		// A service that says the same again and again does not know when there is room.
		const firstRefusal = this.blindBackoff === FIRST_BLIND_BACKOFF;
		const pauseMs = Math.max(toldMs ?? 0, this.blindBackoffMs(sentAt));
		const believed = firstRefusal && toldMs !== undefined ? toldMs : pauseMs;
		this.pausedUntil = Math.max(this.pausedUntil, now + believed);
		for (;;) {
			const waiter = this.queue.nextDue(this.pausedUntil);
			if (waiter === undefined) return;
			waiter.settle('late');
		}
	}

	/** How long to wait where only guessing is left; 0 while there is something better. */
	private blindBackoffMs(sentAt: number): number {
		const hasOwnRoomComing = this.window !== undefined && this.window.held > 0;
		// Those that were under way together with the one that led to the pause tell nothing new.
		if (hasOwnRoomComing || sentAt < this.pausedUntil) return 0;
		const ms = this.blindBackoff * this.windowMs;
		this.blindBackoff = Math.min(this.blindBackoff * 2, LONGEST_BLIND_BACKOFF);
		return ms;
	}

	/** Sees to it that time alone brings on the next slot. */
	private setAlarm(): void {
		const now = this.clock.now();
		const at = this.queue.isEmpty ? Infinity : this.roomAt(now);
		if (this.alarm !== undefined && this.alarm.at <= at && at < Infinity) return;
		this.alarm?.off.abort();
		this.alarm = undefined;
		if (at === Infinity) return;
		const alarm: Alarm = { at, off: new AbortController() };
		this.alarm = alarm;
		const ms = Math.min(Math.ceil(at - now), LONGEST_SLEEP_MS);
		void pause(this.clock, ms, alarm.off.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.advance();
		});
	}
}
