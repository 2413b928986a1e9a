/** The sliding window of one limit: which requests still count, and when there is room. */

import { AdaptiveLimit } from './adaptiveLimit';

// Two clocks drift apart by at most this much while one of them is being adjusted (NTP slews 500
// ppm). With this allowance, three workers take 1.03 times the shortest possible time, and 1.09
// times without it.
const CLOCK_DRIFT = 0.0005;

// After this part of a window, even a request without a response has reached Supercast. If 17 of 32
// requests hang, 568 other requests take 5.1 windows with this rule, and 6.1 windows without it.
const LONGEST_WAY = 1 / 20;

/** With each slower response, the shortest response time rises by this part of the difference. */
const FORGETTING = 1 / 64;

/** A request in flight, and the state when it was sent. */
export interface InFlight {
	readonly at: number;
	/** How many requests of this process Supercast may have counted before this one. */
	readonly heldBefore: number;
}

/**
 * Counts requests by the time they reach Supercast, as Supercast does. That time is unknown, but it
 * lies between sending a request and receiving its response. The estimate is the time of the
 * response minus the shortest recent response time. An earlier estimate would not be safe, because
 * the next request may arrive faster.
 *
 * With this estimate, only jitter costs time, not slow responses. If each response takes 2 s, 1,000
 * requests take 1.02 times the shortest possible time. If requests counted from their responses,
 * they would take 1.05 times. If they counted from when they are sent, and needed 0.1 to 1.5 s to
 * arrive, Supercast would refuse 3%.
 */
export class SlidingWindow {
	/** Requests in flight, oldest first. */
	private readonly unanswered: InFlight[] = [];
	/** When the accepted requests leave the window, in order. */
	private readonly leaving: number[] = [];
	// Starts at 0. A process takes longer to send its first requests than later ones, because its
	// code runs for the first time.
	private shortestMs = 0;
	private readonly adaptive: AdaptiveLimit;

	/**
	 * @param limit The number of requests per window, at least 1.
	 * @param windowMs Length of the window in milliseconds.
	 */
	constructor(
		readonly limit: number,
		private readonly windowMs: number,
	) {
		this.adaptive = new AdaptiveLimit(limit, windowMs);
	}

	/** When the next request may be sent: now, or later. */
	roomAt(now: number): number {
		this.forget(now);
		if (this.held < this.adaptive.currentLimit(now)) return now;
		const [first = Infinity] = this.leaving;
		return Math.min(first, this.leavesAt(this.unanswered[0]), this.adaptive.nextProbe);
	}

	/** Counts a request that is about to be sent. */
	begin(now: number): InFlight {
		const sent = { at: now, heldBefore: this.held };
		this.unanswered.push(sent);
		return sent;
	}

	/** Records that Supercast accepted a request. */
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
		this.adaptive.accepted(this.leaving.length);
	}

	/**
	 * Records that Supercast refused a request.
	 *
	 * @param isDoubtful Whether the refusal may be a one-off, although the limit is not reached.
	 */
	refused(sent: InFlight, now: number, isDoubtful: boolean): void {
		this.remove(sent);
		this.adaptive.refused(now, sent.heldBefore, isDoubtful);
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
