import type { SlidingWindow } from '../../../../nodes/Supercast/api/rate-limit/slidingWindow';
import { windowOf } from './sending';

const WINDOW = 60_000;
const LIMIT = 100;
/** A wait after which a refusal cannot be by chance. */
const SERIOUS = 4000;
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

/** Its share has been known since this time. Nothing counts a window later. */
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
		const window = windowOf(LIMIT);
		accept(window, 40, 0);
		const [first] = [window.begin(0), accept(window, 20, 0)];
		const later = window.begin(0);
		window.refused(first, 1, SERIOUS);
		window.refused(later, 2, SERIOUS);
		expect(fill(window, 61_000)).toHaveLength(40);
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

	it('begins with one again after each refusal', () => {
		const window = adapted(40);
		accept(window, 40, 61_000);
		expect(window.roomAt(67_500)).toBe(67_500);
		accept(window, 2, 67_500);
		refuse(window, 70_000, SERIOUS);
		expect(fill(window, 132_000)).toHaveLength(42);
		expect(fill(window, 198_000)).toHaveLength(43);
	});
});
