import { SlidingWindow } from '../../../../nodes/Supercast/api/rate-limit/slidingWindow';

const WINDOW = 60_000;

/** What may be sent with a limit per minute. */
function windowOf(limit: number): SlidingWindow {
	const window = new SlidingWindow(WINDOW);
	window.setLimit(limit);
	return window;
}

/** Requests that get through, all sent at this time. */
function accept(window: SlidingWindow, count: number, sentAt: number): void {
	for (let n = 0; n < count; n++) window.accepted(window.begin(sentAt), sentAt);
}

/** A refusal with this wait cannot be by chance. */
const SERIOUS = 4000;

describe('refusals', () => {
	/** More than any of these tests sends. */
	const MANY = 1000;

	function refuse(window: SlidingWindow, sentAt: number, now: number, toldMs?: number): void {
		window.refused(window.begin(sentAt), now, toldMs);
	}

	/** The pause after one more refusal. */
	function nextPause(window: SlidingWindow): number {
		const now = window.pausedUntil + 10;
		refuse(window, now, now);
		return window.pausedUntil - now;
	}

	describe('the pause after refusals in a row', () => {
		it('does not grow with requests that were in flight together', () => {
			const window = windowOf(MANY);
			for (const sentAt of [0, 10, 20, 100]) refuse(window, sentAt, 100);
			expect(window.pausedUntil).toBe(2100);
			expect(nextPause(window)).toBe(4000);
		});
	});

	describe('a refusal', () => {
		/** Whether there is room for many more than got through. */
		function isByChance(window: SlidingWindow): boolean {
			const now = window.pausedUntil;
			for (let n = 0; n < 200; n++) window.begin(now);
			return window.roomAt(now) <= now + WINDOW / 20;
		}

		it.each([
			[100, 4000],
			[100.5, 2000],
		])('doubles the next pause, unless a request gets through later: at %d', (sentAt, pauseMs) => {
			const window = windowOf(MANY);
			refuse(window, 0, 100);
			accept(window, 1, sentAt);
			expect(nextPause(window)).toBe(pauseMs);
		});

		it('is not by chance if it asks for a wait of more than a sixteenth of a window', () => {
			for (const [toldMs, expected] of [
				[WINDOW / 16, true],
				[WINDOW / 16 + 1, false],
			] as const) {
				const window = windowOf(MANY);
				refuse(window, 0, 100, toldMs);
				expect(isByChance(window)).toBe(expected);
			}
		});

		it.each([
			[4, false],
			[5, true],
		])('that follows another after %d requests got through', (between, expected) => {
			const window = windowOf(MANY);
			refuse(window, 0, 100);
			accept(window, 100, 50);
			accept(window, between, 2200);
			refuse(window, 2300, 2400);
			refuse(window, 2350, 2450);
			expect(isByChance(window)).toBe(expected);
		});
	});
});

describe('a shared limit', () => {
	const LIMIT = 100;
	/** The longest wait for another request while there is room. */
	const SPACING = 3000;

	function refuse(window: SlidingWindow, now: number, toldMs?: number): void {
		window.refused(window.begin(now), now, toldMs);
	}

	/** Sends as many requests as there is room for. */
	function fill(window: SlidingWindow, now: number) {
		const sent: Array<ReturnType<SlidingWindow['begin']>> = [];
		while (window.roomAt(now) <= now + SPACING && sent.length < 2 * LIMIT) {
			sent.push(window.begin(now));
		}
		return sent;
	}

	/** A window that has known its share since `now`. A window later, no request counts any more. */
	function adapted(share = 40, now = 0): SlidingWindow {
		const window = windowOf(LIMIT);
		accept(window, share, 0);
		refuse(window, now, SERIOUS);
		return window;
	}

	describe('the share of a limit', () => {
		it('is the whole limit, however much gets through, and does not probe', () => {
			const window = windowOf(LIMIT);
			for (let n = 0; n < 5; n++) accept(window, LIMIT, n * 61_000);
			expect(fill(window, 6 * 61_000)).toHaveLength(LIMIT);
			const now = 100 * WINDOW;
			accept(window, 40, now);
			refuse(window, now, SERIOUS);
			accept(window, 40, now + 61_000);
			// After a refused probe, the next one would come after two windows.
			expect(window.roomAt(now + 61_000)).toBe(now + 67_500);
		});

		it('is not probed any more when a new limit is set', () => {
			const window = adapted(40);
			accept(window, 40, 61_000);
			expect(window.roomAt(67_500)).toBe(67_500);
			window.setLimit(50);
			refuse(window, 67_500, SERIOUS);
			accept(window, 40, 130_000);
			expect(window.roomAt(130_000)).toBe(67_500 + 67_500);
		});
	});

	describe('a probe', () => {
		it('comes after 60 requests that got through, whatever the time', () => {
			const window = adapted(40, 59_900);
			// The second time shows that each refusal begins the count again.
			for (const start of [61_000, 185_000]) {
				const later = start + 60_100;
				accept(window, 40, start);
				accept(window, 19, later);
				const [sixtieth, refused] = fill(window, later);
				expect(window.roomAt(later)).toBeGreaterThan(later + SPACING);
				window.accepted(sixtieth!, later);
				expect(fill(window, later)).toHaveLength(1);
				window.refused(refused!, later, SERIOUS);
			}
		});
	});
});
