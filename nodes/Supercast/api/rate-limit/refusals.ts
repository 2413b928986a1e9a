/** What the service's refusals ask of everybody: to wait, and then to go on with care. */

// Without Retry-After nobody knows when there is room: asked again after this part of a window, and
// after twice as long with each refusal in a row.
const FIRST_PAUSE = 1 / 30;
const LONGEST_PAUSE = 1 / 2;

// Who is told to wait for longer than this part of a window was not refused by chance.
const LONGEST_CHANCE = 1 / 16;
const CHANCE_AGAIN = 5;

/** Counts refusals in a row, and says how long to wait. */
export class Refusals {
	/** 0 if the last that was sent got through. */
	inARow = 0;
	/** Until when nobody sends. */
	pausedUntil = -Infinity;
	private lastAt = -Infinity;
	private isDoubtful = true;
	private acceptedSince = Infinity;

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
	 * @returns Whether it may have been by chance: the first in a row, and no long wait was asked for.
	 */
	refused(sentAt: number, now: number, toldMs = 0): boolean {
		let pauseMs = toldMs;
		if (sentAt > this.lastAt) {
			const part = Math.min(FIRST_PAUSE * 2 ** this.inARow++, LONGEST_PAUSE);
			// A service that says the same again and again does not know when there is room.
			if (this.inARow > 1 || toldMs === 0) pauseMs = Math.max(toldMs, part * this.windowMs);
			this.isDoubtful = this.acceptedSince >= CHANCE_AGAIN;
			this.acceptedSince = 0;
			this.lastAt = now;
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		return this.isDoubtful && toldMs <= this.windowMs * LONGEST_CHANCE;
	}
}
