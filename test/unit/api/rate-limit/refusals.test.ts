import { SlidingWindow } from '../../../../nodes/Supercast/api/rate-limit/slidingWindow';
import { windowOf } from './sending';

const WINDOW = 60_000;

/** More than any of these tests sends. */
const MANY = 1000;

function refuse(allowance: SlidingWindow, sentAt: number, now: number, toldMs?: number): void {
	allowance.refused(allowance.begin(sentAt), now, toldMs);
}

/** Requests that get through, all sent at this time. */
function accept(allowance: SlidingWindow, count: number, sentAt: number): void {
	for (let n = 0; n < count; n++) allowance.accepted(allowance.begin(sentAt), sentAt);
}

/** Refuses requests one after the other, each sent at the end of the pause before it. */
function pausesOf(allowance: SlidingWindow, toldMs: Array<number | undefined>): number[] {
	let now = 1000;
	return toldMs.map((told) => {
		refuse(allowance, now, now + 100, told);
		const ms = allowance.pausedUntil - (now + 100);
		now = allowance.pausedUntil;
		return Math.round(ms);
	});
}

/** The pause after one more refusal. */
function nextPause(allowance: SlidingWindow): number {
	const now = allowance.pausedUntil + 10;
	refuse(allowance, now, now);
	return allowance.pausedUntil - now;
}

describe('the pause after refusals in a row', () => {
	it('doubles from a thirtieth of a window to half of one', () => {
		const pauses = pausesOf(windowOf(MANY), Array<undefined>(7).fill(undefined));
		expect(pauses).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
	});

	it('begins again after a request that got through', () => {
		const allowance = windowOf(MANY);
		pausesOf(allowance, [undefined, undefined]);
		accept(allowance, 1, allowance.pausedUntil);
		expect(nextPause(allowance)).toBe(2000);
		expect(nextPause(allowance)).toBe(4000);
	});

	it('has the length of Retry-After the first time, and at least that later', () => {
		expect(pausesOf(windowOf(MANY), [1, 1, 5000, 1])).toEqual([1, 4000, 8000, 16_000]);
		expect(pausesOf(windowOf(MANY), [90_000, 90_000])).toEqual([90_000, 90_000]);
	});

	it('never ends earlier than announced', () => {
		const allowance = windowOf(MANY);
		refuse(allowance, 0, 100, 20_000);
		refuse(allowance, 50, 200, 1000);
		expect(allowance.pausedUntil).toBe(20_100);
		refuse(allowance, 50, 300, 25_000);
		expect(allowance.pausedUntil).toBe(25_300);
		expect(allowance.roomAt(300)).toBe(25_300);
	});

	it('does not grow with requests that were in flight together', () => {
		const allowance = windowOf(MANY);
		for (const sentAt of [0, 10, 20, 100]) refuse(allowance, sentAt, 100);
		expect(allowance.pausedUntil).toBe(2100);
		expect(nextPause(allowance)).toBe(4000);
	});
});

describe('accepted requests', () => {
	it.each([
		[100, 4000],
		[100.5, 2000],
	])('end the row only if they were sent after the refusal was known: at %d', (sentAt, pauseMs) => {
		const allowance = windowOf(MANY);
		refuse(allowance, 0, 100);
		accept(allowance, 1, sentAt);
		expect(nextPause(allowance)).toBe(pauseMs);
	});

	it('end the tests, in which one request is in flight at a time', () => {
		const allowance = windowOf(MANY);
		refuse(allowance, 0, 100);
		const test = allowance.begin(2100);
		expect(allowance.roomAt(2100)).toBe(2100 + WINDOW / 20);
		allowance.accepted(test, 2200);
		allowance.begin(2200);
		expect(allowance.roomAt(2200)).toBe(2200);
	});
});

describe('a refusal', () => {
	/** Whether there is room for many more than got through. */
	function isByChance(allowance: SlidingWindow): boolean {
		const now = allowance.pausedUntil;
		for (let n = 0; n < 200; n++) allowance.begin(now);
		return allowance.roomAt(now) <= now + WINDOW / 20;
	}

	it('may be by chance the first time, and so may those that were in flight with it', () => {
		const allowance = windowOf(MANY);
		refuse(allowance, 0, 100);
		refuse(allowance, 100, 110);
		expect(isByChance(allowance)).toBe(true);
	});

	it('is not by chance if it asks for a wait of more than a sixteenth of a window', () => {
		for (const [toldMs, expected] of [
			[WINDOW / 16, true],
			[WINDOW / 16 + 1, false],
		] as const) {
			const allowance = windowOf(MANY);
			refuse(allowance, 0, 100, toldMs);
			expect(isByChance(allowance)).toBe(expected);
		}
	});

	it.each([
		[4, false],
		[5, true],
	])('that follows another after %d requests got through', (between, expected) => {
		const allowance = windowOf(MANY);
		refuse(allowance, 0, 100);
		accept(allowance, 100, 50);
		accept(allowance, between, 2200);
		refuse(allowance, 2300, 2400);
		refuse(allowance, 2350, 2450);
		expect(isByChance(allowance)).toBe(expected);
	});

	it('changes nothing but the pause if there is no limit', () => {
		const allowance = new SlidingWindow(WINDOW);
		refuse(allowance, 0, 100, WINDOW);
		expect(allowance.pausedUntil).toBe(60_100);
		expect(isByChance(allowance)).toBe(true);
	});
});
