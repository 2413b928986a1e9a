import { SlidingWindow } from '../../../../nodes/Supercast/api/rate-limit/slidingWindow';
import { windowOf } from './sending';

const WINDOW = 60_000;

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

	it('begins again after a request that got through', () => {
		const window = windowOf(MANY);
		pausesOf(window, [undefined, undefined]);
		accept(window, 1, window.pausedUntil);
		expect(nextPause(window)).toBe(2000);
		expect(nextPause(window)).toBe(4000);
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
	])('end the row only if they were sent after the refusal was known: at %d', (sentAt, pauseMs) => {
		const window = windowOf(MANY);
		refuse(window, 0, 100);
		accept(window, 1, sentAt);
		expect(nextPause(window)).toBe(pauseMs);
	});

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

	it('may be by chance the first time, and so may those that were in flight with it', () => {
		const window = windowOf(MANY);
		refuse(window, 0, 100);
		refuse(window, 100, 110);
		expect(isByChance(window)).toBe(true);
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

	it('changes nothing but the pause if there is no limit', () => {
		const window = new SlidingWindow(WINDOW);
		refuse(window, 0, 100, WINDOW);
		expect(window.pausedUntil).toBe(60_100);
		expect(isByChance(window)).toBe(true);
	});
});
