import fc from 'fast-check';

import { runConcurrently } from '../../../nodes/Supercast/execution/items';

/** Lets everything continue that is not waiting. */
async function settle(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A task that hangs. */
async function never(): Promise<void> {
	await new Promise(() => undefined);
}

describe('runConcurrently', () => {
	it('keeps order and width, and runs tasks of the same key in turn', async () => {
		const tasks = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), steps: fc.nat(3) }));
		await fc.assert(
			fc.asyncProperty(tasks, fc.integer({ min: 1, max: 5 }), async (given, width) => {
				const running = new Map<string, number>();
				let most = 0;
				const { results } = await runConcurrently(
					given,
					width,
					async ({ name, steps }, index) => {
						expect(running.has(name)).toBe(false);
						running.set(name, index);
						most = Math.max(most, running.size);
						for (let step = 0; step < steps; step++) await Promise.resolve();
						running.delete(name);
						return index;
					},
					given.map(({ name }) => name),
				);
				expect(results).toEqual(given.map((_, index) => index));
				expect(most).toBeLessThanOrEqual(width);
			}),
		);
	});

	it('uses its full width, although some tasks of one key wait', async () => {
		const started: number[] = [];
		const ends: Array<() => void> = [];
		const all = runConcurrently(
			[0, 1, 2, 3],
			3,
			async (index) => {
				started.push(index);
				await new Promise<void>((resolve) => (ends[index] = resolve));
			},
			['task 0', 'task 0', 'task 2', 'task 3'],
		);
		await settle();
		expect(started).toEqual([0, 2]);
		ends[0]?.();
		await settle();
		expect(started).toEqual([0, 2, 1, 3]);
		for (const end of ends) end();
		await all;
	});

	it('begins nothing more after a failure, and throws the first by number', async () => {
		const begun: number[] = [];
		const run = runConcurrently([...Array(10).keys()], 3, async (index) => {
			begun.push(index);
			if (index === 0) await settle();
			throw new Error(`failed ${index}`);
		});
		expect(await run).toMatchObject({
			failure: { index: 0, error: new Error('failed 0') },
			results: Array(10).fill(undefined),
		});
		expect(begun).toEqual([0, 1, 2]);
	});

	it('has the results of those that were done besides the one that failed', async () => {
		const all = await runConcurrently([0, 1, 2], 3, async (index) => {
			if (index === 1) throw new Error('failed 1');
			return await Promise.resolve(index);
		});
		expect(all).toMatchObject({ failure: { index: 1 }, results: [0, undefined, 2] });
	});

	it('fills free places although the other tasks hang, and several at the same time', async () => {
		const begun: number[] = [];
		const ends: Array<() => void> = [];
		void runConcurrently([...Array(12).keys()], 4, async (index) => {
			begun.push(index);
			await (index < 2 ? never() : new Promise<void>((resolve) => (ends[index] = resolve)));
		});
		for (let next = 2; next < 12; next += 2) {
			await settle();
			expect(begun).toHaveLength(next + 2);
			ends[next]?.();
			await Promise.resolve();
			ends[next + 1]?.();
			await Promise.resolve();
			// They begin together, in the next turn of the event loop.
			expect(begun).toHaveLength(next + 2);
		}
	});
});
