// Decision 0006 explains the rules, and what each of these numbers buys.
const CLOCK_DRIFT = 0.0005;
const LONGEST_WAY = 1 / 20;
const FORGETTING = 1 / 64;
const ON_THE_WAY = 3;
const BURST = 1 / 8;
const TRIAL = 1 / 20;
const LONGEST_CHANCE = 1 / 16;
const ENOUGH_BETWEEN = 5;
const PROBE_AFTER = 1 + 1 / 8;
const PROBE_AGAIN_AFTER = 2 + 1 / 8;
const PROBE_EVERY = 60;
const FIRST_PAUSE = 1 / 30;
const LONGEST_PAUSE = 1 / 2;

export interface CountedRequest {
	readonly sentAt: number;
	/** How many requests were in the window when this one was sent. */
	readonly heldBefore: number;
	isAccepted: boolean;
	leavesAt: number;
}

/**
 * Estimates when Supercast accepts the next request of this process. Counts requests by the
 * estimated time at which they reach Supercast, as Supercast does.
 */
export class Allowance {
	/** In the order in which they leave the window. */
	private readonly held: CountedRequest[] = [];
	private acceptedCount = 0;
	// The first requests of a process are slow, so no time is subtracted from the first response.
	private shortestMs = 0;
	private inFlight = 0;
	private pacedAt = -Infinity;
	private limit = Infinity;
	/**
	 * At first the whole limit. After a refusal, it is what Supercast accepted in the last window.
	 * Later, the process probes for more room.
	 */
	private share = Infinity;
	/** How many requests the process sends beyond its share; 0 if it is not probing. */
	private extra = 0;
	private acceptedSince = 0;
	/** When the next probe is due. Infinity during a probe, or with the whole limit. */
	private nextProbe = Infinity;
	private refusedInARow = 0;
	private refusedAt = -Infinity;
	private acceptedBetween = Infinity;
	private isFirst = true;
	pausedUntil = -Infinity;

	constructor(private readonly windowMs: number) {}

	/** Requests that were sent before count for a new limit. */
	setLimit(limit: number): void {
		if (limit === this.limit) return;
		this.limit = limit;
		this.share = limit;
		this.probe(0);
	}

	roomAt(now: number): number {
		this.forget(now);
		if (now >= this.nextProbe) this.probe(1);
		const isFull = this.held.length >= Math.min(this.limit, this.share + this.extra);
		const leavesAt = isFull ? Math.min(this.held[0]!.leavesAt, this.nextProbe) : now;
		const isFree = this.inFlight < (this.refusedInARow > 0 ? 1 : ON_THE_WAY);
		return Math.max(leavesAt, isFree ? now : this.pacedAt + this.spacingMs, this.pausedUntil);
	}

	begin(now: number): CountedRequest {
		this.inFlight++;
		// If a timer was late, the next one is set earlier by the same amount.
		const dueAt = this.pacedAt + this.spacingMs;
		this.pacedAt = now < dueAt + this.spacingMs ? Math.min(now, dueAt) : now;
		const leavesAt = now + this.windowMs * (1 + LONGEST_WAY);
		const sent = { sentAt: now, heldBefore: this.held.length, isAccepted: false, leavesAt };
		this.held.push(sent);
		return sent;
	}

	accepted(sent: CountedRequest, now: number): void {
		this.end(sent);
		if (sent.sentAt > this.refusedAt) {
			this.refusedInARow = 0;
			this.acceptedBetween++;
		}
		const ms = now - sent.sentAt;
		this.shortestMs = Math.min(ms, this.shortestMs + (ms - this.shortestMs) * FORGETTING);
		const leavesAt = now - this.shortestMs + this.windowMs * (1 + CLOCK_DRIFT);
		sent.leavesAt = Math.min(sent.leavesAt, leavesAt);
		sent.isAccepted = true;
		this.acceptedCount++;
		let place = this.held.length;
		while (place > 0 && this.held[place - 1]!.leavesAt > sent.leavesAt) place--;
		this.held.splice(place, 0, sent);
		this.forget(now);
		if (this.acceptedCount > this.share) {
			this.share = this.acceptedCount;
			this.extra &&= this.extra + 1;
		}
		if (this.share >= this.limit) this.probe(0);
		else if (this.extra === 0 && ++this.acceptedSince >= PROBE_EVERY) this.probe(1);
	}

	/** @param toldMs How long to wait, if Supercast said so. */
	refused(sent: CountedRequest, now: number, toldMs = 0): void {
		this.end(sent);
		let pauseMs = toldMs;
		// Of several refusals that were in flight together, only the first counts.
		if (sent.sentAt > this.refusedAt) {
			const part = Math.min(FIRST_PAUSE * 2 ** this.refusedInARow++, LONGEST_PAUSE);
			// If a server always sends the same value, the value does not show when there is room.
			if (this.refusedInARow > 1 || toldMs === 0) pauseMs = Math.max(toldMs, part * this.windowMs);
			this.isFirst = this.acceptedBetween >= ENOUGH_BETWEEN;
			this.acceptedBetween = 0;
			this.refusedAt = now;
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		const isDoubtful = this.isFirst && toldMs <= this.windowMs * LONGEST_CHANCE;
		if (this.limit === Infinity || (isDoubtful && this.share >= this.limit)) return;
		this.nextProbe = now + this.windowMs * (this.extra > 0 ? PROBE_AGAIN_AFTER : PROBE_AFTER);
		// A later count would be too low, because older requests have left the window.
		this.share = Math.max(1, Math.min(this.share, sent.heldBefore));
		this.extra = 0;
		this.acceptedSince = 0;
	}

	/** How soon another request may follow if enough are in flight. */
	private get spacingMs(): number {
		return this.windowMs * (this.refusedInARow > 0 ? TRIAL : BURST / this.limit);
	}

	private end(sent: CountedRequest): void {
		this.inFlight--;
		const index = this.held.lastIndexOf(sent);
		if (index >= 0) this.held.splice(index, 1);
	}

	private forget(now: number): void {
		while (this.held[0] !== undefined && this.held[0].leavesAt <= now) {
			if (this.held.shift()!.isAccepted) this.acceptedCount--;
		}
	}

	private probe(extra: number): void {
		this.extra = extra;
		this.nextProbe = Infinity;
	}
}
