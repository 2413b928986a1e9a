import { SlidingWindow } from '../../../../nodes/Supercast/api/rate-limit/slidingWindow';
import { Spacing } from '../../../../nodes/Supercast/api/rate-limit/spacing';
import { windowOf } from './sending';

const WINDOW = 60_000;

/** A refusal with this wait cannot be by chance. */
const SERIOUS = 4000;

describe('refusals', () => {
	/** More than any of these tests sends. */
	const MANY = 1000;

	function refuse(window: SlidingWindow, sentAt: number, now: number, toldMs?: number): void {
		window.refused(window.begin(sentAt), now, toldMs);
	}

	/** Requests that get through, all sent at this time. */
	function accept(window: SlidingWindow, count: number, sentAt: number): void {
		for (let n = 0; n < count; n++) window.accepted(window.begin(sentAt), sentAt);
	}

	/** Refuses requests one after the other, each sent at the end of the pause before it. */
	function pausesOf(window: SlidingWindow, toldMs: Array<number | undefined>): number[] {
		let now = 1000;
		return toldMs.map((told) => {
			refuse(window, now, now + 100, told);
			const ms = window.pausedUntil - (now + 100);
			now = window.pausedUntil;
			return Math.round(ms);
		});
	}

	/** The pause after one more refusal. */
	function nextPause(window: SlidingWindow): number {
		const now = window.pausedUntil + 10;
		refuse(window, now, now);
		return window.pausedUntil - now;
	}

	describe('the pause after refusals in a row', () => {
		it('doubles from a thirtieth of a window to half of one', () => {
			const pauses = pausesOf(windowOf(MANY), Array<undefined>(7).fill(undefined));
			expect(pauses).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
		});

		it('has the length of Retry-After the first time, and at least that later', () => {
			expect(pausesOf(windowOf(MANY), [1, 1, 5000, 1])).toEqual([1, 4000, 8000, 16_000]);
			expect(pausesOf(windowOf(MANY), [90_000, 90_000])).toEqual([90_000, 90_000]);
		});

		it('never ends earlier than announced', () => {
			const window = windowOf(MANY);
			refuse(window, 0, 100, 20_000);
			refuse(window, 50, 200, 1000);
			expect(window.pausedUntil).toBe(20_100);
			refuse(window, 50, 300, 25_000);
			expect(window.pausedUntil).toBe(25_300);
			expect(window.roomAt(300)).toBe(25_300);
		});

		it('does not grow with requests that were in flight together', () => {
			const window = windowOf(MANY);
			for (const sentAt of [0, 10, 20, 100]) refuse(window, sentAt, 100);
			expect(window.pausedUntil).toBe(2100);
			expect(nextPause(window)).toBe(4000);
		});
	});

	describe('accepted requests', () => {
		it.each([
			[100, 4000],
			[100.5, 2000],
		])(
			'end the row only if they were sent after the refusal was known: at %d',
			(sentAt, pauseMs) => {
				const window = windowOf(MANY);
				refuse(window, 0, 100);
				accept(window, 1, sentAt);
				expect(nextPause(window)).toBe(pauseMs);
			},
		);

		it('end the tests, in which one request is in flight at a time', () => {
			const window = windowOf(MANY);
			refuse(window, 0, 100);
			const test = window.begin(2100);
			expect(window.roomAt(2100)).toBe(2100 + WINDOW / 20);
			window.accepted(test, 2200);
			window.begin(2200);
			expect(window.roomAt(2200)).toBe(2200);
		});
	});

	describe('a refusal', () => {
		/** Whether there is room for many more than got through. */
		function isByChance(window: SlidingWindow): boolean {
			const now = window.pausedUntil;
			for (let n = 0; n < 200; n++) window.begin(now);
			return window.roomAt(now) <= now + WINDOW / 20;
		}

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

		it('changes nothing but the pause if there is no limit', () => {
			const window = new SlidingWindow(WINDOW);
			refuse(window, 0, 100, WINDOW);
			expect(window.pausedUntil).toBe(60_100);
			expect(isByChance(window)).toBe(true);
		});
	});
});

describe('a shared limit', () => {
	const LIMIT = 100;
	/** The longest wait for another request while there is room. */
	const SPACING = 3000;

	function accept(window: SlidingWindow, count: number, now: number): void {
		for (let n = 0; n < count; n++) window.accepted(window.begin(now), now);
	}

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

		it('stays when the same limit is set, and is the whole of a new one', () => {
			const window = adapted(40);
			window.setLimit(LIMIT);
			expect(fill(window, 61_000)).toHaveLength(40);
			window.setLimit(50);
			expect(fill(window, 61_000)).toHaveLength(10);
			// There was a probe in the old limit. In the new one there is no need for it.
			expect(window.roomAt(67_500)).toBe(61_000 + 63_000);
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
		it('comes an eighth after a window, and after two windows if it was refused', () => {
			const window = adapted(20);
			accept(window, 20, 61_000);
			expect(window.roomAt(67_499)).toBe(67_500);
			expect(window.roomAt(67_500)).toBe(67_500);
			refuse(window, 67_600, SERIOUS);
			accept(window, 20, 122_000);
			expect(window.roomAt(122_000)).toBe(122_000 + 60_030);
			accept(window, 20, 183_000);
			expect(window.roomAt(183_000)).toBe(67_600 + 127_500);
			expect(window.roomAt(200_000)).toBe(200_000);
			refuse(window, 200_000, SERIOUS);
			refuse(window, 200_001, SERIOUS);
			accept(window, 20, 261_000);
			expect(window.roomAt(261_000)).toBe(200_001 + 67_500);
		});

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

		it('takes twice as much after each response, up to the limit', () => {
			const window = adapted(40);
			accept(window, 40, 61_000);
			let sent = 40;
			const tried: number[] = [];
			while (sent < LIMIT) {
				const batch = fill(window, 67_500);
				tried.push((sent += batch.length));
				for (const one of batch) window.accepted(one, 67_500);
			}
			expect(tried).toEqual([41, 43, 47, 55, 71, 100]);
			refuse(window, 80_000);
			expect(fill(window, 200_000)).toHaveLength(LIMIT);
		});

		it('does not grow by what it had before', () => {
			const window = adapted(40);
			const before = Array.from({ length: 40 }, () => window.begin(61_000));
			expect(window.roomAt(67_500)).toBe(67_500);
			for (const one of before) window.accepted(one, 67_500);
			expect(fill(window, 67_501)).toHaveLength(1);
		});
	});
});

describe('requests that are kept apart', () => {
	/** The gap between 100 requests that take an eighth of the window. */
	const GAP = 75;

	/** With three requests in flight since 0 ms, so that the next ones are kept apart. */
	function busy(): Spacing {
		const spacing = new Spacing(WINDOW);
		spacing.limit = 100;
		for (let n = 0; n < 3; n++) spacing.begin(0, false);
		return spacing;
	}

	it.each([
		['catch up with a timer that was late', GAP + 25, 2 * GAP],
		['catch up with a timer that was late by almost a whole pause', 2 * GAP - 1, 2 * GAP],
		['start again after a longer delay', 2 * GAP, 3 * GAP],
		['start again after a much longer delay', 950, 950 + GAP],
	])('%s: sent at %d ms, then at %d ms', (_, sentAt, nextAt) => {
		const spacing = busy();
		spacing.begin(sentAt, false);
		expect(spacing.freeAt(sentAt, false)).toBe(nextAt);
	});
});
