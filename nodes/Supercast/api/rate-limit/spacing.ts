/** How many requests may be in flight without spacing. While the limiter tests, only one may. */
const IN_FLIGHT = 3;

/** With slow responses, sending the whole limit takes this part of a window. */
const BURST = 1 / 8;

/** The wait before a test, as a part of a window. */
const TRIAL = 1 / 20;

/** Keeps requests apart, so that a refusal does not hit a whole burst. */
export class Spacing {
	limit = Infinity;
	private inFlight = 0;
	private pacedAt = -Infinity;

	constructor(private readonly windowMs: number) {}

	/** When the next request may be sent. `isTesting` is for the time after a refusal. */
	freeAt(now: number, isTesting: boolean): number {
		const isFree = this.inFlight < (isTesting ? 1 : IN_FLIGHT);
		return isFree ? now : this.pacedAt + this.gapMs(isTesting);
	}

	begin(now: number, isTesting: boolean): void {
		this.inFlight++;
		const gapMs = this.gapMs(isTesting);
		// If a timer was late, the next one is set earlier by the same amount.
		const dueAt = this.pacedAt + gapMs;
		this.pacedAt = now < dueAt + gapMs ? Math.min(now, dueAt) : now;
	}

	end(): void {
		this.inFlight--;
	}

	private gapMs(isTesting: boolean): number {
		return this.windowMs * (isTesting ? TRIAL : BURST / this.limit);
	}
}
