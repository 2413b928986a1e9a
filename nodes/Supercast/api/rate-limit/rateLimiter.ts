import { pause, type Clock } from '../clock';
import { Turns, type Client, type Queued } from './turns';
import { Refusals, Share, SlidingWindow } from './window';

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
	settle(result: AcquireResult): void;
}

// Decision 0006 explains what each of these numbers buys.
const ON_THE_WAY = 3;
const BURST = 1 / 8;
const TRIAL = 1 / 20;

/** Lets requests through as fast as a limit allows. All clients that use it take turns. */
export class RateLimiter {
	private readonly queue = new Turns<Waiter>();
	private readonly refusals: Refusals;
	private readonly window: SlidingWindow;
	private inFlight = 0;
	private pacedAt = -Infinity;
	private alarm: { at: number; stop: AbortController } | undefined;

	/** @param limit The number of requests per window; 0 for no pacing. */
	constructor(
		limit: number,
		private readonly windowMs: number,
		private readonly clock: Clock,
	) {
		this.refusals = new Refusals(windowMs);
		this.window = new SlidingWindow(limit || Infinity, windowMs);
	}

	/** A new limit takes effect immediately. Requests that were sent before count for it. */
	set limit(limit: number) {
		const share = new Share(limit || Infinity, this.windowMs);
		if (share.limit !== this.window.share.limit) this.window.share = share;
		this.advance();
	}

	async acquire(client: Client, options: AcquireOptions = {}): Promise<AcquireResult> {
		const { deadline = Infinity, signal } = options;
		if (signal?.aborted === true) return 'stopped';
		const now = this.clock.now();
		if (deadline <= Math.max(now, this.refusals.pausedUntil)) return 'late';
		if (this.queue.isEmpty && this.roomAt(now) <= now) return this.begin(now);
		return await new Promise<AcquireResult>((resolve) => {
			const stop = (): void => {
				this.queue.remove(waiter);
				if (this.queue.isEmpty) this.endAlarm();
				resolve('stopped');
			};
			const settle = (result: AcquireResult): void => {
				signal?.removeEventListener('abort', stop);
				resolve(result);
			};
			const waiter: Waiter = { client, deadline, settle };
			signal?.addEventListener('abort', stop);
			this.queue.add(waiter);
			this.advance();
		});
	}

	private roomAt(now: number): number {
		const { window, refusals, inFlight } = this;
		const isFree = inFlight < (refusals.inARow > 0 ? 1 : ON_THE_WAY);
		const pacedAt = isFree ? now : this.pacedAt + this.spacingMs;
		return Math.max(window.roomAt(now), pacedAt, refusals.pausedUntil);
	}

	/** How soon another request may follow if enough are in flight. */
	private get spacingMs(): number {
		return this.windowMs * (this.refusals.inARow > 0 ? TRIAL : BURST / this.window.share.limit);
	}

	private begin(sentAt: number): Slot {
		const { window, refusals, spacingMs } = this;
		const sent = window.begin(sentAt);
		this.inFlight++;
		// If a timer was late, the next one is set earlier by the same amount.
		const dueAt = this.pacedAt + spacingMs;
		this.pacedAt = sentAt < dueAt + spacingMs ? Math.min(sentAt, dueAt) : sentAt;
		return {
			release: (outcome, retryAfterMs) => {
				const now = this.clock.now();
				this.inFlight--;
				if (outcome === 'refused') {
					window.refused(sent, now, refusals.refused(sentAt, now, retryAfterMs));
				} else {
					refusals.accepted(sentAt);
					window.counted(sent, now);
				}
				this.advance();
			},
		};
	}

	private advance(): void {
		const now = this.clock.now();
		const { queue, refusals } = this;
		let late: Waiter | undefined;
		while ((late = queue.nextDue(refusals.pausedUntil)) !== undefined) late.settle('late');
		let at = now;
		while (!queue.isEmpty && (at = this.roomAt(now)) <= now) queue.next()!.settle(this.begin(now));
		if (queue.isEmpty) return this.endAlarm();
		if (this.alarm !== undefined && this.alarm.at <= at) return;
		this.endAlarm();
		const alarm = { at, stop: new AbortController() };
		this.alarm = alarm;
		void pause(this.clock, Math.ceil(at - now), alarm.stop.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.advance();
		});
	}

	private endAlarm(): void {
		this.alarm?.stop.abort();
		this.alarm = undefined;
	}
}

const limiters = new Map<string, RateLimiter>();

/** Gets the limiter that all nodes in this process share for a credential and Supercast's origin. */
export function rateLimiterFor(
	origin: string,
	credentialId: string,
	requestsPerMinute: number,
	{ clock, windowMs }: { clock: Clock; windowMs: number },
): RateLimiter {
	const key = `${origin} ${credentialId}`;
	const limiter = limiters.get(key) ?? new RateLimiter(requestsPerMinute, windowMs, clock);
	limiters.set(key, limiter);
	limiter.limit = requestsPerMinute;
	return limiter;
}
