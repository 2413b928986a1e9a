import { pause, type Clock } from '../clock';
import { Allowance } from './allowance';
import { Turns, type Client, type Queued } from './turns';

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
	readonly signal?: AbortSignal;
	settle(result: AcquireResult): void;
}

/** Lets requests through as fast as a limit allows. All clients that use it take turns. */
export class RateLimiter {
	private readonly queue = new Turns<Waiter>();
	private readonly allowance: Allowance;
	private alarm: { at: number; stop: AbortController } | undefined;

	/** @param limit The number of requests per window; 0 for no pacing. */
	constructor(
		limit: number,
		windowMs: number,
		private readonly clock: Clock,
	) {
		this.allowance = new Allowance(windowMs);
		this.limit = limit;
	}

	/** A new limit takes effect immediately. Requests that were sent before count for it. */
	set limit(limit: number) {
		this.allowance.setLimit(limit || Infinity);
		if (!this.queue.isEmpty) this.advance(this.clock.now());
	}

	acquire(client: Client, options: AcquireOptions = {}): Promise<AcquireResult> {
		const { deadline = Infinity, signal } = options;
		const { queue, allowance } = this;
		if (signal?.aborted === true) return Promise.resolve('stopped');
		const now = this.clock.now();
		if (deadline <= Math.max(now, allowance.pausedUntil)) return Promise.resolve('late');
		if (queue.isEmpty && allowance.roomAt(now) <= now) return Promise.resolve(this.begin(now));
		return new Promise((settle) => {
			queue.add({ client, deadline, signal, settle });
			signal?.addEventListener('abort', this.stop);
			this.advance(now);
		});
	}

	/** A signal keeps this function only once, so it need not be removed. */
	private readonly stop = ({ target }: Event): void => {
		for (const waiter of this.queue.entries()) {
			if (waiter.signal !== target) continue;
			this.queue.remove(waiter);
			waiter.settle('stopped');
		}
		if (this.queue.isEmpty) this.endAlarm();
	};

	private begin(sentAt: number): Slot {
		const sent = this.allowance.begin(sentAt);
		return {
			release: (outcome, retryAfterMs) => {
				const now = this.clock.now();
				if (outcome === 'refused') this.allowance.refused(sent, now, retryAfterMs);
				else this.allowance.accepted(sent, now);
				if (!this.queue.isEmpty) this.advance(now);
			},
		};
	}

	private advance(now: number): void {
		const { queue, allowance } = this;
		let late: Waiter | undefined;
		while ((late = queue.nextDue(allowance.pausedUntil)) !== undefined) late.settle('late');
		let at = now;
		while (!queue.isEmpty && (at = allowance.roomAt(now)) <= now) {
			queue.next()!.settle(this.begin(now));
		}
		if (queue.isEmpty) return this.endAlarm();
		if (this.alarm !== undefined && this.alarm.at <= at) return;
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
