/** How much of the service's limit is ours, as far as its refusals tell. */

// After how many windows it probes for more, and after how many when that probe was refused. Whole
// numbers would send it just when others reuse their room. Whoever has much probes more often, so
// that one of so many requests is a probe, whatever the limit.
const PROBE_AFTER = 1 + 1 / 8;
const PROBE_AGAIN_AFTER = 2 + 1 / 8;
const PROBE_EVERY = 60;

/**
 * The part of a limit that one process may use. It is the whole limit until the service refuses two
 * requests in a row, which means that others spend the same budget: then it is what really got
 * through in the last window. Later it probes with one request, and takes back whatever it finds,
 * twice as much after each answer.
 */
export class AdaptiveLimit {
	private current: number;
	private isProbing = false;
	/** By how much more than its part it tries while it probes. */
	private step = 1;
	/** When it will try for more; Infinity when it does already, or has everything. */
	nextProbe = Infinity;
	private acceptedSince = 0;

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

	/** Requests that may be in the window at once. */
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
	 * @param isDoubtful Whether it may have been by chance.
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
