/**
 * Estimates how many requests Supercast still counts, and how much of its limit is left for this
 * process. Decision 0006 explains the rules, and what each of these numbers buys.
 */
const CLOCK_DRIFT = 0.0005;
const LONGEST_WAY = 1 / 20;
const FORGETTING = 1 / 64;
const PROBE_AFTER = 1 + 1 / 8;
const PROBE_AGAIN_AFTER = 2 + 1 / 8;
const PROBE_EVERY = 60;
const FIRST_PAUSE = 1 / 30;
const LONGEST_PAUSE = 1 / 2;
const LONGEST_CHANCE = 1 / 16;
const ENOUGH_BETWEEN = 5;

/** A request in flight: when it was sent, and how many requests were in the window then. */
export interface InFlight {
	readonly at: number;
	readonly heldBefore: number;
}

/** Counts requests by the estimated time at which they reach Supercast, as Supercast does. */
export class SlidingWindow {
	/** Requests in flight, oldest first. */
	private readonly unanswered: InFlight[] = [];
	/** When the accepted requests leave the window, in order. */
	private readonly leaving: number[] = [];
	// The first requests of a process are slow, so no time is subtracted from the first response.
	private shortestMs = 0;
	private readonly share: Share;

	constructor(
		limit: number,
		private readonly windowMs: number,
	) {
		this.share = new Share(limit, windowMs);
	}

	get limit(): number {
		return this.share.limit;
	}

	set limit(limit: number) {
		this.share.limit = limit;
	}

	/** When the next request may be sent: now, or later. */
	roomAt(now: number): number {
		this.forget(now);
		if (this.held < this.share.at(now)) return now;
		const [first = Infinity] = this.leaving;
		return Math.min(first, this.leavesAt(this.unanswered[0]), this.share.nextProbe);
	}

	begin(now: number): InFlight {
		const sent = { at: now, heldBefore: this.held };
		this.unanswered.push(sent);
		return sent;
	}

	counted(sent: InFlight, now: number): void {
		const ms = now - sent.at;
		this.shortestMs = Math.min(ms, this.shortestMs + (ms - this.shortestMs) * FORGETTING);
		const arrivedAt = now - this.shortestMs;
		const leavesAt = Math.min(arrivedAt + this.windowMs * (1 + CLOCK_DRIFT), this.leavesAt(sent));
		this.remove(sent);
		let place = this.leaving.length;
		while (place > 0 && this.leaving[place - 1]! > leavesAt) place--;
		this.leaving.splice(place, 0, leavesAt);
		this.forget(now);
		this.share.accepted(this.leaving.length);
	}

	/** @param isDoubtful Whether the refusal may be a one-off, although the limit is not reached. */
	refused(sent: InFlight, now: number, isDoubtful: boolean): void {
		this.remove(sent);
		this.share.refused(now, sent.heldBefore, isDoubtful);
	}

	private get held(): number {
		return this.leaving.length + this.unanswered.length;
	}

	private leavesAt(sent: InFlight | undefined): number {
		return sent === undefined ? Infinity : sent.at + this.windowMs * (1 + LONGEST_WAY);
	}

	private remove(sent: InFlight): void {
		const index = this.unanswered.indexOf(sent);
		if (index >= 0) this.unanswered.splice(index, 1);
	}

	private forget(now: number): void {
		while (this.leaving[0]! <= now) this.leaving.shift();
		while (this.leavesAt(this.unanswered[0]) <= now) this.unanswered.shift();
	}
}

/**
 * The share of a limit that one process may use. At first it is all of it. After a refusal, it is the
 * number of requests that Supercast accepted in the last window. Later, the process probes for more
 * room.
 */
export class Share {
	private current: number;
	private isProbing = false;
	/** How many requests beyond its share the process tries. */
	private step = 1;
	private acceptedSince = 0;
	/** When the next probe is due. Infinity during a probe, or with the whole limit. */
	nextProbe = Infinity;

	constructor(
		private most: number,
		private readonly windowMs: number,
	) {
		this.current = most;
	}

	get limit(): number {
		return this.most;
	}

	set limit(limit: number) {
		const isWhole = this.current === this.most || this.current > limit || limit === Infinity;
		this.most = limit;
		if (isWhole) this.useAll();
	}

	/** How many requests the process may have in the window at the same time. */
	at(now: number): number {
		if (now >= this.nextProbe) this.probe();
		return this.isProbing ? Math.min(this.most, this.current + this.step) : this.current;
	}

	/** @param counted How many requests Supercast has accepted in the window that ends now. */
	accepted(counted: number): void {
		if (counted > this.current) {
			this.current = counted;
			this.step++;
		}
		if (this.current >= this.most) this.useAll();
		else if (!this.isProbing && ++this.acceptedSince >= PROBE_EVERY) this.probe();
	}

	/**
	 * @param heldBefore How many requests were in the window when the refused one was sent. A later
	 * count would be too low, because older requests have left the window and no new ones were sent.
	 */
	refused(now: number, heldBefore: number, isDoubtful: boolean): void {
		if (this.most === Infinity || (isDoubtful && this.current === this.most)) return;
		const wait = this.isProbing ? PROBE_AGAIN_AFTER : PROBE_AFTER;
		this.current = Math.max(1, Math.min(this.current, heldBefore));
		this.isProbing = false;
		this.acceptedSince = 0;
		this.nextProbe = now + this.windowMs * wait;
	}

	private useAll(): void {
		this.current = this.most;
		this.isProbing = false;
		this.nextProbe = Infinity;
	}

	private probe(): void {
		this.isProbing = true;
		this.nextProbe = Infinity;
		this.step = 1;
	}
}

/** Counts refusals in a row, and decides how long all clients wait. */
export class Refusals {
	inARow = 0;
	pausedUntil = -Infinity;
	private lastAt = -Infinity;
	private acceptedSince = Infinity;
	private isFirst = true;

	constructor(private readonly windowMs: number) {}

	accepted(sentAt: number): void {
		if (sentAt <= this.lastAt) return;
		this.inARow = 0;
		this.acceptedSince++;
	}

	/**
	 * If several refused requests were in flight together, only the first refusal counts.
	 *
	 * @param toldMs The value of `Retry-After` in milliseconds.
	 * @returns Whether the refusal may be a one-off, although the limit is not reached.
	 */
	refused(sentAt: number, now: number, toldMs = 0): boolean {
		let pauseMs = toldMs;
		if (sentAt > this.lastAt) {
			const part = Math.min(FIRST_PAUSE * 2 ** this.inARow++, LONGEST_PAUSE);
			// If a server keeps sending the same value, the value does not show when there is room.
			if (this.inARow > 1 || toldMs === 0) pauseMs = Math.max(toldMs, part * this.windowMs);
			this.isFirst = this.acceptedSince >= ENOUGH_BETWEEN;
			this.acceptedSince = 0;
			this.lastAt = now;
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		return this.isFirst && toldMs <= this.windowMs * LONGEST_CHANCE;
	}
}
