import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { SupercastClient } from '../../../nodes/Supercast/api/client';
import { Channel } from '../../../nodes/Supercast/api/sharedChannel';
import { type Clock, pause, runtime, withinTime } from '../../../nodes/Supercast/api/clock';
import { inQueue } from '../../../nodes/Supercast/api/queue';
import type { ApiRequest } from '../../../nodes/Supercast/api/types';
import { networkError } from '../../doubles/helperSupercast';
import { runs } from '../../support/deep';
import { clientOf, freshClock } from '../../support/quarrel';
import { VirtualClock } from '../../support/virtualClock';

const CHANNEL: ApiRequest = {
	method: 'GET',
	path: ['channel'],
	subject: { text: 'channel', isRecord: true },
	expects: 'record',
};

/** When the first requests of a credential are sent, in whole seconds. */
async function sentAt(requestsPerMinute: unknown, count = 3): Promise<number[]> {
	const clock = freshClock();
	const start = clock.now();
	const times: number[] = [];
	const service = {
		answer: async () => {
			times.push(Math.floor((clock.now() - start) / 1000));
			return { statusCode: 200, headers: {}, body: { title: 'Mine' } };
		},
	};
	const client = await clientOf(service, { requestsPerMinute: requestsPerMinute as number });
	await clock.run(
		Promise.all(Array.from({ length: count }, async () => await client.request(CHANNEL))),
	);
	return times;
}

describe('Requests per Minute', () => {
	it.each([0.001, 0.5, 1, '0.5', 1.9])('of %p sends one a minute', async (typed) => {
		expect(await sentAt(typed)).toEqual([0, 60, 120]);
	});

	it.each([0, '0', -0])('of %p does not pace', async (typed) => {
		expect((await sentAt(typed, 300)).at(-1)).toBe(0);
	});

	it.each([undefined, null, '', ' ', 'many', -1, Number.NaN])(
		'of %p is 100, which is the limit of Supercast',
		async (typed) => {
			const times = await sentAt(typed, 101);
			expect([times[99]! < 60, times[100]! >= 60]).toEqual([true, true]);
		},
	);
});

describe('a name server that fails', () => {
	it('for a name that it has known before, is asked again', async () => {
		const clock = freshClock();
		let requests = 0;
		const service = {
			answer: async () => {
				requests += 1;
				if (requests === 2) throw networkError('ENOTFOUND');
				return { statusCode: 200, headers: {}, body: { title: 'Mine' } };
			},
		};
		const client = await clientOf(service);
		await clock.run(client.request(CHANNEL));
		await clock.run((await clientOf(service)).request(CHANNEL));
		expect(requests).toBe(3);
	});

	it('for a name that it has never known, is asked once', async () => {
		const clock = freshClock();
		const service = { answer: jest.fn().mockRejectedValue(networkError('ENOTFOUND')) };
		const client = await clientOf(service);
		await expect(clock.run(client.request(CHANNEL))).rejects.toThrow('no server with that name');
		expect(service.answer).toHaveBeenCalledTimes(1);
	});
});

