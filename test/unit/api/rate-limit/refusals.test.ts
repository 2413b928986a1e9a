import { Refusals } from '../../../../nodes/Supercast/api/rate-limit/window';

const WINDOW = 60_000;

/** Refuses requests one after the other, each sent at the end of the pause before it. */
function pausesOf(refusals: Refusals, toldMs: Array<number | undefined>): number[] {
	let now = 1000;
	return toldMs.map((told) => {
		refusals.refused(now, now + 100, told);
		const ms = refusals.pausedUntil - (now + 100);
		now = refusals.pausedUntil;
		return Math.round(ms);
	});
}

/** Requests that get through, all sent at this time. */
function accept(refusals: Refusals, count: number, sentAt: number): void {
	for (let n = 0; n < count; n++) refusals.accepted(sentAt);
}

describe('the pause after refusals in a row', () => {
	it('doubles from a thirtieth of a window to half of one', () => {
		const pauses = pausesOf(new Refusals(WINDOW), Array<undefined>(7).fill(undefined));
		expect(pauses).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
	});

	it('begins again after a request that got through', () => {
		const refusals = new Refusals(WINDOW);
		pausesOf(refusals, [undefined, undefined]);
		refusals.accepted(refusals.pausedUntil);
		expect(refusals.inARow).toBe(0);
		const now = refusals.pausedUntil + 10;
		refusals.refused(now, now);
		expect(refusals.pausedUntil - now).toBe(2000);
		expect(refusals.inARow).toBe(1);
	});

	it('has the length of Retry-After the first time, and at least that later', () => {
		expect(pausesOf(new Refusals(WINDOW), [1, 1, 5000, 1])).toEqual([1, 4000, 8000, 16_000]);
		expect(pausesOf(new Refusals(WINDOW), [90_000, 90_000])).toEqual([90_000, 90_000]);
	});

	it('never ends earlier than announced', () => {
		const refusals = new Refusals(WINDOW);
		refusals.refused(0, 100, 20_000);
		refusals.refused(50, 200, 1000);
		expect(refusals.pausedUntil).toBe(20_100);
		refusals.refused(50, 300, 25_000);
		expect(refusals.pausedUntil).toBe(25_300);
	});

	it('does not grow with requests that were in flight together', () => {
		const refusals = new Refusals(WINDOW);
		for (const sentAt of [0, 10, 20, 100]) refusals.refused(sentAt, 100);
		expect(refusals.inARow).toBe(1);
		expect(refusals.pausedUntil).toBe(2100);
	});
});

describe('accepted requests', () => {
	it('end the row only if they were sent after the refusal was known', () => {
		const refusals = new Refusals(WINDOW);
		refusals.refused(0, 100);
		refusals.accepted(100);
		expect(refusals.inARow).toBe(1);
		refusals.accepted(100.5);
		expect(refusals.inARow).toBe(0);
	});
});

describe('a refusal', () => {
	it('may be by chance the first time, and so may those that were in flight with it', () => {
		const refusals = new Refusals(WINDOW);
		expect(refusals.refused(0, 100)).toBe(true);
		expect(refusals.refused(100, 110)).toBe(true);
	});

	it('is not by chance if it asks for a wait of more than a sixteenth of a window', () => {
		expect(new Refusals(WINDOW).refused(0, 100, WINDOW / 16)).toBe(true);
		expect(new Refusals(WINDOW).refused(0, 100, WINDOW / 16 + 1)).toBe(false);
	});

	it('is not by chance if it follows another, until five in between got through', () => {
		const refusals = new Refusals(WINDOW);
		refusals.refused(0, 100);
		accept(refusals, 100, 50);
		accept(refusals, 4, 2200);
		expect(refusals.refused(2300, 2400)).toBe(false);
		expect(refusals.refused(2350, 2450)).toBe(false);
		accept(refusals, 5, 5000);
		expect(refusals.refused(5000, 5100)).toBe(true);
	});
});
