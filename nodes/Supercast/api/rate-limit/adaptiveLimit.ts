/**
 * Learns from Supercast's refusals how much of its limit is left for this process. Numbers:
 * decision 0006.
 */

// A probe goes an eighth of a window late. By then a burst is over, and other apps have reused
// their room. Without the delay, four processes that must wait a minute take 1.28 of the shortest
// time. With it, they take 1.10.
const PROBE_AFTER = 1 + 1 / 8;
/**
 * The wait after a refused probe. With the wait above instead, 1 % more of all requests are
 * refused.
 */
const PROBE_AGAIN_AFTER = 2 + 1 / 8;
/**
 * Also probes after so many requests. Three unequal workers then take 1.03 of the shortest time,
 * and 1.34 without.
 */
const PROBE_EVERY = 60;

/**
 * The part of a limit that one process may use. It starts with the whole limit. If Supercast refuses
 * requests, other apps use the same limit. The part then shrinks to the number of requests that got
 * through in the last window, which is known exactly. Later it probes for more room, starting with
 * one request, and keeps the room that it finds.
 */
export class AdaptiveLimit {
	private current: number;
	private isProbing = false;
	/**
	 * How many requests above its part it tries. This doubles after each response (1.03; one by one
	 * 1.21).
	 */
	private step = 1;
	private acceptedSince = 0;
	/** When it next tries for more. Infinity when it is trying already, or has the whole limit. */
	nextProbe = Infinity;

	/**
	 * @param limit Requests in a window.
	 * @param windowMs Length of the window in milliseconds.
	 */
	constructor(
		private readonly limit: number,
		private readonly windowMs: number,
	) {
		this.current = limit;
	}

	/** How many requests the process may have in the window at the same time. */
	currentLimit(now: number): number {
		if (now >= this.nextProbe) this.probe();
		return this.isProbing ? Math.min(this.limit, this.current + this.step) : this.current;
	}

	/**
	 * Notes that a request got through.
	 *
	 * @param counted How many requests of this process got through in the window that ends now.
	 */
	accepted(counted: number): void {
		if (counted > this.current) {
			this.current = counted;
			this.step++;
		}
		if (this.current >= this.limit) {
			this.isProbing = false;
			this.nextProbe = Infinity;
		} else if (!this.isProbing && ++this.acceptedSince >= PROBE_EVERY) this.probe();
	}

	/**
	 * Notes that a request was refused.
	 *
	 * @param heldBefore How many requests of this process were in the window when it was sent,
	 * without itself. Counting later gives too few: older requests have left the window by then,
	 * and no new ones were sent.
	 * @param isDoubtful Whether the refusal may be by chance. One such refusal in the middle of
	 * 1,000 requests costs 0.5 % of the time. If it counted in full, it would cost 7.5 %.
	 */
	refused(now: number, heldBefore: number, isDoubtful: boolean): void {
		if (isDoubtful && this.current === this.limit) return;
		const wait = this.isProbing ? PROBE_AGAIN_AFTER : PROBE_AFTER;
		this.current = Math.max(1, Math.min(this.current, heldBefore));
		this.isProbing = false;
		this.acceptedSince = 0;
		this.nextProbe = now + this.windowMs * wait;
	}

	private probe(): void {
		this.isProbing = true;
		this.nextProbe = Infinity;
		this.step = 1;
	}
}
