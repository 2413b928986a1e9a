/** What the service's refusals ask of everybody: to wait, and then to go on with care. */

// Without Retry-After nobody knows when there is room. The first pause is this part of a window, and
// each in a row is twice as long: with pauses of one length, 18 % of the requests of four processes are
// refused instead of 3.5 %, when one of them finds the limit used up.
const FIRST_PAUSE = 1 / 30;
const LONGEST_PAUSE = 1 / 2;

// A refusal may be by chance if the wait that it asks for is short, and if enough got through since the
// last one: the whole limit frees no more than three places in the first pause.
const LONGEST_CHANCE = 1 / 16;
const ENOUGH = 5;

/** Counts refusals in a row, and says how long to wait. */
export class Refusals {
	/** 0 if the last that was sent got through. */
	inARow = 0;
	/** Until when nobody sends. */
	pausedUntil = -Infinity;
	private lastAt = -Infinity;
	private acceptedSince = Infinity;
	private isFirst = true;

	constructor(private readonly windowMs: number) {}

	/** A request that was sent at that time got through. */
	accepted(sentAt: number): void {
		if (sentAt <= this.lastAt) return;
		this.inARow = 0;
		this.acceptedSince++;
	}

	/**
	 * A request was refused. Those that were on their way together tell no more than the first of them.
	 *
	 * @param toldMs What Retry-After says.
	 * @returns Whether that may have been by chance.
	 */
	refused(sentAt: number, now: number, toldMs = 0): boolean {
		let pauseMs = toldMs;
		if (sentAt > this.lastAt) {
			const part = Math.min(FIRST_PAUSE * 2 ** this.inARow++, LONGEST_PAUSE);
			// A service that says the same again and again does not know when there is room.
			if (this.inARow > 1 || toldMs === 0) pauseMs = Math.max(toldMs, part * this.windowMs);
			this.isFirst = this.acceptedSince >= ENOUGH;
			this.acceptedSince = 0;
			this.lastAt = now;
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		return this.isFirst && toldMs <= this.windowMs * LONGEST_CHANCE;
	}
}
