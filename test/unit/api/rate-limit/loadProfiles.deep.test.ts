import fc from 'fast-check';

import { constant, simulate, type LoadProfile, WINDOW } from './loadProfiles';

const one: LoadProfile = { batches: [1000], atOnce: 32 };

it.each([1, 50, 99, 100, 101, 103, 201, 301, 450, 500, 501, 550, 999])(
	'a refusal by chance of request %d costs almost nothing',
	async (number) => {
		for (const ms of [5, 2000]) {
			const { time, refused } = await simulate({ ...one, ways: constant(ms), strays: [number] });
			expect(refused).toBe(1 / 1001);
			expect(time).toBeLessThan(1.04);
		}
	},
);

it('5,000 requests, 20 of them refused, take 1.01 of the shortest time', async () => {
	const strays = Array.from({ length: 20 }, (_, n) => 120 + n * 240);
	const { time, refused } = await simulate({ ...one, batches: [5000], ways: constant(5), strays });
	expect(refused).toBe(20 / 5020);
	expect(time).toBeLessThan(1.01);
});

it.each([
	[30, Infinity],
	[30, 5],
	[60, Infinity],
	[80, Infinity],
])('beside an app that takes %d of the limit for %d windows, the rest is used', async (...row) => {
	const [others, until] = row;
	const batches = [(100 - others) * 10];
	const { time, refused } = await simulate({ batches, others, until });
	expect(time).toBeLessThan(1.2);
	expect(refused).toBeLessThan(others > 60 ? 0.25 : 0.05);
});

it.each<[string, LoadProfile['retryAfter']]>([
	['told nothing', () => undefined],
	['told the time', (waitMs) => Math.ceil(waitMs / 1000) * 1000],
	['always told a second', () => 1000],
	['always told a minute', () => WINDOW],
])('four processes use up a limit with few refused requests: %s', async (_, retryAfter) => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 0, max: 400 }), async (stagger) => {
			const batches = [500, 500, 500, 500];
			const { time, refused } = await simulate({ batches, stagger, retryAfter });
			expect(time).toBeLessThanOrEqual(1.3);
			// Times without any jitter are the worst case, since all processes stay in step.
			expect(refused).toBeLessThanOrEqual(0.08);
		}),
		{ numRuns: 5 },
	);
});
