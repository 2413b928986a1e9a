/** How much of the service's limit is ours, as far as its refusals tell. Pure. */

// After how many windows it probes, and then again when that probe was refused. A probe into a limit
// that is used up costs a refusal; whole numbers would send it just when others reuse their room.
const PROBE_AFTER = 1.3;
const PROBE_AGAIN_AFTER = 2.3;

/**
 * The share of a limit that one process may use. It is the whole limit until the service refuses a
 * request, which means that others spend the same budget: then it is what really got through in the
 * last window. Later it probes, one request at a time, and takes back whatever room it finds.
 */
export class Allowance {
	private share: number;
	private probing = false;
	private hasNothing = false;
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
			this.probing = true;
			this.probeAt = Infinity;
		}
		return Math.min(this.limit, this.share + (this.probing ? 1 : 0));
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
		this.share = Math.max(this.share, counted);
		// After a window that was all others', the first that gets through is a sign of more room.
		if (this.hasNothing) this.probeAt = -Infinity;
		this.hasNothing = false;
	}

	/**
	 * A request was refused.
	 *
	 * @param held How many of ours are in the window: what got through and what is on its way.
	 */
	refused(now: number, held: number): void {
		const wait = this.probing ? PROBE_AGAIN_AFTER : PROBE_AFTER;
		this.share = Math.max(1, Math.min(this.share, held));
		this.hasNothing = held === 0;
		this.probing = false;
		this.probeAt = now + this.windowMs * wait;
	}
}
