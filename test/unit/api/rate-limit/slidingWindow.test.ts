import type { SlidingWindow } from '../../../../nodes/Supercast/api/rate-limit/slidingWindow';
import { windowOf } from './sending';

const WINDOW = 60_000;
/** How long a request counts: a window, and the possible difference of two clocks over it. */
const COUNTS = 60_030;
/** The latest time at which a request without a response has left the window. */
const LONGEST = 63_000;
/** A wait after which a refusal cannot be by chance. */
const SERIOUS = 4000;

/** Sends one request and answers it. */
function counted(window: SlidingWindow, sentAt: number, ms: number): void {
	window.accepted(window.begin(sentAt), sentAt + ms);
}

describe('a sliding window', () => {
	it('has room until the limit is sent, with or without responses', () => {
		const window = windowOf(3);
		counted(window, 0, 100);
		window.begin(200);
		expect(window.roomAt(300)).toBe(300);
		window.begin(300);
		expect(window.roomAt(300)).toBeCloseTo(100 - 100 / 64 + COUNTS);
	});

	it('has room again when the first request leaves, whichever that is', () => {
		const window = windowOf(2);
		window.begin(0);
		expect(window.roomAt(0)).toBe(0);
		window.begin(5000);
		expect(window.roomAt(5000)).toBe(LONGEST);
		expect(window.roomAt(LONGEST)).toBe(LONGEST);
		window.begin(LONGEST);
		expect(window.roomAt(LONGEST)).toBe(5000 + LONGEST);
	});

	it('counts the first burst from its responses', () => {
		const window = windowOf(1);
		counted(window, 0, 0);
		expect(window.roomAt(1)).toBe(COUNTS);
		expect(window.roomAt(COUNTS - 1)).toBe(COUNTS);
		expect(window.roomAt(COUNTS)).toBe(COUNTS);
	});

	it('counts a response from its likely arrival: less the shortest time, which it learns', () => {
		const window = windowOf(1);
		const leaves: number[] = [];
		for (let now = 0; leaves.length < 400; now = window.roomAt(now)) {
			counted(window, now, 640);
			leaves.push(window.roomAt(now + 640) - now);
		}
		// A 64th of the difference each time: 10 ms at first, and all of the 640 in the end.
		expect(leaves[0]).toBeCloseTo(640 - 10 + COUNTS);
		expect(leaves[63]).toBeCloseTo(640 - 640 * (1 - (63 / 64) ** 64) + COUNTS);
		expect(leaves[399]).toBeCloseTo(COUNTS, -1);
		counted(window, 1e9, 100);
		expect(window.roomAt(1e9 + 200)).toBeCloseTo(1e9 + COUNTS);
	});

	it('counts a request with a late response from its latest possible arrival', () => {
		const window = windowOf(1);
		counted(window, 0, 40_000);
		expect(window.roomAt(40_000)).toBe(LONGEST);
	});

	it('keeps leaving requests in order, whatever the order of their responses', () => {
		const window = windowOf(3);
		const slow = window.begin(0);
		counted(window, 30_000, 0);
		counted(window, 31_000, 0);
		window.accepted(slow, 45_000);
		expect(window.roomAt(46_000)).toBe(LONGEST);
		window.begin(LONGEST);
		expect(window.roomAt(LONGEST)).toBe(30_000 + COUNTS);
	});

	it('forgets a request without a response, and does not count it again when the response comes', () => {
		const window = windowOf(1);
		const hanging = window.begin(0);
		expect(window.roomAt(LONGEST)).toBe(LONGEST);
		const other = window.begin(LONGEST);
		expect(other.heldBefore).toBe(0);
		window.accepted(hanging, LONGEST + 10);
		expect(window.roomAt(LONGEST + 20)).toBe(2 * LONGEST);
	});

	it('tells each request how many may count before it', () => {
		const window = windowOf(10);
		expect(window.begin(0).heldBefore).toBe(0);
		counted(window, 0, 10);
		expect(window.begin(20).heldBefore).toBe(2);
	});

	it('does not count a refused request, and follows the refusal', () => {
		const window = windowOf(10);
		counted(window, 0, 0);
		counted(window, 0, 0);
		const third = window.begin(100);
		window.refused(third, 200, SERIOUS);
		expect(window.roomAt(200)).toBe(COUNTS);
		expect(window.roomAt(COUNTS)).toBe(COUNTS);
		counted(window, COUNTS, 0);
		counted(window, COUNTS, 0);
		// Only two got through, so the next one is sent when it probes.
		expect(window.roomAt(COUNTS)).toBe(200 + 67_500);
		expect(window.roomAt(200 + 67_500)).toBe(200 + 67_500);
	});

	it('stays as it is after a refusal by chance', () => {
		const window = windowOf(10);
		counted(window, 0, 0);
		window.refused(window.begin(100), 200);
		expect(window.roomAt(200)).toBe(200 + WINDOW / 30);
		expect(window.roomAt(3000)).toBe(3000);
	});

	it('learns from requests that really got through, not from those in flight', () => {
		const window = windowOf(10);
		window.refused(window.begin(0), 100, SERIOUS);
		const [one, two] = [window.begin(67_600), window.begin(67_600)];
		expect(two.heldBefore).toBe(1);
		window.accepted(one, 67_700);
		// It had one, and one got through, so it has found nothing yet.
		window.refused(two, 67_800, SERIOUS);
		expect(window.roomAt(67_900)).toBeGreaterThan(120_000);
	});
});
