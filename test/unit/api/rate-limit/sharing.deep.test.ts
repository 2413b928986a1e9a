import fc from 'fast-check';

import { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';
import { constant, LIMIT, Service, WINDOW, work } from './simulation';

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
