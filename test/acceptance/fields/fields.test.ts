import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import { cases, type OperationCase } from '../../harness/engine/cases';
import { caseOf } from '../../harness/engine/runCases';
import { resources } from '../../../nodes/Supercast/resources';
import { PROFILES, type ProfileName, type Sandbox } from '../../../simulators/supercast';
import { someOf } from '../../support/deep';
import { hintsOf } from '../../support/members';
import { quickProfile, useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

describe('every operation', () => {
	const table = Object.entries(cases).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([operation, tried]): [string, string, OperationCase] => [
			resource,
			operation,
			tried,
		]),
	);

	type Tried = [string, string, OperationCase];

	async function run(
		sandbox: Sandbox,
		[resource, operation, tried]: Tried,
		items: Array<Record<string, unknown>>,
		onError?: 'continueRegularOutput',
	) {
		return await runSupercast({
			parameters: { resource, operation, ...tried.parameters },
			credential: credentialOf(sandbox),
			items: items as never,
			...(onError === undefined ? {} : { onError }),
		});
	}

	/** The output for an item, if Supercast's response has a body. */
	function expectedOutput(
		{ settings }: Sandbox,
		[, operation, tried]: Tried,
		item: object,
	): unknown {
		const { createdStatus, changedStatus, writeBodies } = settings;
		const isRead = ['get', 'getAll'].includes(operation);
		const status = operation === 'create' ? createdStatus : changedStatus;
		// An upsert reads the record at the end, unless Supercast does not show it yet.
		const isSilent =
			operation === 'upsert' ? settings.visibleAfterMs > 0 : status === 204 || !writeBodies;
		const given = item as never;
		const shown =
			isSilent && !isRead ? (tried.outputWithoutBody?.(given) ?? {}) : tried.output(given);
		return expect.objectContaining(shown) as unknown;
	}

	// Shorter than the real times, and long enough for a busy machine.
	useQuickRuntime({ backoffMs: 5, visibleMs: 240 });

	const profiles = Object.keys(PROFILES) as ProfileName[];

	const hardest = someOf(profiles.reverse(), 1).map((name) => [name, name] as const);

	describe.each([['default', undefined] as const, ...hardest])(
		'against a Supercast of the profile %s',
		(_name, profile) => {
			const sandbox = useSandbox(quickProfile(profile));

			describe.each(table)('%s: %s', (...operation) => {
				const tried = operation[2];

				beforeEach(async () => await tried.prepare?.(sandbox.current));

				it('processes one item', async () => {
					const [item, untouched] = tried.items(sandbox.current);
					const before = tried.witness(sandbox.current, untouched);
					const itself = tried.witness(sandbox.current, item);
					const exists = tried.exists?.(sandbox.current) !== false;

					const { output, error } = await run(sandbox.current, operation, [item]);

					if (!exists) {
						expect([output, error?.context?.itemIndex]).toEqual([[], 0]);
						expect(tried.witness(sandbox.current, item)).toEqual(itself);
						return;
					}
					expect(error).toBeUndefined();
					expect(output).toEqual([
						{ json: expectedOutput(sandbox.current, operation, item), pairedItem: { item: 0 } },
					]);
					const expected = tried.after === undefined ? itself : tried.after(item);
					expect(tried.witness(sandbox.current, item)).toEqual(expected);
					const isOther = JSON.stringify(item) !== JSON.stringify(untouched);
					if (isOther) expect(tried.witness(sandbox.current, untouched)).toEqual(before);
				});

				// The rest is the same with every profile.
				if (profile === undefined) return;

				it('processes the other items when the one between fails, each paired to its input', async () => {
					if (tried.exists?.(sandbox.current) === false) return;
					const [first, second] = tried.items(sandbox.current);
					const { failing } = tried;
					const items = failing === undefined ? [first, second] : [first, failing.item, second];
					const unchanged = tried.witness(sandbox.current, first);

					const result = await run(sandbox.current, operation, items, 'continueRegularOutput');
					const { output } = result;

					const succeeded = (item: typeof first) =>
						expectedOutput(sandbox.current, operation, item);
					const outcomes =
						failing === undefined
							? [succeeded(first), succeeded(second)]
							: [
									succeeded(first),
									{ error: expect.stringMatching(failing.error) },
									succeeded(second),
								];
					expect(output.map(({ json }) => json)).toEqual(outcomes);
					expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
						items.map((_, item) => ({ item })),
					);
					const hint = hintsOf(result);
					if (failing !== undefined) expect(hint).toMatch(/^1 of 3 items failed: .*\[item 1,/);
					else expect(hint).not.toContain('failed');
					for (const item of [first, second]) {
						const expected = tried.after === undefined ? unchanged : tried.after(item);
						expect(tried.witness(sandbox.current, item)).toEqual(expected);
					}
				});

				const { failing } = tried;
				if (failing === undefined) return;

				it('stops at an item that fails, and names it', async () => {
					const { output, error } = await run(sandbox.current, operation, [failing.item]);

					expect(output).toEqual([]);
					expect(error?.message).toMatch(failing.error);
					expect(error?.context?.itemIndex).toBe(0);
					expect(error?.description).toBeTruthy();
				});
			});
		},
	);
});

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
			expect(error?.description).toContain('A field that you leave blank keeps its value');
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
				// An item without any value is no record of a list.
				items: [{ row: 1 }],
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

