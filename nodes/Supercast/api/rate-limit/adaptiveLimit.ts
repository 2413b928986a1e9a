/** How much of the service's limit is ours, as far as its refusals tell. Numbers: decision 0006. */

// A probe goes an eighth of a window late, when a burst is over and others have reused their room. On
// time, four processes that are told to wait a minute take 1.28 of the shortest time, and so 1.10.
const PROBE_AFTER = 1 + 1 / 8;
/** After a probe that was refused: with the time above, 1 % more of all requests are refused. */
const PROBE_AGAIN_AFTER = 2 + 1 / 8;
/** Or after so many requests: three unequal workers take 1.03 of the shortest time, without it 1.34. */
const PROBE_EVERY = 60;

/**
 * The part of a limit that one process may use. It is the whole limit until the service refuses
 * requests, which means that others spend the same budget. Then it is what got through in the last
 * window, which is known exactly. Later it probes with one request, and takes back what it finds.
 */
export class AdaptiveLimit {
	private current: number;
	private isProbing = false;
	/** By how much more than its part it tries: twice as much after each answer (1.03, one by one 1.21). */
	private step = 1;
	private acceptedSince = 0;
	/** When it will try for more; Infinity when it does already, or has everything. */
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

	/** Requests that may be in the window together. */
	currentLimit(now: number): number {
		if (now >= this.nextProbe) this.probe();
		return this.isProbing ? Math.min(this.limit, this.current + this.step) : this.current;
	}

	/**
	 * A request got through.
	 *
	 * @param counted How many of ours got through in the window that ends now.
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
	 * A request was refused.
	 *
	 * @param heldBefore How many of ours were in the window when it was sent, without it. Later is too
	 * late to count: earlier ones have left the window, and nothing has taken their place yet.
	 * @param isDoubtful Whether that may have been by chance. One such refusal in the middle of 1,000
	 * requests costs 0.5 % of the time, and 7.5 % if it is believed.
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
