import fc from 'fast-check';

import { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';
import { send, slotOf } from './sending';

const WINDOW = 1000;

const requests = fc.array(
	fc.record({
		at: fc.integer({ min: 0, max: 3 * WINDOW }),
		client: fc.integer({ min: 0, max: 3 }),
		answer: fc.integer({ min: 0, max: 2 * WINDOW }),
	}),
	{ minLength: 1, maxLength: 60 },
);

/** The most that fall into any half-open window of this length. */
function mostInAnyWindow(times: number[]): number {
	const sorted = [...times].sort((one, other) => one - other);
	return Math.max(
		...sorted.map((start) => sorted.filter((at) => at >= start && at < start + WINDOW).length),
	);
}

describe('a rate limiter', () => {
	it('never exceeds the limit in any window, and lets every request go', async () => {
		await fc.assert(
			fc.asyncProperty(requests, fc.integer({ min: 1, max: 12 }), async (all, limit) => {
				const clock = new VirtualClock();
				const sent = await clock.run(send(new RateLimiter(limit, WINDOW, clock), clock, all));
				expect(sent).toHaveLength(all.length);
				expect(mostInAnyWindow(sent.map(({ at }) => at))).toBeLessThanOrEqual(limit);
				const slowest = Math.max(...all.map(({ answer }) => answer));
				const windows = Math.ceil(all.length / limit);
				const longest = windows * (WINDOW * 1.001 + slowest) + 3 * WINDOW;
				expect(Math.max(...sent.map(({ at }) => at))).toBeLessThanOrEqual(longest);
			}),
			{ numRuns: 60 },
		);
	});

	it('sends the next one when the first leaves the window', async () => {
		const clock = new VirtualClock();
		const all = Array.from({ length: 21 }, () => ({ at: 0, client: 0, answer: 40 }));
		const sent = await clock.run(send(new RateLimiter(10, WINDOW, clock), clock, all));
		const windows = [0, 10, 20].map((first) => Math.round(sent[first]!.at));
		// A slow response costs its time in the first window. After that it costs only its jitter.
		expect(windows).toEqual([0, 1039, 2074]);
	});

	it.each([
		['at once', 0, 0],
		['as fast as three at a time are answered', 100, 3300],
		['in an eighth of a window to a slow service', 2000, 7425],
		['in an eighth of a window if nothing is answered', 600_000, 7425],
	])('sends a burst of the whole limit %s', async (_, answer, within) => {
		const clock = new VirtualClock();
		const queue = Array.from({ length: 100 }, () => ({ at: 0, client: 0, answer }));
		const limiter = new RateLimiter(100, 60_000, clock);
		const sent = await clock.run(send(limiter, clock, queue));
		expect(sent.at(-1)!.at).toBeLessThanOrEqual(within);
	});

	// Quick means that a response comes before the next request of a burst is due.
	it('has at most three requests in flight to a quick server', async () => {
		await fc.assert(
			fc.asyncProperty(requests, fc.integer({ min: 1, max: 100 }), async (all, limit) => {
				const clock = new VirtualClock();
				const dueAfter = WINDOW / 8 / limit;
				const quick = all.map((one) => ({ ...one, answer: ((one.answer % 8) / 8) * dueAfter }));
				const sent = await clock.run(send(new RateLimiter(limit, WINDOW, clock), clock, quick));
				for (const { at } of sent) {
					const underway = sent.filter((one) => one.at <= at && at < one.at + one.answer);
					expect(underway.length).toBeLessThanOrEqual(3);
				}
			}),
			{ numRuns: 60 },
		);
	});

	it('counts a response that took longer than others from when it may have arrived', async () => {
		const clock = new VirtualClock();
		const all = [10, 40, 10, 10].map((answer, n) => ({ at: n * 100, client: 0, answer }));
		const sent = await clock.run(send(new RateLimiter(2, WINDOW, clock), clock, all));
		expect(sent.map(({ at }) => Math.round(at))).toEqual([0, 100, 1011, 1140]);
	});

	it('lets clients take turns, so no single request waits longer than a window', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 3 * WINDOW }),
				fc.integer({ min: 2, max: 10 }),
				fc.integer({ min: 0, max: 200 }),
				async (at, limit, answer) => {
					const clock = new VirtualClock();
					const batch = Array.from({ length: 60 }, () => ({ at: 0, client: 0, answer }));
					const urgent = { at, client: 1, answer };
					const sent = await clock.run(
						send(new RateLimiter(limit, WINDOW, clock), clock, [...batch, urgent]),
					);
					const index = sent.findIndex(({ client }) => client === 1);
					expect(sent[index]!.at - at).toBeLessThanOrEqual(WINDOW + 1 + answer);
					const overtaken = sent.slice(0, index).filter((other) => other.at > at);
					expect(overtaken.length).toBeLessThanOrEqual(1);
				},
			),
			{ numRuns: 40 },
		);
	});

	it('keeps the order of one client', async () => {
		const clock = new VirtualClock();
		const limiter = new RateLimiter(2, WINDOW, clock);
		const order: number[] = [];
		const client = {};
		const one = async (number: number): Promise<void> => {
			const slot = slotOf(await limiter.acquire(client));
			order.push(number);
			slot.release('counted');
		};
		await clock.run(Promise.all([1, 2, 3, 4, 5, 6, 7].map(one)));
		expect(order).toEqual([1, 2, 3, 4, 5, 6, 7]);
	});

	it('does not pace when the limit is 0', async () => {
		const clock = new VirtualClock();
		const all = Array.from({ length: 500 }, () => ({ at: 0, client: 0, answer: 50 }));
		await clock.run(send(new RateLimiter(0, WINDOW, clock), clock, all));
		expect(clock.now()).toBe(50);
	});
});