describe('what is sent and returned', () => {
	const sandbox = useSandbox();

	async function run(parameters: INodeParameters) {
		return await runSupercast({ parameters, credential: credentialOf(sandbox.current) });
	}

	function lastBody(): unknown {
		return sandbox.current.state.requests.at(-1)?.body;
	}

	describe('the fields of a create', () => {
		it("are sent under Supercast's own names, wrapped, together with Other Fields", async () => {
			await run({
				resource: 'subscriber',
				operation: 'create',
				email: ' ann@example.com ',
				additionalFields: {
					customerId: 'c-1',
					firstName: 'Ann',
					lastName: 'Smith',
					ignoreUsageAlerts: true,
					timeZone: 'Europe/Berlin',
					otherFields: '{ "plan_id": 2 }',
				},
			});
			expect(lastBody()).toEqual({
				subscriber: {
					email: 'ann@example.com',
					customer_id: 'c-1',
					first_name: 'Ann',
					last_name: 'Smith',
					ignore_usage_alerts: true,
					time_zone: 'Europe/Berlin',
					plan_id: 2,
				},
			});
		});

		it.each([
			['{ "first_name": "Bob" }', 'The field "first_name" appears twice'],
			['{ "email": "bob@example.com" }', 'The field "email" appears twice'],
		])('refuse %s in Other Fields before any request', async (otherFields, words) => {
			const { error } = await run({
				resource: 'subscriber',
				operation: 'create',
				email: 'ann@example.com',
				additionalFields: { firstName: 'Ann', otherFields },
			});
			expect(error?.message).toContain(words);
			expect(sandbox.current.stats().requests).toBe(0);
		});
	});

	describe('simplify', () => {
		const FIELDS = [
			'email',
			'state',
			'uuid',
			'first_name',
			'last_name',
			'customer_id',
			'plan_name',
			'feed_urls',
			'created_at',
			'updated_at',
		];

		it('is on by default and leaves ten fields, including the feed addresses', async () => {
			const { output } = await run({ resource: 'subscriber', operation: 'getAll', limit: 1 });
			const { json } = output[0]!;
			expect(Object.keys(json)).toEqual(FIELDS);
			expect(json.feed_urls).toEqual([sandbox.current.state.feedUrl(json.email as string)]);
		});

		it.each(['create', 'upsert', 'update'])(
			'shows the values that a %s has just set',
			async (operation) => {
				const { email } = sandbox.current.state.subscribers[0]!;
				const fields = { ignoreUsageAlerts: true, timeZone: 'Europe/Berlin', firstName: 'Nora' };
				const { output } = await run({
					resource: 'subscriber',
					operation,
					email: 'new.one@example.com',
					subscriber: { __rl: true, mode: 'email', value: email },
					additionalFields: fields,
					updateFields: fields,
				});
				const set = { ignore_usage_alerts: true, time_zone: 'Europe/Berlin', first_name: 'Nora' };
				expect(output[0]!.json).toMatchObject(set);
				expect(output[0]!.json).not.toHaveProperty('subscriptions');
			},
		);

		it('returns everything when it is off', async () => {
			const { output } = await run({
				resource: 'subscriber',
				operation: 'getAll',
				limit: 1,
				simplify: false,
			});
			expect(Object.keys(output[0]!.json).length).toBeGreaterThan(FIELDS.length);
			expect(output[0]!.json).toHaveProperty('subscriptions');
		});
	});

	describe('get many', () => {
		it('treats the limit as a total for each item', async () => {
			const { output } = await runSupercast({
				parameters: { resource: 'subscriber', operation: 'getAll', limit: '={{ $json.limit }}' },
				credential: credentialOf(sandbox.current),
				items: [{ limit: 3 }, { limit: 2 }],
			});
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
				[0, 0, 0, 1, 1].map((item) => ({ item })),
			);
			expect(sandbox.current.stats().requests).toBe(2);
		});
	});
});
