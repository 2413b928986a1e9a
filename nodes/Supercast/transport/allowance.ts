/** How much of the service's limit is ours, as far as its refusals tell. Pure. */

// After how many windows it probes: sooner when the last probe found room. A probe into a limit that
// is used up costs a refusal, and whole numbers would send it just when others reuse their room.
const PROBE_AFTER = 1.3;
const PROBE_AFTER_FAILURE = 2.3;

/**
 * The share of a limit that one process may use. It is the whole limit until the service refuses a
 * request, which means that others spend the same budget: then it is what really got through in the
 * last window. Later it probes, and takes back whatever room it finds.
 */
export class Allowance {
	private share: number;
	/** How many more than its share it tries, while it probes. */
	private extra = 0;
	private patience = PROBE_AFTER;
	private probeAt = Infinity;

	/**
	 * @param limit Requests in a window.
	 * @param windowMs Length of the window in milliseconds.
	 */
	constructor(
		private readonly limit: number,
		private readonly windowMs: number,
	) {
		this.share = limit;
	}

	/** Requests that may be in the window at once. */
	at(now: number): number {
		if (now >= this.probeAt) {
			this.extra = 1;
			this.probeAt = Infinity;
		}
		return Math.min(this.limit, this.share + this.extra);
	}

	/** When it will try for more; Infinity when it does already, or has everything. */
	get nextProbe(): number {
		return this.probeAt;
	}

	/**
	 * A request got through.
	 *
	 * @param counted How many of ours got through in the window that ends now.
	 */
	accepted(counted: number): void {
		if (counted <= this.share) return;
		this.share = counted;
		this.extra++;
		this.patience = PROBE_AFTER;
	}

	/**
	 * A request was refused.
	 *
	 * @param held How many of ours are in the window: what got through and what is on its way.
	 */
	refused(now: number, held: number): void {
		if (this.extra === 1) this.patience = PROBE_AFTER_FAILURE;
		this.extra = 0;
		this.share = Math.max(1, Math.min(this.share, held));
		this.probeAt = now + this.windowMs * this.patience;
	}
}