describe('the clock', () => {
	const DAY = 86_400_000;

	it('waits for as long as a timer can hold, instead of 30 days', async () => {
		const clock = new VirtualClock();
		expect(await clock.run(pause(clock, 30 * DAY))).toBe('late');
		expect(clock.now()).toBe(2 ** 31 - 1);
	});

	it('ends a wait of 30 days when it is stopped', async () => {
		const clock = new VirtualClock();
		const stop = new AbortController();
		const waiting = pause(clock, 30 * DAY, stop.signal);
		void clock.sleep(5).then(() => stop.abort());
		expect(await clock.run(waiting)).toBe('stopped');
		expect(clock.now()).toBe(5);
	});

	describe('work with a time limit', () => {
		const start = (ms = 100) => {
			const clock = new VirtualClock();
			const stop = new AbortController();
			return { clock, stop, limit: { clock: clock as Clock, ms, signal: stop.signal } };
		};

		it('returns its result, or its error, in time', async () => {
			const { clock, limit } = start();
			expect(await clock.run(withinTime(limit, async () => 7))).toBe(7);
			const failing = withinTime(limit, async () => await Promise.reject(new Error('no')));
			await expect(clock.run(failing)).rejects.toThrow('no');
			expect(clock.now()).toBe(0);
		});

		it.each(['late', 'stopped'] as const)(
			'gets the signal when it is %s, and is dropped',
			async (why) => {
				const { clock, stop, limit } = start();
				let told: AbortSignal | undefined;
				const work = withinTime(limit, async (signal) => {
					told = signal;
					await clock.sleep(1000);
					throw new Error('nobody is notified');
				});
				if (why === 'stopped') void clock.sleep(20).then(() => stop.abort());
				expect(await clock.run(work)).toBe(why);
				expect(clock.now()).toBe(why === 'late' ? 100 : 20);
				expect(told?.aborted).toBe(true);
			},
		);

		it('does not begin after it was stopped', async () => {
			const { clock, stop, limit } = start();
			stop.abort();
			const work = jest.fn();
			expect(await clock.run(withinTime(limit, work))).toBe('stopped');
			expect(work).not.toHaveBeenCalled();
		});

		it('removes its event handler', async () => {
			const { clock, limit } = start();
			const remove = jest.spyOn(limit.signal, 'removeEventListener');
			await clock.run(withinTime(limit, async () => 7));
			expect(remove).toHaveBeenCalledTimes(1);
		});
	});
});

describe('times without a time zone', () => {
	const JSON_MODULE = join(__dirname, '../../../nodes/Supercast/api/json');

	/** Reads a time in a new process, because a process that runs may keep its time zone. */
	function readIn(timeZone: string, text: string): number {
		const script = `console.log(require(${JSON.stringify(JSON_MODULE)}).timeOf(${JSON.stringify(text)}))`;
		const printed = execFileSync(process.execPath, ['-r', 'tsx/cjs', '-e', script], {
			env: { ...process.env, TZ: timeZone, NODE_OPTIONS: '' },
		});
		return Number(printed.toString());
	}

	it.each(['Asia/Tokyo', 'America/Los_Angeles'])(
		'a time without a zone is in UTC on a server in %s',
		(timeZone) => {
			const utc = Date.UTC(2026, 5, 1, 9, 30);
			expect(readIn(timeZone, '2026-06-01T09:30:00')).toBe(utc);
			expect(readIn(timeZone, '2026-06-01 09:30:00')).toBe(utc);
			expect(readIn(timeZone, '2026-06-01T18:30:00+09:00')).toBe(utc);
		},
	);
});

describe('turns of one name', () => {
	it('lets requests with one key take turns in order, others pass, and stopped ones leave', async () => {
		const visitor = fc.record({
			key: fc.constantFrom('a', 'b'),
			ms: fc.integer({ min: 1, max: 20 }),
			fails: fc.boolean(),
			stopAfter: fc.option(fc.integer({ min: 0, max: 40 })),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(visitor, { maxLength: 8 }), async (visitors) => {
				const clock = new VirtualClock();
				const channel = new Channel(runtime);
				const inside: Record<string, number> = { a: 0, b: 0 };
				const order: number[] = [];
				const results = visitors.map(async ({ key, ms, fails, stopAfter }, index) => {
					const stop = new AbortController();
					if (stopAfter !== null) void clock.sleep(stopAfter).then(() => stop.abort());
					const work = async (): Promise<number> => {
						order.push(index);
						expect(++inside[key]!).toBe(1);
						await clock.sleep(ms);
						inside[key]!--;
						if (fails) throw new Error('failed');
						return index;
					};
					const began = clock.now();
					const client = { channel, signal: stop.signal } as unknown as SupercastClient;
					const result = await inQueue(client, { ...CHANNEL, path: [key] }, work).catch(
						(error: Error) => error.message,
					);
					if (/canceled/.test(String(result))) expect(clock.now() - began).toBe(stopAfter);
					else expect(result).toBe(fails ? 'failed' : index);
					return result;
				});
				await clock.run(Promise.all(results));
				for (const key of ['a', 'b']) {
					const own = order.filter((index) => visitors[index]!.key === key);
					expect(own).toEqual([...own].sort((one, other) => one - other));
				}
				// The queue keeps no entry for work that has ended.
				expect(Reflect.get(channel.queues, 'byKey')).toEqual(new Map());
			}),
			runs(100),
		);
	});
});
