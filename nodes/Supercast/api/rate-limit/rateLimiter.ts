/** Lets requests go as fast as a limit allows, in turns, for everybody in the process. */

import type { Clock } from '../clock';
import { FairQueue, type Queued } from './fairQueue';
import { Refusals } from './refusals';
import { SlidingWindow } from './slidingWindow';

/** What became of a request, as far as the service's count is concerned. */
export type Outcome = 'counted' | 'refused';

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

// When others have used up the limit, whatever is on its way is refused as well. So only so many, or
// this part of a small limit, are on their way at once, and those of a slow service follow each other
// in such a way that the whole limit is sent in an eighth of a window.
const ON_THE_WAY = 3;
const PART_ON_THE_WAY = 1 / 20;
const BURST = 1 / 8;

// After a refusal one request tries whether there is room; one without answer holds up nobody for longer.
const TRIAL = 1 / 20;

/** One limit, shared by all who spend it. */
export class RateLimiter {
	private readonly queue = new FairQueue<Waiter>();
	private readonly refusals: Refusals;
	private window: SlidingWindow | undefined;
	private inFlight = 0;
	private pacedAt = -Infinity;
	private lastEndAt = -Infinity;
	private alarmAt = Infinity;

	/**
	 * @param limit Requests in a window; 0 for no limit on this side.
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

	/** A new limit takes effect at once, and what was learned of the old one is forgotten. */
	set limit(limit: number) {
		if ((this.window?.limit ?? 0) === limit) return;
		this.window = limit > 0 ? new SlidingWindow(limit, this.windowMs) : undefined;
		this.advance();
	}

	/** Whether a new limiter would behave no differently from this one. */
	get isIdle(): boolean {
		const now = this.clock.now();
		const forgotten = Math.max(this.lastEndAt + this.windowMs, this.refusals.pausedUntil) < now;
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
		if (deadline <= Math.max(now, this.refusals.pausedUntil)) return 'late';
		if (this.queue.isEmpty && this.roomAt(now) <= now) return this.begin(now);
		return await new Promise<AcquireResult>((resolve) => {
			const stop = (): void => {
				this.queue.remove(waiter);
				resolve('stopped');
			};
			const settle = (result: AcquireResult): void => {
				signal?.removeEventListener('abort', stop);
				resolve(result);
			};
			const waiter = { client, deadline, settle };
			signal?.addEventListener('abort', stop, { once: true });
			// Where somebody waits already, the next slot is on its way.
			const isFirst = this.queue.isEmpty;
			this.queue.add(waiter);
			if (isFirst) this.advance();
		});
	}

	private roomAt(now: number): number {
		const room = this.window?.roomAt(now) ?? now;
		return Math.max(room, this.nextAt(now), this.refusals.pausedUntil);
	}

	/** When the next may follow those that are on their way. */
	private nextAt(now: number): number {
		const most = this.isTrial ? 1 : Math.min(ON_THE_WAY, this.most * PART_ON_THE_WAY);
		return this.inFlight < most ? now : this.pacedAt + this.spacing;
	}

	private get spacing(): number {
		return this.windowMs * (this.isTrial ? TRIAL : BURST / this.most);
	}

	private get isTrial(): boolean {
		return this.refusals.inARow > 0;
	}

	private get most(): number {
		return this.window?.limit ?? Infinity;
	}

	private begin(sentAt: number): Slot {
		const { window } = this;
		const sent = window?.begin(sentAt);
		this.inFlight++;
		// What a timer is late by is made up for at the next.
		const late = sentAt - this.pacedAt - this.spacing;
		this.pacedAt = late > 0 && late < this.spacing ? sentAt - late : sentAt;
		return {
			release: (outcome, retryAfterMs) => {
				const now = this.clock.now();
				this.inFlight--;
				this.lastEndAt = now;
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

	/** Gives out what there is, and sees to it that time alone brings on the next slot. */
	private advance(): void {
		const now = this.clock.now();
		const { queue, refusals } = this;
		for (;;) {
			const late = queue.nextDue(refusals.pausedUntil);
			if (late === undefined) break;
			late.settle('late');
		}
		while (!queue.isEmpty && this.roomAt(now) <= now) queue.next()?.settle(this.begin(now));
		if (!queue.isEmpty) this.setAlarm(now);
	}

	private setAlarm(now: number): void {
		// No timer of Node can run for a month, and nobody needs one that outlives its use for long.
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
