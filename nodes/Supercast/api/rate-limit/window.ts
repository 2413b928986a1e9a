/**
 * Estimates how many requests Supercast still counts, and how much of its limit is left. Decision
 * 0006 explains the rules, and what each of these numbers buys.
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

export interface CountedRequest {
	readonly sentAt: number;
	/** How many requests were in the window when this one was sent. */
	readonly heldBefore: number;
	isAccepted: boolean;
	leavesAt: number;
}

/** Counts requests by the estimated time at which they reach Supercast, as Supercast does. */
export class SlidingWindow {
	/** In the order in which they leave the window. */
	private readonly held: CountedRequest[] = [];
	private acceptedCount = 0;
	// The first requests of a process are slow, so no time is subtracted from the first response.
	private shortestMs = 0;
	share: Share;

	constructor(
		limit: number,
		private readonly windowMs: number,
	) {
		this.share = new Share(limit, windowMs);
	}

	roomAt(now: number): number {
		this.forget(now);
		if (this.held.length < this.share.at(now)) return now;
		return Math.min(this.held[0]!.leavesAt, this.share.nextProbe);
	}

	begin(now: number): CountedRequest {
		const leavesAt = now + this.windowMs * (1 + LONGEST_WAY);
		const sent = { sentAt: now, heldBefore: this.held.length, isAccepted: false, leavesAt };
		this.held.push(sent);
		return sent;
	}

	counted(sent: CountedRequest, now: number): void {
		const ms = now - sent.sentAt;
		this.shortestMs = Math.min(ms, this.shortestMs + (ms - this.shortestMs) * FORGETTING);
		const leavesAt = now - this.shortestMs + this.windowMs * (1 + CLOCK_DRIFT);
		this.remove(sent);
		sent.leavesAt = Math.min(sent.leavesAt, leavesAt);
		sent.isAccepted = true;
		this.acceptedCount++;
		let place = this.held.length;
		while (place > 0 && this.held[place - 1]!.leavesAt > sent.leavesAt) place--;
		this.held.splice(place, 0, sent);
		this.forget(now);
		this.share.accepted(this.acceptedCount);
	}

	/** @param isDoubtful Whether the refusal may be a one-off, although the limit is not reached. */
	refused(sent: CountedRequest, now: number, isDoubtful: boolean): void {
		this.remove(sent);
		this.share.refused(now, sent.heldBefore, isDoubtful);
	}

	private remove(sent: CountedRequest): void {
		const index = this.held.lastIndexOf(sent);
		if (index >= 0) this.held.splice(index, 1);
	}

	private forget(now: number): void {
		while (this.held[0] !== undefined && this.held[0].leavesAt <= now) {
			if (this.held.shift()!.isAccepted) this.acceptedCount--;
		}
	}
}

/**
 * The share of a limit that one process may use: at first all of it. After a refusal, it is what
 * Supercast accepted in the last window. Later, the process probes for more room.
 */
export class Share {
	private current: number;
	/** How many requests the process sends beyond its share; 0 if it is not probing. */
	private extra = 0;
	private acceptedSince = 0;
	/** When the next probe is due. Infinity during a probe, or with the whole limit. */
	nextProbe = Infinity;

	constructor(
		readonly limit: number,
		private readonly windowMs: number,
	) {
		this.current = limit;
	}

	at(now: number): number {
		if (now >= this.nextProbe) this.probe(1);
		return Math.min(this.limit, this.current + this.extra);
	}

	/** @param count How many requests Supercast has accepted in the window that ends now. */
	accepted(count: number): void {
		if (count > this.current) {
			this.current = count;
			this.extra &&= this.extra + 1;
		}
		if (this.current >= this.limit) this.probe(0);
		else if (this.extra === 0 && ++this.acceptedSince >= PROBE_EVERY) this.probe(1);
	}

	/**
	 * @param heldBefore How many requests were in the window when this one was sent. A later count
	 * would be too low, because older requests have left the window.
	 */
	refused(now: number, heldBefore: number, isDoubtful: boolean): void {
		if (this.limit === Infinity || (isDoubtful && this.current >= this.limit)) return;
		const wait = this.extra > 0 ? PROBE_AGAIN_AFTER : PROBE_AFTER;
		this.current = Math.max(1, Math.min(this.current, heldBefore));
		this.extra = 0;
		this.acceptedSince = 0;
		this.nextProbe = now + this.windowMs * wait;
	}

	private probe(extra: number): void {
		this.extra = extra;
		this.nextProbe = Infinity;
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
	 * Counts only the first of several refusals that were in flight together.
	 * @returns Whether the refusal may be a one-off, although the limit is not reached.
	 */
	refused(sentAt: number, now: number, toldMs = 0): boolean {
		let pauseMs = toldMs;
		if (sentAt > this.lastAt) {
			const part = Math.min(FIRST_PAUSE * 2 ** this.inARow++, LONGEST_PAUSE);
			// If a server always sends the same value, the value does not show when there is room.
			if (this.inARow > 1 || toldMs === 0) pauseMs = Math.max(toldMs, part * this.windowMs);
			this.isFirst = this.acceptedSince >= ENOUGH_BETWEEN;
			this.acceptedSince = 0;
			this.lastAt = now;
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		return this.isFirst && toldMs <= this.windowMs * LONGEST_CHANCE;
	}
}
