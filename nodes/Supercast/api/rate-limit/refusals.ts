/**
 * Decides how all clients react to Supercast's refusals. They wait, and then continue carefully.
 */

// Without Retry-After, it is unknown when there is room again. The first pause is this part of a
// window. Each further pause in a row is twice as long. If one of four processes finds the limit
// used up, Supercast refuses 3.5% of their requests. With pauses of equal length, it refuses 18%.
const FIRST_PAUSE = 1 / 30;
const LONGEST_PAUSE = 1 / 2;

// A refusal may be a one-off if it asks for only a short wait. Supercast must also have accepted
// enough requests since the last refusal. Enough means more than three, because the first pause
// alone makes room for up to three requests.
const LONGEST_CHANCE = 1 / 16;
const ENOUGH = 5;

/** Counts refusals in a row, and decides how long to wait. */
export class Refusals {
	/** The number of refusals in a row; 0 if Supercast accepted the last request. */
	inARow = 0;
	/** No request is sent before this time. */
	pausedUntil = -Infinity;
	private lastAt = -Infinity;
	private acceptedSince = Infinity;
	private isFirst = true;

	constructor(private readonly windowMs: number) {}

	/** Records that Supercast accepted a request. */
	accepted(sentAt: number): void {
		if (sentAt <= this.lastAt) return;
		this.inARow = 0;
		this.acceptedSince++;
	}

	/**
	 * Records that Supercast refused a request. If several requests were in flight together, only
	 * the first refusal counts.
	 *
	 * @param toldMs The value of `Retry-After` in milliseconds.
	 * @returns Whether the refusal may be a one-off, although the limit is not reached.
	 */
	refused(sentAt: number, now: number, toldMs = 0): boolean {
		let pauseMs = toldMs;
		if (sentAt > this.lastAt) {
			const part = Math.min(FIRST_PAUSE * 2 ** this.inARow++, LONGEST_PAUSE);
			// If a server keeps sending the same value, the value does not show when there is room.
			if (this.inARow > 1 || toldMs === 0) pauseMs = Math.max(toldMs, part * this.windowMs);
			this.isFirst = this.acceptedSince >= ENOUGH;
			this.acceptedSince = 0;
			this.lastAt = now;
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		return this.isFirst && toldMs <= this.windowMs * LONGEST_CHANCE;
	}
}
