/** How much of the service's limit is ours, as far as its refusals tell. */

// After how many windows it probes, and then again when that probe was refused. A probe into a limit
// that is used up costs a refusal; whole numbers would send it just when others reuse their room.
const PROBE_AFTER = 1.3;
const PROBE_AGAIN_AFTER = 2.3;

// Whoever had the whole limit, and was refused the moment that one of its own left the window, may
// just have been too early. It asks soon whether others have come, and if not takes all back quickly.
const PROBE_SOON_AFTER = 1 / 100;

/**
 * The part of a limit that one process may use. It is the whole limit until the service refuses a
 * request, which means that others spend the same budget: then it is what really got through in the
 * last window. Later it probes, one request at a time, and takes back whatever room it finds.
 */
export class AdaptiveLimit {
	private current: number;
	private probing = false;
	/** By how much more than its limit it tries while it probes, and by what that grows. */
	private step = 1;
	private growth = 1;
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
		this.current = limit;
	}

	/** Requests that may be in the window at once. */
	at(now: number): number {
		if (now >= this.probeAt) {
			this.probing = true;
			this.probeAt = Infinity;
		}
		return Math.min(this.limit, this.current + (this.probing ? this.step : 0));
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
		if (counted > this.current) this.step *= this.growth;
		this.current = Math.max(this.current, counted);
		// After a window that was all others', the first that gets through is a sign of more room.
		if (this.hasNothing) this.probeAt = -Infinity;
		this.hasNothing = false;
	}

	/**
	 * A request was refused.
	 *
	 * @param heldBefore How many of ours were in the window when it was sent, without it. Later is too
	 * late to count: earlier ones have left the window, and nothing has taken their place yet.
	 * @param isTight Whether one of ours had only just left the window when it was sent.
	 */
	refused(now: number, heldBefore: number, isTight: boolean): void {
		// Others of the same moment are refused for the same reason.
		const isDoubtful = isTight && !this.probing && (this.current === this.limit || this.growth > 1);
		const first = isDoubtful ? PROBE_SOON_AFTER : PROBE_AFTER;
		const wait = this.probing ? PROBE_AGAIN_AFTER : first;
		this.growth = isDoubtful ? 2 : 1;
		this.current = Math.max(1, Math.min(this.current, heldBefore));
		this.hasNothing = heldBefore === 0;
		this.probing = false;
		this.step = 1;
		this.probeAt = now + this.windowMs * wait;
	}
}
