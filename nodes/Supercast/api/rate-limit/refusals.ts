import type { CountedRequest } from './heldRequests';

/**
 * The first and longest pauses, as parts of a window. Each refusal in a row doubles the pause.
 * With equal pauses, several processes would collide again and again.
 */
const FIRST_PAUSE = 1 / 30;
const LONGEST_PAUSE = 1 / 2;

/** A refusal is serious if its `Retry-After` is longer than this part of a window. */
const LONGEST_CHANCE = 1 / 16;

/**
 * If Supercast accepts this many requests between two refusals, the second one looks like chance.
 */
const ENOUGH_BETWEEN = 5;

/** How long to pause after refusals, and which of them are serious. */
export class Refusals {
	pausedUntil = -Infinity;
	private inARow = 0;
	private lastAt = -Infinity;
	private acceptedBetween = Infinity;
	private isFirst = true;

	constructor(private readonly windowMs: number) {}

	/** Whether the last request was refused. Then one request tests whether there is room. */
	get isTesting(): boolean {
		return this.inARow > 0;
	}

	accepted({ sentAt }: CountedRequest): void {
		if (sentAt <= this.lastAt) return;
		this.inARow = 0;
		this.acceptedBetween++;
	}

	/**
	 * @param toldMs How long Supercast said to wait, or 0 if it did not say.
	 * @returns Whether the refusal is serious, and not only chance.
	 */
	refused({ sentAt }: CountedRequest, now: number, toldMs: number): boolean {
		// If several requests in flight are refused, only the first refusal counts.
		const pauseMs = sentAt > this.lastAt ? this.countOne(now, toldMs) : toldMs;
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
		return !this.isFirst || toldMs > this.windowMs * LONGEST_CHANCE;
	}

	/** Returns how long to pause. */
	private countOne(now: number, toldMs: number): number {
		const part = Math.min(FIRST_PAUSE * 2 ** this.inARow, LONGEST_PAUSE);
		this.inARow++;
		this.isFirst = this.acceptedBetween >= ENOUGH_BETWEEN;
		this.acceptedBetween = 0;
		this.lastAt = now;
		// If a server always sends the same value, the value does not show when there is room.
		const isDoubled = this.inARow > 1 || toldMs === 0;
		return isDoubled ? Math.max(toldMs, part * this.windowMs) : toldMs;
	}
}
