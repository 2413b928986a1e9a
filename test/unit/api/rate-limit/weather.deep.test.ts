import fc from 'fast-check';

import { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';
import {
	constant,
	LIMIT,
	Service,
	WINDOW,
	work,
	type Worked,
	type WorkOptions,
} from './simulation';

describe('the time that 1,000 requests take', () => {
	/** Numbers from 0 to 1, the same for the same seed. */
	function random(seed: number): () => number {
		let state = seed;
		return () => {
			state = (state * 48_271) % 2_147_483_647;
			return state / 2_147_483_647;
		};
	}

	const chance = random(7);
	const shortest = (items: number, limit = LIMIT): number => (items / limit - 1) * WINDOW;

	async function alone(
		items: number,
		ways: WorkOptions['ways'],
		refused: number[] = [],
	): Promise<Worked & { ratio: number }> {
		const clock = new VirtualClock();
		const working = work(clock, new Service(clock, refused), items, { atOnce: 32, ways });
		const worked = await clock.run(working);
		return { ...worked, ratio: worked.endedAt / shortest(items) };
	}

	const quick = (): [number, number] => [1, 4];
	const slow = (): [number, number] => [10, 1990];
	const random200To3000 = (): [number, number] => [5, 195 + chance() * 2800];

	describe('1,000 requests take as long as the limit requires', () => {
		it.each([
			['answers of 5 ms', quick, 1.002],
			['answers of 200 ms', (): [number, number] => [10, 190], 1.014],
			['answers of 2 s', slow, 1.023],
			['answers of 0.2 to 3 s at random', random200To3000, 1.045],
			['2 s, half of it on the way there', (): [number, number] => [1000, 1000], 1.023],
		])('with %s', async (_, ways, goal) => {
			const { ratio, refused } = await alone(1000, ways);
			expect(refused).toBe(0);
			expect(ratio).toBeLessThan(goal);
		});

		it('with times of 0.2 to 3 s on the way there, which the client cannot know', async () => {
			const { ratio, refused } = await alone(1000, () => [195 + chance() * 2800, 5]);
			expect(ratio).toBeLessThan(1.06);
			expect(refused).toBeLessThan(10);
		});

		it.each([1, 50, 99, 100, 450, 500, 501, 550, 999])(
			'with request %d refused',
			async (number) => {
				for (const ways of [quick, slow]) {
					const { ratio, refused } = await alone(1000, ways, [number]);
					expect(refused).toBe(1);
					expect(ratio).toBeLessThan(1.04);
				}
			},
		);
	});

	it('5,000 requests, 20 of them refused, take 1.01 of the shortest time', async () => {
		const strays = Array.from({ length: 20 }, (_, n) => 120 + n * 240);
		const { ratio, refused } = await alone(5000, quick, strays);
		expect(refused).toBe(20);
		expect(ratio).toBeLessThan(1.01);
	});

	describe('beside a client that takes 30 of the 100', () => {
		it.each([
			['from before until half of the time is over', 0, 5],
			['from when half of the time is over', 5, 20],
		])('%s, the rest is used', async (_, from, to) => {
			const clock = new VirtualClock();
			const service = new Service(clock);
			let taken = 0;
			const other = async (): Promise<void> => {
				await clock.sleep(from * WINDOW);
				for (let next = clock.now(); next < (to + 1) * WINDOW; next += WINDOW / 30) {
					await clock.sleep(next - clock.now());
					while (service.take() > 0) await clock.sleep(200);
					if (next >= WINDOW && clock.now() < endedAt) taken++;
				}
			};
			let endedAt = Infinity;
			const others = other();
			await clock.pass(WINDOW);
			const ways = (): [number, number] => [10 + chance() * 20, 60 + chance() * 80];
			const worked = await clock.run(work(clock, service, 1000, { atOnce: 32, ways }));
			endedAt = worked.endedAt;
			const elapsed = worked.endedAt - WINDOW;
			// Whole windows, since a client that comes after the hundred waits for the next one.
			const left = (Math.ceil((1000 + taken) / LIMIT) - 1) * WINDOW;
			expect(left / elapsed).toBeGreaterThanOrEqual(0.93);
			expect(worked.refused / (1000 + worked.refused)).toBeLessThan(0.02);
			await clock.run(others);
		});
	});

	it('three processes with unequal work reach the limit of 600, as in queue mode', async () => {
		const clock = new VirtualClock();
		const service = new Service(clock, [], 600);
		const ways = (): [number, number] => [2 + chance() * 5, 100 + chance() * 20];
		const all = [1000, 1000, 400].map(
			async (items) => await work(clock, service, items, { atOnce: 160, ways }),
		);
		const worked = await clock.run(Promise.all(all));
		const refused = worked.reduce((sum, one) => sum + one.refused, 0);
		const endedAt = Math.max(...worked.map((one) => one.endedAt));
		expect(endedAt / shortest(2400, 600)).toBeLessThan(1.05);
		expect(refused / (2400 + refused)).toBeLessThan(0.03);
	});

	it('requests without a response leave the window like the others', async () => {
		const clock = new VirtualClock();
		let started = 0;
		// The first 17 of 32 requests in flight get no response for ten minutes.
		const ways = (): [number, number] => (++started <= 17 ? [10, 600_000] : [10, 190]);
		const service = new Service(clock);
		const working = work(clock, service, 568 + 17, { atOnce: 32, ways });
		void working.catch(() => undefined);
		let healthyAt = 0;
		const watch = async (): Promise<void> => {
			while (started < 585) await clock.sleep(100);
			healthyAt = clock.now();
		};
		await clock.run(watch());
		expect(healthyAt / (5 * WINDOW)).toBeLessThan(1.04);
	});
});

/** Another client, which uses this much in every window, whatever happens. */
async function stranger(clock: VirtualClock, service: Service, each: number, windows: number) {
	for (let n = 0; n < each * windows; n++) {
		service.take();
		await clock.sleep(WINDOW / each);
	}
}

describe('a refusal', () => {
	it.each([1, 17_000, 120_000])('causes a pause of the %d ms in the response', async (told) => {
		const clock = new VirtualClock();
		const limiter = new RateLimiter(LIMIT, WINDOW, clock);
		const slot = await limiter.acquire({});
		if (typeof slot === 'string') throw new Error(slot);
		slot.release('refused', told);
		await clock.run(limiter.acquire({}));
		expect(clock.now()).toBe(told);
	});

	it('stops the burst, so that only requests in flight are refused as well', async () => {
		const clock = new VirtualClock();
		const service = new Service(clock);
		for (let n = 0; n < 60; n++) service.take();
		const pacing = work(clock, service, 41);
		await clock.run(clock.sleep(WINDOW - 1000));
		const before = clock.now();
		const { refused } = await clock.run(pacing);
		expect(before).toBeLessThan(WINDOW);
		expect(refused).toBeLessThanOrEqual(10);
	});

	it('leads to ever rarer tries if nothing says when there is room', async () => {
		const clock = new VirtualClock();
		const service = new Service(clock);
		for (let n = 0; n < LIMIT; n++) service.take();
		const { refused } = await clock.run(work(clock, service, 1));
		expect(refused).toBeLessThanOrEqual(5);
		expect(clock.now()).toBeLessThan(1.6 * WINDOW);
	});
});

describe('a refusal by chance', () => {
	it.each([101, 103, 201, 301])(
		'of request %d, sent the moment there is room, costs almost nothing',
		async (number) => {
			const clock = new VirtualClock();
			const slow = { atOnce: 32, ways: constant(2000) };
			const service = new Service(clock, [number]);
			const { refused } = await clock.run(work(clock, service, 1000, slow));
			expect(refused).toBe(1);
			expect(clock.now() / (9 * WINDOW)).toBeLessThan(1.04);
		},
	);
});

describe('a limit that other apps use too', () => {
	it.each([30, 60, 90])('is shared with another client that uses %d of it', async (each) => {
		const clock = new VirtualClock();
		const service = new Service(clock);
		const windows = 10;
		const others = stranger(clock, service, each, windows + 2);
		const items = (LIMIT - each) * windows;
		const { done, refused } = await clock.run(work(clock, service, items));
		expect(done).toBe(items);
		expect(clock.now() / WINDOW).toBeLessThan(windows * 1.2 + 1);
		expect(refused / items).toBeLessThan(each > 80 ? 0.25 : 0.05);
		await clock.run(others);
	});

	it('is whole again when the others are gone', async () => {
		const clock = new VirtualClock();
		const service = new Service(clock);
		const others = stranger(clock, service, 80, 3);
		await clock.run(work(clock, service, 60));
		await clock.run(others);
		const gone = clock.now();
		// One limiter for both halves, as in one process.
		const again = await clock.run(work(clock, service, 500));
		expect((clock.now() - gone) / WINDOW).toBeLessThan(7);
		expect(again.refused).toBeLessThan(25);
	});

	it.each([
		['told nothing', () => undefined],
		['told the time', (waitMs: number) => Math.ceil(waitMs / 1000) * 1000],
		['told a second, always', () => 1000],
		['told a minute, always', () => 60_000],
	])('is used up by four processes, with few refused requests: %s', async (_, retryAfter) => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 0, max: 400 }), async (stagger) => {
				const clock = new VirtualClock();
				const service = new Service(clock);
				const starting = [0, 1, 2, 3].map(async (process) => {
					await clock.sleep(process * stagger);
					return await work(clock, service, 500, { retryAfter });
				});
				const clients = await clock.run(Promise.all(starting));
				const refused = clients.reduce((sum, client) => sum + client.refused, 0);
				expect(clients.map(({ done }) => done)).toEqual([500, 500, 500, 500]);
				expect(2000 / LIMIT / (clock.now() / WINDOW)).toBeGreaterThanOrEqual(0.8);
				// Latencies without any jitter are the worst case, since all processes stay in
				// step.
				expect(refused / (2000 + refused)).toBeLessThanOrEqual(0.08);
			}),
			{ numRuns: 5 },
		);
	});
});
