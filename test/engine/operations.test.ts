import { runSupercast } from '../support/engine';
import { credentialOf, useSandbox } from '../support/sandbox';
import { cases, type OperationCase } from './cases';

const sandbox = useSandbox();

const table = Object.entries(cases).flatMap(([resource, operations]) =>
	Object.entries(operations).map(([operation, tried]): [string, string, OperationCase] => [
		resource,
		operation,
		tried,
	]),
);

async function run(
	[resource, operation, tried]: [string, string, OperationCase],
	items: Array<Record<string, unknown>>,
	onError?: 'continueRegularOutput',
) {
	return await runSupercast({
		parameters: { resource, operation, ...tried.parameters },
		credential: credentialOf(sandbox.current),
		items: items as never,
		...(onError === undefined ? {} : { onError }),
	});
}

describe.each(table)('%s: %s', (...operation) => {
	const tried = operation[2];

	beforeEach(async () => await tried.prepare?.(sandbox.current));

	it('does it for one item', async () => {
		const [item, untouched] = tried.items(sandbox.current);
		const before = tried.witness(sandbox.current, untouched);
		const itself = tried.witness(sandbox.current, item);

		const { output, error } = await run(operation, [item]);

		expect(error).toBeUndefined();
		expect(output).toEqual([
			{ json: expect.objectContaining(tried.output(item)), pairedItem: { item: 0 } },
		]);
		const expected = tried.after === undefined ? itself : tried.after(item);
		expect(tried.witness(sandbox.current, item)).toEqual(expected);
		const isOther = JSON.stringify(item) !== JSON.stringify(untouched);
		if (isOther) expect(tried.witness(sandbox.current, untouched)).toEqual(before);
	});

	it('does the others when the one between fails, each paired to its input', async () => {
		const [first, second] = tried.items(sandbox.current);
		const { failing } = tried;
		const items = failing === undefined ? [first, second] : [first, failing.item, second];
		const unchanged = tried.witness(sandbox.current, first);

		const { output } = await run(operation, items, 'continueRegularOutput');

		const succeeded = (item: typeof first) =>
			expect.objectContaining(tried.output(item)) as unknown;
		const outcomes =
			failing === undefined
				? [succeeded(first), succeeded(second)]
				: [succeeded(first), { error: expect.stringMatching(failing.error) }, succeeded(second)];
		expect(output.map(({ json }) => json)).toEqual(outcomes);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		for (const item of [first, second]) {
			const expected = tried.after === undefined ? unchanged : tried.after(item);
			expect(tried.witness(sandbox.current, item)).toEqual(expected);
		}
	});

	const { failing } = tried;
	if (failing === undefined) return;

	it('stops at an item that fails, and names it', async () => {
		const { output, error } = await run(operation, [failing.item]);

		expect(output).toEqual([]);
		expect(error?.message).toMatch(failing.error);
		expect(error?.message).toContain('[item 0]');
		expect(error?.description).toBeTruthy();
	});
});
