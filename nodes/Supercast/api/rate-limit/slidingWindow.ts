/**
 * Estimates when Supercast accepts the next request of this process (decision 0006 has the
 * reasons):
 *
 * - `HeldRequests` counts the requests of the last window, from the estimated time at which each
 *   reached Supercast.
 * - `Spacing` spreads the first burst over at most an eighth of a window.
 * - `Share` is the part of the limit that other processes and apps leave. It is the whole limit until
 *   Supercast refuses a request. Then it is what Supercast accepted in the last window, and probes
 *   find out whether there is more room.
 * - `Refusals` says how long to pause, and whether a refusal was only chance.
 */
import { WindowRequests, type CountedRequest } from './heldRequests';
import { Refusals } from './refusals';
import { Share } from './share';
import { Spacing } from './spacing';

export class SlidingWindow {
	private readonly requests: WindowRequests;
	private readonly refusals: Refusals;
	private readonly share: Share;
	private readonly spacing: Spacing;

	constructor(windowMs: number) {
		this.requests = new WindowRequests(windowMs);
		this.refusals = new Refusals(windowMs);
		this.share = new Share(windowMs);
		this.spacing = new Spacing(windowMs);
	}

	/** The time until which every client waits, by the clock's `now`. */
	get pausedUntil(): number {
		return this.refusals.pausedUntil;
	}

	/** Requests already sent count toward a new limit. */
	setLimit(limit: number): void {
		this.share.setLimit(limit);
		this.spacing.limit = limit;
	}

	/** When the next request may be sent, by the clock's `now`. */
	roomAt(now: number): number {
		const { requests, refusals, share, spacing } = this;
		requests.forget(now);
		share.probeIfDue(now);
		const isFull = requests.count >= share.most;
		const leavesAt = isFull ? Math.min(requests.nextLeavesAt, share.nextProbe) : now;
		return Math.max(leavesAt, spacing.freeAt(now, refusals.isTesting), refusals.pausedUntil);
	}

	begin(now: number): CountedRequest {
		this.spacing.begin(now, this.refusals.isTesting);
		return this.requests.begin(now);
	}

	accepted(sent: CountedRequest, now: number): void {
		this.spacing.end();
		this.refusals.accepted(sent);
		this.requests.accepted(sent, now);
		this.requests.forget(now);
		this.share.accepted(this.requests.acceptedCount);
	}

	/** @param toldMs How long Supercast said to wait, or 0 if it did not say. */
	refused(sent: CountedRequest, now: number, toldMs = 0): void {
		this.spacing.end();
		this.requests.end(sent);
		const isSerious = this.refusals.refused(sent, now, toldMs);
		if (isSerious || !this.share.isComplete) this.share.refused(sent.requestsBefore, now);
	}
}
