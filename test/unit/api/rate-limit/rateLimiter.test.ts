import fc from 'fast-check';

import { Channel } from '../../../../nodes/Supercast/api/sharedChannel';
import { runtime } from '../../../../nodes/Supercast/api/clock';
import {
	type AcquireOptions,
	type AcquireResult,
	RateLimiter,
	type Slot,
} from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';

const WINDOW = 1000;

/** The slot, which must exist here. */
function slotOf(result: AcquireResult): Slot {
	if (typeof result === 'string') throw new Error(`no slot: ${result}`);
	return result;
}

function limiterOf(limit: number, window = WINDOW): { clock: VirtualClock; limiter: RateLimiter } {
	const clock = new VirtualClock();
	return { clock, limiter: new RateLimiter(limit, window, clock) };
}

/** Sends this many requests one after the other, each answered immediately. */
async function sendAll(limiter: RateLimiter, count: number): Promise<void> {
	for (let n = 0; n < count; n++) slotOf(await limiter.acquire({})).release('counted');
}

describe('requests', () => {
	const requests = fc.array(
		fc.record({
			at: fc.integer({ min: 0, max: 3 * WINDOW }),
			answer: fc.integer({ min: 0, max: 2 * WINDOW }),
		}),
		{ minLength: 1, maxLength: 60 },
	);

	it('never exceed the limit in any window, and all of them are sent', async () => {
		await fc.assert(
			fc.asyncProperty(requests, fc.integer({ min: 1, max: 12 }), async (all, limit) => {
				const { clock, limiter } = limiterOf(limit);
				const times: number[] = [];
				const send = async ({ at, answer }: { at: number; answer: number }): Promise<void> => {
					await clock.sleep(at);
					const slot = slotOf(await limiter.acquire({}));
					times.push(clock.now());
					await clock.sleep(answer);
					slot.release('counted');
				};
				await clock.run(Promise.all(all.map(send)));
				expect(times).toHaveLength(all.length);
				for (const [index, time] of times.entries()) {
					expect(time - (times[index - limit] ?? -Infinity)).toBeGreaterThanOrEqual(WINDOW);
				}
			}),
			{ numRuns: 60 },
		);
	});

	it.each([
		['all, if responses come immediately', 0, 0],
		['three at a time, if responses are quick', 100, 3275],
		['in an eighth of a window, if responses are slow', 2000, 7275],
		['in an eighth of a window, if nothing responds', 600_000, 7275],
	])('of a whole limit are sent %s', async (_, answer, lasts) => {
		const { clock, limiter } = limiterOf(100, 60_000);
		let lastAt = 0;
		const send = async (): Promise<void> => {
			const slot = slotOf(await limiter.acquire({}));
			lastAt = clock.now();
			await clock.sleep(answer);
			slot.release('counted');
		};
		await clock.run(Promise.all(Array.from({ length: 100 }, send)));
		expect(lastAt).toBe(lasts);
	});

	it('wait as long as Supercast says, once, however short or long that is', async () => {
		const month = 30 * 24 * 3_600_000;
		for (const told of [1, 17_000, 120_000, month]) {
			const { clock, limiter } = limiterOf(100, 60_000);
			slotOf(await limiter.acquire({})).release('refused', told);
			slotOf(await clock.run(limiter.acquire({})));
			expect(clock.now()).toBe(told);
			// A timer in Node cannot run for more than 24 days.
			expect(clock.longestSleepMs).toBe(Math.min(told, 2 ** 31 - 1));
		}
	});
});

