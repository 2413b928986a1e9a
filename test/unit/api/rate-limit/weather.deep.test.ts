import { VirtualClock } from '../../../support/virtualClock';
import { LIMIT, Service, WINDOW, work, type Worked, type WorkOptions } from './simulation';

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

	it.each([1, 50, 99, 100, 450, 500, 501, 550, 999])('with request %d refused', async (number) => {
		for (const ways of [quick, slow]) {
			const { ratio, refused } = await alone(1000, ways, [number]);
			expect(refused).toBe(1);
			expect(ratio).toBeLessThan(1.04);
		}
	});
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
