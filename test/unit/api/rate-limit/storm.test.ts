import { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import type { Client } from '../../../../nodes/Supercast/api/rate-limit/fairQueue';
import { VirtualClock } from '../../../support/virtualClock';

const WINDOW = 60_000;
const LIMIT = 100;
const MAX_WAIT = 600_000;

/** One execution of one item. Its first try waits as long as needed, its retries for ten minutes. */
async function execution(limiter: RateLimiter, clock: VirtualClock, isRefused: () => boolean) {
	const client = {};
	let deadline = Infinity;
	for (let attempts = 1; ; attempts++) {
		const slot = await limiter.acquire(client, { deadline });
		if (typeof slot === 'string') return { attempts, end: slot };
		if (deadline === Infinity) deadline = clock.now() + MAX_WAIT;
		await clock.sleep(100);
		if (!isRefused()) {
			slot.release('counted');
			return { attempts, end: 'done' };
		}
		slot.release('refused');
	}
}

it('in a storm of 1,400 executions, 20 that are refused once are done on their second try', async () => {
	const clock = new VirtualClock();
	const limiter = new RateLimiter(LIMIT, WINDOW, clock);
	let asked = 0;
	const isRefused = (): boolean => ++asked % 60 === 0 && asked <= 1200;
	const all = Array.from({ length: 1400 }, async () => await execution(limiter, clock, isRefused));
	const ends = await clock.run(Promise.all(all));
	expect(ends.filter(({ end }) => end !== 'done')).toEqual([]);
	expect(ends.filter(({ attempts }) => attempts === 2)).toHaveLength(20);
	expect(ends.filter(({ attempts }) => attempts > 2)).toEqual([]);
});

describe('while 1,800 executions of one item wait', () => {
	/** An execution that sends this many requests, one after the other. */
	async function run(limiter: RateLimiter, clock: VirtualClock, client: Client, requests: number) {
		const start = clock.now();
		for (let n = 0; n < requests; n++) {
			const slot = await limiter.acquire(client);
			if (typeof slot === 'string') throw new Error(slot);
			await clock.sleep(100);
			slot.release('counted');
		}
		return clock.now() - start;
	}

	function crowd(limiter: RateLimiter, clock: VirtualClock, count = 1800) {
		return Array.from(
			{ length: count },
			async () => await run(limiter, clock, { workflow: 'crowd' }, 1),
		);
	}

	it.each(['crowd', 'another'])(
		'a new execution of the workflow "%s" is done within a window, whenever it comes',
		async (workflow) => {
			const clock = new VirtualClock();
			const limiter = new RateLimiter(LIMIT, WINDOW, clock);
			const all = crowd(limiter, clock);
			const late: number[] = [];
			for (let n = 0; n < 12; n++) {
				await clock.pass(1.13 * WINDOW);
				late.push(await clock.run(run(limiter, clock, { workflow }, 3)));
			}
			expect(Math.max(...late)).toBeLessThanOrEqual(WINDOW + 3000);
			const times = await clock.run(Promise.all(all));
			// The crowd takes no longer than its requests and those of the others.
			expect(Math.max(...times)).toBeLessThan((1836 / LIMIT) * WINDOW * 1.03);
			// And the first that came is among the first that are done.
			expect(times[150]).toBeLessThan(3.1 * WINDOW);
		},
	);

	it('an execution of another workflow is done within a window while the crowd still grows', async () => {
		const clock = new VirtualClock();
		const limiter = new RateLimiter(LIMIT, WINDOW, clock);
		const all = crowd(limiter, clock, 900);
		await clock.pass(2 * WINDOW);
		const urgent = run(limiter, clock, { workflow: 'urgent' }, 2);
		for (let n = 0; n < 30; n++) {
			all.push(...crowd(limiter, clock, 30));
			await clock.pass(1000);
		}
		expect(await clock.run(urgent)).toBeLessThanOrEqual(WINDOW + 3000);
		await clock.run(Promise.all(all));
	});

	it('an execution that is followed by newer ones of its workflow still gets its turn', async () => {
		const clock = new VirtualClock();
		const limiter = new RateLimiter(LIMIT, WINDOW, clock);
		const before = crowd(limiter, clock, 300);
		const mine = run(limiter, clock, { workflow: 'crowd' }, 1);
		let isOver = false;
		// More than Supercast takes, for ever.
		const after = (async () => {
			while (!isOver) {
				void crowd(limiter, clock, 3);
				await clock.sleep(1000);
			}
		})();
		expect(await clock.run(mine)).toBeLessThanOrEqual(7 * WINDOW);
		isOver = true;
		await clock.run(Promise.all([...before, after]));
	});
});

it('of 240 executions of two requests, the first half is done in the first part of the time', async () => {
	const clock = new VirtualClock();
	const limiter = new RateLimiter(LIMIT, WINDOW, clock);
	const done = Array.from({ length: 240 }, async () => {
		const client = { workflow: 'joins' };
		for (let n = 0; n < 2; n++) {
			const slot = await limiter.acquire(client);
			if (typeof slot === 'string') throw new Error(slot);
			await clock.sleep(100);
			slot.release('counted');
		}
		return clock.now();
	});
	const ends = await clock.run(Promise.all(done));
	const elapsed = Math.max(...ends);
	const firstHalf = ends.slice(0, 120).sort((one, other) => one - other);
	// 480 requests take four windows after the first one.
	expect(elapsed).toBeLessThanOrEqual(4 * WINDOW * 1.05);
	expect(firstHalf[60]).toBeLessThanOrEqual(0.3 * elapsed);
	expect(Math.max(...firstHalf)).toBeLessThanOrEqual(0.65 * elapsed);
});