describe('the limiter of a channel', () => {
	function setUp() {
		const clock = new VirtualClock();
		const channel = new Channel({ ...runtime, clock });
		const limiter = (credential: string, limit = 100): RateLimiter => {
			channel.setLimit(credential, limit);
			return channel.limiter;
		};
		return { clock, limiter };
	}

	it('keeps to the lowest limit of its credentials, and one without a limit does not count', async () => {
		const { clock, limiter } = setUp();
		limiter('one', 100);
		limiter('two', 0);
		await clock.run(sendAll(limiter('three', 40), 100));
		expect(clock.now()).toBeGreaterThanOrEqual(120_000);
	});

	it.each([
		[100, 99, 59_000],
		[100, 101, 0],
		[100, 0, 0],
		[100, 40, 59_000],
		[0, 100, 59_000],
	])('counts what was sent when the limit changes from %d to %d', async (before, after, least) => {
		const { clock, limiter } = setUp();
		const id = `edited ${before} ${after}`;
		await clock.run(sendAll(limiter(id, before), 100));
		await clock.pass(1000);
		await clock.run(sendAll(limiter(id, after), after === 0 ? 500 : 1));
		expect(clock.now() - 1000).toBeGreaterThanOrEqual(least);
		expect(clock.now() - 1000).toBeLessThan(least + 3000);
	});

	it('only pauses after a refusal if there is no limit', async () => {
		const { clock, limiter } = setUp();
		const unlimited = limiter('unlimited', 0);
		slotOf(await unlimited.acquire({})).release('refused', 60_000);
		await clock.run(sendAll(unlimited, 500));
		expect(clock.now()).toBe(60_000);
	});

	it('lets a waiting request go when the limit grows, and leaves no timer', async () => {
		const { clock, limiter } = setUp();
		await sendAll(limiter('changed', 1), 1);
		const stop = new AbortController();
		const { signal } = stop;
		const stopped = limiter('changed', 1).acquire({}, { signal });
		await clock.pass(10);
		expect(clock.pending).toBe(1);
		stop.abort();
		expect([await stopped, clock.pending]).toEqual(['stopped', 0]);
		const waiting = limiter('changed', 1).acquire({});
		await clock.pass(10);
		limiter('changed', 2);
		slotOf(await clock.run(waiting));
		expect([clock.now(), clock.pending]).toEqual([20, 0]);
	});
});

describe('a request that waits', () => {
	/** Notes how each request ends, and when. */
	function noting(limiter: RateLimiter, clock: VirtualClock) {
		const ends: Array<[unknown, string, number]> = [];
		const wait = async (name: unknown, options: AcquireOptions): Promise<void> => {
			const result = await limiter.acquire({}, options);
			ends.push([name, typeof result === 'string' ? result : 'slot', Math.round(clock.now())]);
			if (typeof result !== 'string') result.release('counted');
		};
		return { ends, wait, retry: async (deadline: number) => await wait(deadline, { deadline }) };
	}

	it('ends immediately when it is stopped at any time, and holds up no other request', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 0, max: 5 * WINDOW }), async (at) => {
				const { clock, limiter } = limiterOf(2);
				const { ends, wait, retry } = noting(limiter, clock);
				const stop = new AbortController();
				const { signal } = stop;
				const stoppable = Array.from(
					{ length: 20 },
					async () => await wait('stoppable', { signal }),
				);
				const others = [1e6, 2e6, 3e6, Infinity].map(retry);
				const stopping = clock.sleep(at).then(() => stop.abort());
				await clock.run(Promise.all([...stoppable, ...others, stopping]));
				const stoppedAt = ends.filter(([name]) => name === 'stoppable').map(([, , time]) => time);
				expect(Math.max(...stoppedAt)).toBeLessThanOrEqual(at);
				expect(ends).toHaveLength(24);
				expect(await limiter.acquire({}, { signal })).toBe('stopped');
			}),
			{ numRuns: 30 },
		);
	});

	it('goes by deadlines, with a first try after each retry, and is not late because of others', async () => {
		const { clock, limiter } = limiterOf(1);
		await sendAll(limiter, 1);
		const { ends, retry } = noting(limiter, clock);
		const all = [Infinity, 900, 700, Infinity, 800, 700, 99].map(retry);
		await clock.run(Promise.all(all));
		const order = [99, Infinity, 700, Infinity, 700, 800, 900];
		expect(ends.map(([name, end]) => [name, end])).toEqual(order.map((name) => [name, 'slot']));
		expect(await limiter.acquire({}, { deadline: clock.now() })).toBe('late');
	});

	it('is late once a pause begins, or grows, beyond its deadline', async () => {
		const { clock, limiter } = limiterOf(60);
		const slots: Slot[] = [];
		for (let n = 0; n < 3; n++) slots.push(slotOf(await limiter.acquire({})));
		const { ends, retry } = noting(limiter, clock);
		const all = Promise.all([900, 200, 201, 900.5, 2000].map(retry));
		slots[0]!.release('refused', 200);
		await clock.pass(100);
		expect(ends).toEqual([[200, 'late', 0]]);
		slots[1]!.release('refused', 800);
		// A shorter pause changes nothing.
		slots[2]!.release('refused', 10);
		expect(await limiter.acquire({}, { deadline: 900 })).toBe('late');
		await clock.run(all);
		expect(ends.slice(1)).toEqual([
			[201, 'late', 100],
			[900, 'late', 100],
			[900.5, 'slot', 900],
			// Supercast accepts only one, until the next probe.
			[2000, 'slot', 1225],
		]);
	});
});
