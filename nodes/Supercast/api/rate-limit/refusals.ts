/** What every client does after Supercast's refusals: wait, and then continue carefully. */

// Without Retry-After it is unknown when there is room. The first pause is this part of a window,
// and each pause in a row is twice as long. When one of four processes finds the limit used up, 3.5
// % of their requests are refused. With equal pauses, it is 18 %.
const FIRST_PAUSE = 1 / 30;
const LONGEST_PAUSE = 1 / 2;

// A refusal may be by chance if it asks for a short wait. Enough requests must also have got
// through since the last one. The whole limit frees no more than three places in the first pause.
const LONGEST_CHANCE = 1 / 16;
const ENOUGH = 5;

/** Counts refusals in a row, and decides how long to wait. */
export class Refusals {
	/** 0 if the last request got through. */
	inARow = 0;
	/** Until then nothing is sent. */
	pausedUntil = -Infinity;
	private lastAt = -Infinity;
	private acceptedSince = Infinity;
	private isFirst = true;

	constructor(private readonly windowMs: number) {}

	/** Notes that a request got through. */
	accepted(sentAt: number): void {
		if (sentAt <= this.lastAt) return;
		this.inARow = 0;
		this.acceptedSince++;
	}

	/**
	 * Notes that a request was refused. Of several that were in flight together, only the first one
	 * counts.
	 *
	 * @param toldMs The value of Retry-After.
	 * @returns Whether the refusal may be by chance.
	 */
	refused(sentAt: number, now: number, toldMs = 0): boolean {
		let pauseMs = toldMs;
		if (sentAt > this.lastAt) {
			const part = Math.min(FIRST_PAUSE * 2 ** this.inARow++, LONGEST_PAUSE);
			// A server that keeps sending the same value does not know when there is room.
			if (this.inARow > 1 || toldMs === 0) pauseMs = Math.max(toldMs, part * this.windowMs);
			this.isFirst = this.acceptedSince >= ENOUGH;
			this.acceptedSince = 0;
			this.lastAt = now;
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		return this.isFirst && toldMs <= this.windowMs * LONGEST_CHANCE;
	}
}
