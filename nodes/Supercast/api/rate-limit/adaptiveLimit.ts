/**
 * Estimates from Supercast's refusals how much of the limit is left for this process. Decision 0006
 * explains the numbers.
 */

// A probe waits an eighth of a window longer than a full window. By that time, a burst is over, and
// other apps have used their share again. If `Retry-After` is always one minute, four processes
// take 1.28 times the shortest possible time without this delay. With it, they take 1.10 times.
const PROBE_AFTER = 1 + 1 / 8;
/**
 * The wait after a refused probe. With `PROBE_AFTER` instead, Supercast refuses 1% more of all
 * requests.
 */
const PROBE_AGAIN_AFTER = 2 + 1 / 8;
/**
 * Also probes after this many accepted requests. Three workers with unequal work then take 1.03
 * times the shortest possible time, instead of 1.34 times.
 */
const PROBE_EVERY = 60;

/**
 * The share of a limit that one process may use. It starts with the whole limit. If Supercast
 * refuses requests, other apps are using the same limit. The share then shrinks to the number of
 * requests that Supercast accepted in the last window, which is known exactly. Later, the process
 * probes for more room, starting with one request, and keeps the room that it finds.
 */
export class AdaptiveLimit {
	private current: number;
	private isProbing = false;
	/**
	 * How many requests beyond its share the process tries. The number doubles after each response.
	 * Doubling takes 1.03 times the shortest possible time, but adding one request at a time takes
	 * 1.21 times.
	 */
	private step = 1;
	private acceptedSince = 0;
	/**
	 * When the next probe is due. Infinity during a probe, or if the process has the whole limit.
	 */
	nextProbe = Infinity;

	/**
	 * @param limit The number of requests per window.
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
	 * Records that Supercast accepted a request.
	 *
	 * @param counted How many requests of this process Supercast has accepted in the window that
	 * ends now.
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
	 * Records that Supercast refused a request.
	 *
	 * @param heldBefore How many other requests of this process were in the window when this one
	 * was sent. A later count would be too low, because older requests have left the window and no
	 * new ones were sent.
	 * @param isDoubtful Whether the refusal may be a one-off. One such refusal in the middle of
	 * 1,000 requests adds 0.5% to the total time. If it counted in full, it would add 7.5%.
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
