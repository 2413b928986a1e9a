import fc from 'fast-check';
import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { InputError } from '../../nodes/Supercast/api/errors/errors';
import { runConcurrently } from '../../nodes/Supercast/operations/concurrently';
import { hintOfFailures, toNodeError } from '../../nodes/Supercast/execution/nodeErrors';

/**
 * Lets everything that is not waiting continue. Timers fire in order, so these turns end after
 * those that the code waits for.
 */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 10; turn++) {
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
}

/** The earlier tasks that share a name with this one, directly or through other earlier tasks. */
function connectedBefore(tasks: Array<{ names: string[] }>, index: number): number[] {
	const reached = new Set([index]);
	for (const one of reached) {
		for (let other = 0; other < index; other++) {
			const { names } = tasks[other]!;
			if (tasks[one]!.names.some((name) => names.includes(name))) reached.add(other);
		}
	}
	return [...reached].slice(1);
}

/** A task that hangs. */
async function never(): Promise<void> {
	await new Promise(() => undefined);
}

describe('runConcurrently', () => {
	it('keeps order and width, and runs tasks that are connected by names in turn', async () => {
		const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 3 });
		const tasks = fc.array(fc.record({ names, steps: fc.nat(3) }));
		await fc.assert(
			fc.asyncProperty(tasks, fc.integer({ min: 1, max: 5 }), async (given, width) => {
				const begun = new Set<number>();
				const done = new Set<number>();
				const failure = await runConcurrently(
					given,
					width,
					async ({ steps }, index) => {
						const before = connectedBefore(given, index);
						expect(before.filter((one) => !done.has(one))).toEqual([]);
						begun.add(index);
						expect(begun.size - done.size).toBeLessThanOrEqual(width);
						for (let step = 0; step < steps; step++) await Promise.resolve();
						done.add(index);
					},
					(task) => task.names,
				);
				expect([failure, done.size]).toEqual([undefined, given.length]);
			}),
		);
	});

	it.each([
		['tasks of one name wait', ['a', 'a', 'b', 'c'], [0, 2]],
		['a later task connects them', ['a', 'b', 'ab', 'c'], [0, 1]],
	])('uses its full width, although %s', async (_, names, first) => {
		const started: number[] = [];
		const ends: Array<() => void> = [];
		const all = runConcurrently(
			names,
			3,
			async (_name, index) => {
				started.push(index);
				await new Promise<void>((resolve) => (ends[index] = resolve));
			},
			(name) => [...name],
		);
		await settle();
		expect(started).toEqual(first);
		for (const index of first) ends[index]?.();
		await settle();
		expect(started).toHaveLength(4);
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
		expect(await run).toEqual({ index: 0, error: new Error('failed 0') });
		expect(begun).toEqual([0, 1, 2]);
	});

	it('completes those in progress besides the one that failed', async () => {
		const done: number[] = [];
		const failure = await runConcurrently([0, 1, 2], 3, async (index) => {
			if (index === 1) throw new Error('failed 1');
			await settle();
			done.push(index);
		});
		expect([failure?.index, done]).toEqual([1, [0, 2]]);
	});

	it('fills free places although the other tasks hang, and several at the same time', async () => {
		const begun: number[] = [];
		const ends: Array<() => void> = [];
		void runConcurrently([...Array(12).keys()], 4, async (index) => {
			begun.push(index);
			await (index < 2 ? never() : new Promise<void>((resolve) => (ends[index] = resolve)));
		});
		for (let next = 2; next < 12; next += 2) {
			// A busy machine may need several turns of the event loop.
			for (let turn = 0; turn < 100 && begun.length < next + 2; turn++) await settle();
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

const node = {
	id: '1',
	name: 'Supercast',
	type: 'n8n-nodes-supercast.supercast',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

function contextWith(items: number, type = node.type): IExecuteFunctions {
	return {
		getNode: () => ({ ...node, type }),
		getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
		isToolExecution: () => type.endsWith('Tool'),
	} as unknown as IExecuteFunctions;
}

const blank = new InputError("'Email' is empty", 'Enter one.');

describe('the item in a message', () => {
	it('is named if there are several, with the number that n8n shows', () => {
		const { message, description } = toNodeError(contextWith(5), blank, 2);
		expect([message, description]).toEqual([
			"'Email' is empty [item 2, the 3rd of 5]",
			'Enter one.',
		]);
		// n8n's editor adds "[item 2]" to a message without these words.
		expect(message).toContain('item 2');
	});

	it('is not named if it is the only one', () => {
		const { message, context } = toNodeError(contextWith(1), blank, 0);
		expect([message, context.itemIndex]).toEqual(["'Email' is empty", 0]);
	});

	it('is not named to an agent, which reads what to do in the message', () => {
		const error = toNodeError(contextWith(3, 'n8n-nodes-supercast.supercastTool'), blank, 1);
		expect(error.message).toBe("'Email' is empty. Enter one.");
	});
});

describe('the hint about failed items', () => {
	const failure = (message: string, description = '') =>
		new NodeOperationError(node, message, { description });

	it('says how many failed, and the first reason', () => {
		const failures = [failure('No such one', 'Check it.\nTwice.'), failure('Another')];
		expect(hintOfFailures('2 of 5 items', failures)).toMatch(
			/^2 of 5 items failed: No such one\. Check it\. Twice\. Each failed item/,
		);
	});

	it('gives the only reason, if one failed', () => {
		const failures = [failure('No such one')];
		expect(hintOfFailures('The item', failures)).toBe('The item failed: No such one');
	});

	it('is missing if none failed', () => {
		expect(hintOfFailures('The item', [])).toBeUndefined();
	});
});
