import { setMaxListeners } from 'node:events';

import fc from 'fast-check';

import {
	RateLimiter,
	type AcquireResult,
} from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';
import { send, slotOf, type TimedRequest } from './sending';

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
		expect(order).toEqual(['7000', 'first', '7000 too', 'second', '7000 as well', '8000', '9000']);
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
