/**
 * When the first probe after a refusal is due, in windows. An eighth more than a whole window, so
 * that it doesn't meet the bursts of other processes.
 */
const PROBE_AFTER = 1 + 1 / 8;

/** When the next probe after a refused probe is due, in windows. An eighth more, as above. */
const PROBE_AGAIN_AFTER = 2 + 1 / 8;

/** A probe is also due after this many accepted requests. */
const PROBE_EVERY = 60;

/** How much of the limit this process uses. */
export class Share {
	private limit = Infinity;
	/** At first the whole limit, and after a refusal what Supercast accepted in the last window. */
	private size = Infinity;
	/** How many requests a probe sends beyond the share; 0 if there is no probe. */
	private extra = 0;
	private acceptedSince = 0;
	/** When the next probe is due. Infinity during a probe, or if the share is the whole limit. */
	nextProbe = Infinity;

	constructor(private readonly windowMs: number) {}

	/** How many requests may be in the window. */
	get most(): number {
		return Math.min(this.limit, this.size + this.extra);
	}

	get isComplete(): boolean {
		return this.size >= this.limit;
	}

	setLimit(limit: number): void {
		if (limit === this.limit) return;
		this.limit = limit;
		this.size = limit;
	}

	probeIfDue(now: number): void {
		if (now >= this.nextProbe) this.probe();
	}

	/** @param acceptedCount How many requests Supercast accepted in the last window. */
	accepted(acceptedCount: number): void {
		if (acceptedCount > this.size) {
			this.size = acceptedCount;
			if (this.extra > 0) this.extra++;
		}
		if (this.isComplete) return this.endProbe();
		if (this.extra > 0) return;
		this.acceptedSince++;
		if (this.acceptedSince >= PROBE_EVERY) this.probe();
	}

	/** @param heldBefore How many requests were in the window before the refused one. */
	refused(requestsBefore: number, now: number): void {
		if (this.limit === Infinity) return;
		this.nextProbe = now + this.windowMs * (this.extra > 0 ? PROBE_AGAIN_AFTER : PROBE_AFTER);
		// A later count would be too low, because older requests have left the window.
		this.size = Math.max(1, Math.min(this.size, requestsBefore));
		this.extra = 0;
		this.acceptedSince = 0;
	}

	private probe(): void {
		this.extra = 1;
		this.nextProbe = Infinity;
	}

	private endProbe(): void {
		this.extra = 0;
		this.nextProbe = Infinity;
	}
}
