import fc from 'fast-check';

import { sideBySide } from '../../../nodes/Supercast/n8n/runConcurrently';

/** Lets everything go on that does not wait for anything. */
async function settle(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}

describe('sideBySide', () => {
	it('keeps order and width, and lets tasks of the same name follow each other', async () => {
		const tasks = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), steps: fc.nat(3) }));
		await fc.assert(
			fc.asyncProperty(tasks, fc.integer({ min: 1, max: 5 }), async (given, width) => {
				const running = new Map<string, number>();
				let most = 0;
				const results = await sideBySide({
					count: given.length,
					width,
					nameOf: (index) => given[index]!.name,
					task: async (index) => {
						const { name, steps } = given[index]!;
						expect(running.has(name)).toBe(false);
						running.set(name, index);
						most = Math.max(most, running.size);
						for (let step = 0; step < steps; step++) await Promise.resolve();
						running.delete(name);
						return index;
					},
				});
				expect(results).toEqual(given.map((_, index) => index));
				expect(most).toBeLessThanOrEqual(width);
			}),
		);
	});

	it('works on as many at a time as it may, though some of one name wait', async () => {
		const started: number[] = [];
		const ends: Array<() => void> = [];
		const all = sideBySide({
			count: 4,
			width: 3,
			nameOf: (index) => (index === 1 ? 'task 0' : `task ${index}`),
			task: async (index) => {
				started.push(index);
				await new Promise<void>((resolve) => (ends[index] = resolve));
			},
		});
		await settle();
		expect(started).toEqual([0, 2]);
		ends[0]?.();
		await settle();
		expect(started).toEqual([0, 2, 1]);
		// Others begin when half of the width is free.
		ends[2]?.();
		await settle();
		expect(started).toEqual([0, 2, 1, 3]);
		for (const end of ends) end();
		await all;
	});

	it('begins nothing more after a failure, and throws the first by number', async () => {
		const begun: number[] = [];
		const run = sideBySide({
			count: 10,
			width: 3,
			nameOf: String,
			task: async (index) => {
				begun.push(index);
				if (index === 0) await settle();
				throw new Error(`failed ${index}`);
			},
		});
		await expect(run).rejects.toThrow('failed 0');
		expect(begun).toEqual([0, 1, 2]);
	});
});
