import fc from 'fast-check';

import {
	type Client,
	FairQueue,
	FEW_REQUESTS,
} from '../../../../nodes/Supercast/api/rate-limit/fairQueue';
import { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';

interface Entry {
	client: Client;
	deadline: number;
	name: string;
}

/** Two clients of one workflow, one of another, and one of none. */
const CLIENTS: Client[] = [{ workflow: 'w' }, { workflow: 'w' }, { workflow: 'x' }, {}];

function entry(client: number, name: string, deadline = Infinity): Entry {
	return { client: CLIENTS[client]!, deadline, name };
}

/** One entry of a client that nobody has seen before. */
function arrival(name: string, workflow = 'w'): Entry {
	return { client: { workflow }, deadline: Infinity, name };
}

function queueOf(...entries: Entry[]): FairQueue<Entry> {
	const queue = new FairQueue<Entry>();
	for (const one of entries) queue.add(one);
	return queue;
}

function drain(queue: FairQueue<Entry>): string[] {
	const names: string[] = [];
	for (let next = queue.next(); next !== undefined; next = queue.next()) names.push(next.name);
	return names;
}

/** Entries of one client, with numbered names. */
function many(client: number, name: string, count = FEW_REQUESTS + 1): Entry[] {
	return Array.from({ length: count }, (_, index) => entry(client, `${name}${index + 1}`));
}

describe('the turns', () => {
	it('go round among workflows, however many clients each has', () => {
		const crowd = ['1', '2', '3', '4'].map((name) => arrival(`w${name}`));
		const queue = queueOf(...crowd, arrival('x1', 'x'), arrival('x2', 'x'), arrival('y1', 'y'));
		expect(drain(queue)).toEqual(['w1', 'x1', 'y1', 'w2', 'x2', 'w3', 'w4']);
		expect(queue.isEmpty).toBe(true);
	});

	it('go to short clients in the order in which they came, also for their second request', () => {
		const queue = queueOf(
			entry(0, 'a1'),
			...['1', '2'].map((name) => arrival(name)),
			entry(1, 'b1'),
		);
		expect([queue.next()?.name, queue.next()?.name]).toEqual(['a1', '1']);
		queue.add(entry(0, 'a2'));
		expect(drain(queue)).toEqual(['a2', '2', 'b1']);
	});

	it('go to the newest client once in eight turns, so that it does not wait for a crowd', () => {
		const names = Array.from({ length: 20 }, (_, index) => `${index + 1}`);
		const queue = queueOf(...names.map((name) => arrival(name)));
		expect(drain(queue).slice(0, 9)).toEqual(['1', '2', '3', '4', '5', '6', '7', '20', '8']);
	});

	it('alternate between short clients and those with many requests', () => {
		const queue = queueOf(...many(0, 'a'), ...['1', '2', '3'].map((name) => arrival(name)));
		expect(drain(queue).slice(0, 7)).toEqual(['1', 'a1', '2', 'a2', '3', 'a3', 'a4']);
	});

	it('go round among the clients with many requests, each in its order', () => {
		const queue = queueOf(...many(0, 'a'), ...many(1, 'b'));
		expect(drain(queue).slice(0, 5)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
	});

	it('count a client as long once it has sent more than ten requests, whatever waits', () => {
		const queue = queueOf(...many(0, 'sent', FEW_REQUESTS));
		drain(queue);
		for (const one of [entry(0, 'a1'), entry(0, 'a2'), entry(1, 'b1'), entry(1, 'b2')]) {
			queue.add(one);
		}
		expect(drain(queue)).toEqual(['a1', 'b1', 'a2', 'b2']);
	});

	it('count a client with ten requests as short, and with the eleventh as long', () => {
		const ten = queueOf(...many(0, 'a', FEW_REQUESTS), arrival('1'));
		expect(drain(ten).slice(0, 8)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', '1']);
		const sent = new FairQueue<Entry>();
		for (const one of many(0, 'a', FEW_REQUESTS)) {
			sent.add(one);
			sent.next();
		}
		for (const one of [entry(0, 'a11'), entry(0, 'a12'), arrival('1'), arrival('2')]) sent.add(one);
		expect(drain(sent)).toEqual(['a11', '1', 'a12', '2']);
	});

	it('leave nobody behind when another client of the workflow becomes long', () => {
		const queue = queueOf(entry(1, 'b1'), ...many(0, 'a'));
		expect(drain(queue).slice(0, 2)).toEqual(['b1', 'a1']);
		const long = queueOf(...many(0, 'a', FEW_REQUESTS), entry(1, 'b1'), entry(0, 'a11'));
		expect(drain(long)).toHaveLength(FEW_REQUESTS + 2);
		const sent = queueOf(...many(0, 'sent', FEW_REQUESTS));
		drain(sent);
		for (const one of [entry(1, 'b1'), entry(0, 'a11')]) sent.add(one);
		expect(drain(sent)).toEqual(['a11', 'b1']);
	});

	it('give a short client that returns its place between those who came before and after', () => {
		const queue = queueOf(entry(0, 'a1'), entry(1, 'b1'), arrival('c1'));
		expect([queue.next()?.name, queue.next()?.name]).toEqual(['a1', 'b1']);
		queue.add(entry(0, 'a2'));
		queue.add(entry(1, 'b2'));
		expect(drain(queue)).toEqual(['a2', 'b2', 'c1']);
	});

	it('go to a retry first, and then to a first try', () => {
		const queue = queueOf(arrival('1'), arrival('2'), entry(0, 'r2', 2), entry(0, 'r1', 1));
		expect(drain(queue)).toEqual(['r1', '1', 'r2', '2']);
	});

	it('removes only entries whose deadline has come', () => {
		const queue = new FairQueue<Entry>();
		queue.add(entry(0, 'first try'));
		for (const deadline of [30, 10, 20, 40]) queue.add(entry(0, `${deadline}`, deadline));
		expect(queue.nextDue(9)).toBeUndefined();
		expect(queue.nextDue(20)?.name).toBe('10');
		expect(queue.nextDue(20)?.name).toBe('20');
		expect(queue.nextDue(20)).toBeUndefined();
		expect(drain(queue)).toEqual(['30', 'first try', '40']);
		expect(queue.nextDue(Infinity)).toBeUndefined();
	});

	it('is empty only when nobody waits', () => {
		const queue = new FairQueue<Entry>();
		expect(queue.isEmpty).toBe(true);
		const retry = entry(0, 'retry', 1);
		queue.add(retry);
		expect(queue.isEmpty).toBe(false);
		queue.remove(retry);
		expect(queue.isEmpty).toBe(true);
		const first = entry(0, 'first');
		queue.add(first);
		expect(queue.isEmpty).toBe(false);
		queue.remove(first);
		expect(queue.isEmpty).toBe(true);
		expect(queue.next()).toBeUndefined();
		queue.add(entry(0, 'late', 1));
		expect(queue.nextDue(1)?.name).toBe('late');
		expect(queue.isEmpty).toBe(true);
	});

	it('lose no entry and return none that was removed, whatever is added, taken and removed', () => {
		const adding = fc.record({
			add: fc.integer({ min: 0, max: 3 }),
			deadline: fc.constantFrom(Infinity, Infinity, Infinity, Infinity, 1, 2, 3),
		});
		const step = fc.oneof(
			{ weight: 4, arbitrary: adding },
			fc.record({ remove: fc.nat() }),
			fc.constant('next' as const),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
				const queue = new FairQueue<Entry>();
				const waiting: Entry[] = [];
				const take = (taken: Entry | undefined): void => {
					if (taken === undefined) return expect(waiting).toEqual([]);
					expect(waiting).toContain(taken);
					// The entries of one client keep their order.
					const isFirstTry = ({ deadline }: Entry): boolean => deadline === Infinity;
					const own = waiting.filter((one) => one.client === taken.client && isFirstTry(one));
					if (isFirstTry(taken)) expect(own[0]).toBe(taken);
					waiting.splice(waiting.indexOf(taken), 1);
				};
				for (const [number, one] of steps.entries()) {
					if (one === 'next') take(queue.next());
					else if ('add' in one) {
						const made = entry(one.add, `${number}`, one.deadline);
						waiting.push(made);
						queue.add(made);
					} else if (waiting.length > 0) {
						const [gone] = waiting.splice(one.remove % waiting.length, 1);
						queue.remove(gone!);
					}
					expect(queue.isEmpty).toBe(waiting.length === 0);
				}
				while (waiting.length > 0) take(queue.next());
				expect(queue.next()).toBeUndefined();
			}),
			{ numRuns: 500 },
		);
	});
});

describe('a storm', () => {
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
		const all = Array.from(
			{ length: 1400 },
			async () => await execution(limiter, clock, isRefused),
		);
		const ends = await clock.run(Promise.all(all));
		expect(ends.filter(({ end }) => end !== 'done')).toEqual([]);
		expect(ends.filter(({ attempts }) => attempts === 2)).toHaveLength(20);
		expect(ends.filter(({ attempts }) => attempts > 2)).toEqual([]);
	});

	describe('while 1,800 executions of one item wait', () => {
		/** An execution that sends this many requests, one after the other. */
		async function run(
			limiter: RateLimiter,
			clock: VirtualClock,
			client: Client,
			requests: number,
		) {
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
			// More requests than Supercast accepts, without end.
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
});
