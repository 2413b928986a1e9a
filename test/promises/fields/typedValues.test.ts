import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Supercast/resources';
import { caseOf } from '../../../harness/engine/runCases';
import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';

const operations = Object.entries(resources).flatMap(([resource, { operations: all }]) =>
	Object.keys(all).map((operation) => [resource, operation] as const),
);

/** The parameters as a person types them, with the values that the expressions give for this item. */
function typedByHand(value: unknown, item: IDataObject): unknown {
	if (Array.isArray(value)) return value.map((one) => typedByHand(one, item));
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([key, one]) => [key, typedByHand(one, item)]);
		return Object.fromEntries(entries) as IDataObject;
	}
	const [, field, other] = /^=\{\{ \$json\.(\w+)(?: \?\? "(.*)")? \}\}$/.exec(String(value)) ?? [];
	return field === undefined ? value : (item[field] ?? other);
}

// n8n checks typed values before it runs the node, but not expressions.
describe.each(operations)('%s: %s', (resource, operation) => {
	const sandbox = useSandbox();

	it('does the same for typed values and for expressions', async () => {
		const tried = caseOf(resource, operation);
		await tried.prepare?.(sandbox.current);
		const [item] = tried.items(sandbox.current);
		const parameters = typedByHand(tried.parameters, item) as INodeParameters;
		expect(JSON.stringify(parameters)).not.toContain('={{');
		const { output, error } = await runSupercast({
			parameters: { resource, operation, ...parameters },
			credential: credentialOf(sandbox.current),
			items: [{}],
		});
		expect(error).toBeUndefined();
		expect(output[0]!.json).toMatchObject(tried.output(item));
		if (tried.after) expect(tried.witness(sandbox.current, item)).toEqual(tried.after(item));
	});
});

describe('a typed ID', () => {
	const sandbox = useSandbox();

	it.each(['1', '12', '1234', ' 12 ', 'ep_9f3', '2f6c1f5e-6b0a-4a8e-9d5b-0c1f7c9a4e21'])(
		'is accepted: %j',
		async (value) => {
			const { error } = await runSupercast({
				parameters: {
					resource: 'episode',
					operation: 'get',
					episode: { __rl: true, mode: 'id', value },
				},
				credential: credentialOf(sandbox.current),
			});
			expect(error?.message ?? '').not.toContain('Not a valid ID');
			const [request] = sandbox.current.state.requests;
			expect(request?.path).toBe(`/api/v1/episodes/${value.trim()}`);
		},
	);
});
