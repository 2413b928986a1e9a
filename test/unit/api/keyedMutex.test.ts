import fc from 'fast-check';

import { KeyedMutex } from '../../../nodes/Supercast/api/clock';
import { VirtualClock } from '../../support/virtualClock';

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
			const mutex = new KeyedMutex();
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
				const result = await mutex
					.run([key], work, stop.signal)
					.catch((error: Error) => error.message);
				if (result === 'stopped') expect(clock.now() - began).toBe(stopAfter);
				else expect(result).toBe(fails ? 'failed' : index);
				return result;
			});
			await clock.run(Promise.all(results));
			for (const key of ['a', 'b']) {
				const own = order.filter((index) => visitors[index]!.key === key);
				expect(own).toEqual([...own].sort((one, other) => one - other));
			}
			// Nothing is left of those that are gone.
			expect(Reflect.get(mutex, 'last')).toEqual(new Map());
		}),
		{ numRuns: 500 },
	);
});
