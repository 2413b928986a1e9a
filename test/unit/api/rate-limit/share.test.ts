import type { SlidingWindow } from '../../../../nodes/Supercast/api/rate-limit/slidingWindow';
import { windowOf } from './sending';

const WINDOW = 60_000;
const LIMIT = 100;
/** A wait after which a refusal cannot be by chance. */
const SERIOUS = 4000;
/** The longest wait for another request while there is room. */
const SPACING = 3000;

function accept(allowance: SlidingWindow, count: number, now: number): void {
	for (let n = 0; n < count; n++) allowance.accepted(allowance.begin(now), now);
}

function refuse(allowance: SlidingWindow, now: number, toldMs?: number): void {
	allowance.refused(allowance.begin(now), now, toldMs);
}

/** Sends as many requests as there is room for. */
function fill(allowance: SlidingWindow, now: number) {
	const sent: Array<ReturnType<SlidingWindow['begin']>> = [];
	while (allowance.roomAt(now) <= now + SPACING && sent.length < 2 * LIMIT) {
		sent.push(allowance.begin(now));
	}
	return sent;
}

/** Its share has been known since this time. Nothing counts a window later. */
function adapted(share = 40, now = 0): SlidingWindow {
	const allowance = windowOf(LIMIT);
	accept(allowance, share, 0);
	refuse(allowance, now, SERIOUS);
	return allowance;
}

describe('the share of a limit', () => {
	it('is the whole limit, however much gets through, and does not probe', () => {
		const allowance = windowOf(LIMIT);
		for (let n = 0; n < 5; n++) accept(allowance, LIMIT, n * 61_000);
		expect(fill(allowance, 6 * 61_000)).toHaveLength(LIMIT);
		const now = 100 * WINDOW;
		accept(allowance, 40, now);
		refuse(allowance, now, SERIOUS);
		accept(allowance, 40, now + 61_000);
		// After a refused probe, the next one would come after two windows.
		expect(allowance.roomAt(now + 61_000)).toBe(now + 67_500);
	});

	it.each([
		[40, 40],
		[0, 1],
	])('is the number that got through before the refused request: %d', (before, share) => {
		expect(fill(adapted(before), 61_000)).toHaveLength(share);
	});

	it('stays whole after a refusal that may be by chance, but only if it was whole', () => {
		const whole = windowOf(LIMIT);
		accept(whole, 40, 0);
		refuse(whole, 0);
		expect(fill(whole, 61_000)).toHaveLength(LIMIT);
		const part = adapted(40);
		accept(part, 39, 61_000);
		refuse(part, 61_000);
		expect(fill(part, 122_000)).toHaveLength(39);
	});

	it('never grows after a refusal', () => {
		const allowance = windowOf(LIMIT);
		accept(allowance, 40, 0);
		const [first] = [allowance.begin(0), accept(allowance, 20, 0)];
		const later = allowance.begin(0);
		allowance.refused(first, 1, SERIOUS);
		allowance.refused(later, 2, SERIOUS);
		expect(fill(allowance, 61_000)).toHaveLength(40);
	});

	it('stays when the same limit is set, and is the whole of a new one', () => {
		const allowance = adapted(40);
		allowance.setLimit(LIMIT);
		expect(fill(allowance, 61_000)).toHaveLength(40);
		allowance.setLimit(50);
		expect(fill(allowance, 61_000)).toHaveLength(10);
		// There was a probe in the old limit. In the new one there is no need for it.
		expect(allowance.roomAt(67_500)).toBe(61_000 + 63_000);
	});

	it('is not probed any more when a new limit is set', () => {
		const allowance = adapted(40);
		accept(allowance, 40, 61_000);
		expect(allowance.roomAt(67_500)).toBe(67_500);
		allowance.setLimit(50);
		refuse(allowance, 67_500, SERIOUS);
		accept(allowance, 40, 130_000);
		expect(allowance.roomAt(130_000)).toBe(67_500 + 67_500);
	});
});

describe('a probe', () => {
	it('comes an eighth after a window, and after two windows if it was refused', () => {
		const allowance = adapted(20);
		accept(allowance, 20, 61_000);
		expect(allowance.roomAt(67_499)).toBe(67_500);
		expect(allowance.roomAt(67_500)).toBe(67_500);
		refuse(allowance, 67_600, SERIOUS);
		accept(allowance, 20, 122_000);
		expect(allowance.roomAt(122_000)).toBe(122_000 + 60_030);
		accept(allowance, 20, 183_000);
		expect(allowance.roomAt(183_000)).toBe(67_600 + 127_500);
		expect(allowance.roomAt(200_000)).toBe(200_000);
		refuse(allowance, 200_000, SERIOUS);
		refuse(allowance, 200_001, SERIOUS);
		accept(allowance, 20, 261_000);
		expect(allowance.roomAt(261_000)).toBe(200_001 + 67_500);
	});

	it('comes after 60 requests that got through, whatever the time', () => {
		const allowance = adapted(40, 59_900);
		// The second time shows that each refusal begins the count again.
		for (const start of [61_000, 185_000]) {
			const later = start + 60_100;
			accept(allowance, 40, start);
			accept(allowance, 19, later);
			const [sixtieth, refused] = fill(allowance, later);
			expect(allowance.roomAt(later)).toBeGreaterThan(later + SPACING);
			allowance.accepted(sixtieth!, later);
			expect(fill(allowance, later)).toHaveLength(1);
			allowance.refused(refused!, later, SERIOUS);
		}
	});

	it('takes twice as much after each response, up to the limit', () => {
		const allowance = adapted(40);
		accept(allowance, 40, 61_000);
		let sent = 40;
		const tried: number[] = [];
		while (sent < LIMIT) {
			const batch = fill(allowance, 67_500);
			tried.push((sent += batch.length));
			for (const one of batch) allowance.accepted(one, 67_500);
		}
		expect(tried).toEqual([41, 43, 47, 55, 71, 100]);
		refuse(allowance, 80_000);
		expect(fill(allowance, 200_000)).toHaveLength(LIMIT);
	});

	it('does not grow by what it had before', () => {
		const allowance = adapted(40);
		const before = Array.from({ length: 40 }, () => allowance.begin(61_000));
		expect(allowance.roomAt(67_500)).toBe(67_500);
		for (const one of before) allowance.accepted(one, 67_500);
		expect(fill(allowance, 67_501)).toHaveLength(1);
	});

	it('begins with one again after each refusal', () => {
		const allowance = adapted(40);
		accept(allowance, 40, 61_000);
		expect(allowance.roomAt(67_500)).toBe(67_500);
		accept(allowance, 2, 67_500);
		refuse(allowance, 70_000, SERIOUS);
		expect(fill(allowance, 132_000)).toHaveLength(42);
		expect(fill(allowance, 198_000)).toHaveLength(43);
	});
});
