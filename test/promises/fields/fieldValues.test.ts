import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';
import { resources } from '../../../nodes/Supercast/resources';
import { caseOf } from '../../../harness/engine/runCases';

describe('fields left blank', () => {
	const sandbox = useSandbox();

	async function run(parameters: INodeParameters) {
		return await runSupercast({ parameters, credential: credentialOf(sandbox.current) });
	}

	function lastBody(): unknown {
		return sandbox.current.state.requests.at(-1)?.body;
	}

	describe('a field that was added but left blank', () => {
		const update = async (updateFields: INodeParameters) => {
			const { email } = sandbox.current.state.subscribers[0]!;
			const { output, error } = await run({
				resource: 'subscriber',
				operation: 'update',
				subscriber: { __rl: true, mode: 'email', value: email },
				updateFields,
			});
			return { output: output[0]?.json, error };
		};

		it.each(['', '  ', '={{ $json.nothing }}', '={{ null }}'])(
			'%j keeps its value',
			async (blank) => {
				const person = sandbox.current.state.subscribers[0]!;
				const { last_name, email } = person;
				const { error } = await update({
					firstName: 'Nora',
					lastName: blank,
					email: blank,
					timeZone: blank,
				});
				expect(error).toBeUndefined();
				expect(lastBody()).toEqual({ subscriber: { first_name: 'Nora' } });
				expect(sandbox.current.state.subscriber(email)).toMatchObject({ last_name });
			},
		);

		it('is no change by itself', async () => {
			const { error } = await update({ lastName: '' });
			expect(error?.message).toContain("'Update Fields' is empty");
			expect(error?.description).toContain('A blank field stays as it is');
			expect(sandbox.current.stats().requests).toBe(0);
		});

		it('is emptied by Clear Fields', async () => {
			const { email } = sandbox.current.state.subscribers[0]!;
			const { error } = await update({
				clearFields: ['customerId', 'lastName'],
				firstName: 'Nora',
			});
			expect(error).toBeUndefined();
			const cleared = { customer_id: null, last_name: null, first_name: 'Nora' };
			expect(lastBody()).toEqual({ subscriber: cleared });
			expect(sandbox.current.state.subscriber(email)).toMatchObject(cleared);
		});

		it.each([
			[{ clearFields: ['lastName'], lastName: 'Smith' }, 'The field "last_name" appears twice'],
			[{ clearFields: ['email'] }, '\'Clear Fields\' cannot be "email"'],
		])('cannot be cleared if that makes no sense: %j', async (fields, words) => {
			const { error } = await update(fields);
			expect(error?.message).toContain(words);
			expect(sandbox.current.stats().requests).toBe(0);
		});

		it('is not sent with a create either', async () => {
			await run({
				resource: 'subscriber',
				operation: 'create',
				email: 'ann@example.com',
				additionalFields: { firstName: '', lastName: 'Smith' },
			});
			expect(lastBody()).toEqual({ subscriber: { email: 'ann@example.com', last_name: 'Smith' } });
		});
	});

	describe('a time zone', () => {
		const create = async (additionalFields: INodeParameters) =>
			await run({
				resource: 'subscriber',
				operation: 'create',
				email: 'ann@example.com',
				additionalFields,
			});

		it('is sent unchanged in Other Fields', async () => {
			await create({ otherFields: '{ "time_zone": "Eastern Time (US & Canada)" }' });
			expect(lastBody()).toMatchObject({ subscriber: { time_zone: 'Eastern Time (US & Canada)' } });
		});
	});
});

describe('values as they are typed', () => {
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
		const [, field, other] =
			/^=\{\{ \$json\.(\w+)(?: \?\? "(.*)")? \}\}$/.exec(String(value)) ?? [];
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
});

describe('switches', () => {
	const sandbox = useSandbox();
	const email = { __rl: true, mode: 'email', value: 'new.one@example.com' };

	describe('a switch that is neither on nor off', () => {
		it.each([
			['create', { email: email.value }],
			['upsert', { email: email.value }],
			['update', { subscriber: email, updateFields: { firstName: 'Nora' } }],
			['get', { subscriber: email }],
			['getAll', {}],
		])('ends subscriber: %s before anything is sent', async (operation, parameters) => {
			const { error } = await runSupercast({
				parameters: {
					resource: 'subscriber',
					operation,
					...parameters,
					simplify: '={{ "maybe" }}',
				},
				credential: credentialOf(sandbox.current),
			});
			expect(error?.message).toContain("'Simplify' is neither true nor false");
			expect(sandbox.current.stats().requests).toBe(0);
		});
	});
});
