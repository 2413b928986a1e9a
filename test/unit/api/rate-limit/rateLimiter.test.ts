import fc from 'fast-check';
import { setMaxListeners } from 'node:events';

import {
	type AcquireResult,
	RateLimiter,
	rateLimiterFor,
} from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';
import { send, slotOf, type TimedRequest } from './sending';

describe('a rate limiter', () => {
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
		['immediately', 0, 0],
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

describe('the rate limiter of a credential', () => {
	const WINDOW = 60_000;
	const ORIGIN = 'https://supercast.tech';

	function world() {
		const clock = new VirtualClock();
		const limiterOf = (id: string, limit = 100, origin = ORIGIN) =>
			rateLimiterFor(origin, id, limit, { clock, windowMs: WINDOW });
		return { clock, limiterOf };
	}

	it('is shared by all that use the same host and credential, and by nobody else', async () => {
		const { limiterOf } = world();
		const limiter = limiterOf('one');
		slotOf(await limiter.acquire({}));
		expect(limiterOf('one')).toBe(limiter);
		expect(limiterOf('two')).not.toBe(limiter);
		expect(limiterOf('one', 100, 'https://other.example')).not.toBe(limiter);
		expect(limiterOf('one')).toBe(limiter);
	});

	it('is shared from the first moment, before any request was sent', async () => {
		const { clock, limiterOf } = world();
		const limiter = limiterOf('storm');
		await clock.pass(WINDOW);
		expect(limiterOf('storm')).toBe(limiter);
		await clock.pass(WINDOW);
		limiterOf('another');
		expect(limiterOf('storm')).toBe(limiter);
	});

	it("follows the credential's current limit", async () => {
		const { clock, limiterOf } = world();
		const limiter = limiterOf('changed', 1);
		slotOf(await limiter.acquire({})).release('counted');
		const done = jest.fn();
		const waiting = limiter.acquire({}).finally(done);
		limiterOf('changed', 1);
		await clock.pass(10);
		expect(done).not.toHaveBeenCalled();
		limiterOf('changed', 2);
		slotOf(await clock.run(waiting));
		expect(clock.now()).toBe(10);
	});

	/** Sends this many requests, each answered immediately. */
	async function sendAll(limiter: RateLimiter, count: number): Promise<void> {
		for (let n = 0; n < count; n++) slotOf(await limiter.acquire({})).release('counted');
	}

	it('is the same for an execution that waits longer than a window before it goes on', async () => {
		const { clock, limiterOf } = world();
		const early = limiterOf('waits');
		await clock.run(sendAll(early, 1));
		// For example, an execution waits this long after a 503, while n8n uses another credential.
		await clock.pass(3 * WINDOW);
		limiterOf('another');
		const start = clock.now();
		const both = [early, limiterOf('waits')].map(async (one) => await sendAll(one, 100));
		await clock.run(Promise.all(both));
		expect(clock.now() - start).toBeGreaterThanOrEqual(WINDOW);
	});

	it.each([
		[100, 99],
		[100, 101],
		[100, 40],
		[0, 100],
	])('keeps what was sent when the limit changes from %d to %d', async (before, after) => {
		const { clock, limiterOf } = world();
		const id = `edited ${before} ${after}`;
		await clock.run(sendAll(limiterOf(id, before), 100));
		await clock.pass(1000);
		await clock.run(sendAll(limiterOf(id, after), Math.max(1, after - 100)));
		const waited = after > 100 ? 0 : WINDOW - 1000;
		expect(clock.now() - 1000).toBeGreaterThanOrEqual(waited);
		if (after > 100) {
			expect(clock.now()).toBeLessThan(WINDOW / 2);
		}
	});

	it('is off as soon as the limit is 0', async () => {
		const { clock, limiterOf } = world();
		await clock.run(sendAll(limiterOf('off', 10), 10));
		await clock.run(sendAll(limiterOf('off', 0), 500));
		expect(clock.now()).toBe(0);
	});

	it('does not listen to the signal of a request that need not wait', async () => {
		const { clock, limiterOf } = world();
		const { signal } = new AbortController();
		const listen = jest.spyOn(signal, 'addEventListener');
		const limiter = limiterOf('signal', 1);
		slotOf(await limiter.acquire({}, { signal }));
		expect(listen).not.toHaveBeenCalled();
		slotOf(await clock.run(limiter.acquire({}, { signal })));
		expect(listen).toHaveBeenCalledTimes(1);
	});

	it('sets no timer that outlives the requests that wait', async () => {
		const { clock, limiterOf } = world();
		const limiter = limiterOf('timer', 1);
		const slot = slotOf(await limiter.acquire({}));
		const stop = new AbortController();
		const waiting = limiter.acquire({}, { signal: stop.signal });
		await clock.pass(10);
		expect(clock.pending).toBe(1);
		stop.abort();
		expect(await waiting).toBe('stopped');
		expect(clock.pending).toBe(0);
		slot.release('counted');
		const later = limiter.acquire({});
		await clock.pass(10);
		expect(clock.pending).toBe(1);
		limiterOf('timer', 5);
		slotOf(await clock.run(later));
		expect(clock.pending).toBe(0);
	});
});

describe('the wait for a slot', () => {
	const WINDOW = 1000;

	describe('waiting for a slot', () => {
		it('ends immediately when it is stopped at any time, and holds up no other request', async () => {
			await fc.assert(
				fc.asyncProperty(fc.integer({ min: 0, max: 5 * WINDOW }), async (at) => {
					const clock = new VirtualClock();
					const limiter = new RateLimiter(2, WINDOW, clock);
					const stop = new AbortController();
					setMaxListeners(0, stop.signal);
					const ends: number[] = [];
					const client = {};
					const stoppable = async (): Promise<AcquireResult> => {
						const result = await limiter.acquire(client, { signal: stop.signal });
						ends.push(clock.now());
						if (typeof result !== 'string') result.release('counted');
						return result;
					};
					const others = { at: 0, client: 0, answer: 0 };
					const all = Promise.all([
						send(limiter, clock, Array<TimedRequest>(6).fill(others)),
						...Array.from({ length: 20 }, stoppable),
						clock.sleep(at).then(() => stop.abort()),
					]);
					const [sent] = await clock.run(all);
					expect(sent).toHaveLength(6);
					expect(ends).toHaveLength(20);
					expect(Math.max(...ends)).toBeLessThanOrEqual(at);
					expect(await limiter.acquire({}, { signal: stop.signal })).toBe('stopped');
				}),
				{ numRuns: 30 },
			);
		});

		it('follows a new limit of the credential', async () => {
			const clock = new VirtualClock();
			const limiter = new RateLimiter(1, WINDOW, clock);
			slotOf(await limiter.acquire({}));
			const waiting = limiter.acquire({});
			limiter.limit = 5;
			slotOf(await clock.run(waiting));
			expect(clock.now()).toBe(0);
		});
	});

	describe('a retry', () => {
		/** A limiter whose only place in the window is taken until 1000.5. */
		async function busy() {
			const clock = new VirtualClock();
			const limiter = new RateLimiter(1, WINDOW, clock);
			slotOf(await limiter.acquire({})).release('counted');
			const order: string[] = [];
			const wait = async (name: string, deadline?: number): Promise<void> => {
				const result = await limiter.acquire({}, { deadline });
				order.push(typeof result === 'string' ? `${name} ${result}` : name);
				if (typeof result !== 'string') result.release('counted');
			};
			return { clock, limiter, order, wait };
		}

		it('goes first, the earliest deadline before the others, and a first try after each', async () => {
			const { clock, order, wait } = await busy();
			const all = [
				wait('first'),
				wait('9000', 9000),
				wait('7000', 7000),
				wait('second', Infinity),
				wait('8000', 8000),
				wait('7000 too', 7000),
				wait('7000 as well', 7000),
			];
			await clock.run(Promise.all(all));
			expect(order).toEqual([
				'7000',
				'first',
				'7000 too',
				'second',
				'7000 as well',
				'8000',
				'9000',
			]);
		});

		it('leaves half of the slots to first tries, however many requests keep failing', async () => {
			const clock = new VirtualClock();
			const limiter = new RateLimiter(10, WINDOW, clock);
			let isOver = false;
			const failing = async (): Promise<void> => {
				while (!isOver) {
					slotOf(await limiter.acquire({}, { deadline: 1e9 })).release('counted');
					await clock.sleep(WINDOW);
				}
			};
			const others = Array.from({ length: 60 }, failing);
			await clock.pass(3.5 * WINDOW);
			const before = clock.now();
			slotOf(await clock.run(limiter.acquire({})));
			expect(clock.now() - before).toBeLessThanOrEqual(WINDOW);
			isOver = true;
			await clock.run(Promise.all(others));
		});

		it('is never late because it waits behind others', async () => {
			const { clock, order, wait } = await busy();
			await clock.run(Promise.all([wait('100', 100), wait('99', 99)]));
			expect(order).toEqual(['99', '100']);
			expect(Math.round(clock.now())).toBe(2002);
		});

		it('is late when its time is over before it queues', async () => {
			const { clock, limiter } = await busy();
			await clock.pass(500);
			expect(await limiter.acquire({}, { deadline: 500 })).toBe('late');
			const waiting = limiter.acquire({}, { deadline: 500.5 });
			expect(typeof (await clock.run(waiting))).toBe('object');
		});

		it('is late once a pause begins, or grows, beyond its deadline', async () => {
			const clock = new VirtualClock();
			const limiter = new RateLimiter(60, WINDOW, clock);
			const [one, two, three] = [
				slotOf(await limiter.acquire({})),
				slotOf(await limiter.acquire({})),
				slotOf(await limiter.acquire({})),
			];
			const ends: Array<[number, string, number]> = [];
			const wait = async (deadline: number): Promise<void> => {
				const result = await limiter.acquire({}, { deadline });
				ends.push([deadline, typeof result === 'string' ? result : 'slot', clock.now()]);
				if (typeof result !== 'string') result.release('counted');
			};
			const all = Promise.all([900, 200, 201, 900.5, 2000].map(wait));
			one.release('refused', 200);
			await clock.pass(100);
			expect(ends).toEqual([[200, 'late', 0]]);
			two.release('refused', 800);
			// Its value is lower than the known one, so nothing changes.
			three.release('refused', 10);
			expect(await limiter.acquire({}, { deadline: 900 })).toBe('late');
			await clock.run(all);
			expect(ends).toEqual([
				[200, 'late', 0],
				[201, 'late', 100],
				[900, 'late', 100],
				[900.5, 'slot', 900],
				// Only one is known to get through, until the next probe.
				[2000, 'slot', 1225],
			]);
		});

		it('does not make first tries late, however long the pause is', async () => {
			const clock = new VirtualClock();
			const limiter = new RateLimiter(5, 60_000, clock);
			const slot = slotOf(await limiter.acquire({}));
			const month = 30 * 24 * 3_600_000;
			slot.release('refused', month);
			slotOf(await clock.run(limiter.acquire({})));
			expect(clock.now()).toBe(month);
			// A timer in Node cannot run for more than 24 days.
			expect(clock.longestSleepMs).toBe(2 ** 31 - 1);
		});

		it('does not change the places of others when it is stopped', async () => {
			const { clock, limiter, order, wait } = await busy();
			const stop = new AbortController();
			const stopped = limiter.acquire({}, { deadline: 700, signal: stop.signal });
			const all = Promise.all([wait('700', 700), wait('701', 701), wait('699', 699)]);
			stop.abort();
			expect(await stopped).toBe('stopped');
			await clock.run(all);
			expect(order).toEqual(['699', '700', '701']);
		});
	});
});
