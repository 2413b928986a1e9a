import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { parameterReader } from '../../../nodes/Supercast/execution/context';
import { findOperation } from '../../../nodes/Supercast/resources';
import { isDeep } from '../../support/deep';
import { hintsOf, SET_ACCESS } from '../../support/members';
import { clientOf, everySequence, freshClock } from '../../support/quarrel';
import { useQuickRuntime } from '../../support/quickRuntime';
import { DoubtfulSupercast, steps } from '../../doubles/doubtfulSupercast';
import { useHttpSupercast } from '../../doubles/httpSupercast';

describe('a Supercast that differs', () => {
	// A hundredth of the real waits.
	useQuickRuntime({ backoffMs: 5, visibleMs: 60, lateMs: 300 });
	const test = useHttpSupercast();

	const email = 'ann@example.com';
	const by = (mode: string, value: string) => ({ __rl: true, mode, value });
	const feed = (operation: string, value: string, options: INodeParameters = {}) => ({
		...{ resource: 'feed', operation, subscriber: by('email', value), options },
	});

	describe('a service whose look-ups are case-sensitive', () => {
		const typed = 'Ann@Example.com';
		const succeed = { ifMissing: 'succeed' };

		it.each<[string, INodeParameters]>([
			['Feed: Deactivate', feed('deactivate', typed)],
			['Feed: Deactivate with If Missing', feed('deactivate', typed, succeed)],
			['Set Access: Close', { ...SET_ACCESS, access: 'close', email: typed }],
		])('%s closes the feed of the subscriber in lower case', async (_, parameters) => {
			test.current.mindsCapitals = true;
			test.current.add({ email });
			const { output, error } = await test.run(parameters);
			expect(error).toBeUndefined();
			expect(output[0]?.json.alreadyMissing).toBeUndefined();
			expect(test.current.find(email)?.state).toBe('deactivated');
		});

		it('Delete with If Missing deletes the subscriber in lower case', async () => {
			test.current.mindsCapitals = true;
			test.current.add({ email });
			const { output, error } = await test.run({
				...{ resource: 'subscriber', operation: 'delete', subscriber: by('email', typed) },
				options: succeed,
			});
			expect(error).toBeUndefined();
			expect(output[0]?.json).toMatchObject({ deleted: true });
			expect(test.current.subscribers).toEqual([]);
		});
	});

	describe('a service that finds nobody by email, and creates a known person again', () => {
		beforeEach(() => {
			test.current.habit = ({ path: [, name = ''] }) =>
				name.includes('@') ? { status: 404, body: {} } : undefined;
			test.current.add({ email, customer_id: 'c-1' });
		});

		const openings = async (...ids: string[]) =>
			await test.run(
				{ ...SET_ACCESS, access: 'open' },
				ids.map((id) => ({ email, id })),
			);

		it('gets one subscriber for a known member with a new customer ID', async () => {
			const { output } = await openings('c-2');
			expect(output[0]?.json).toMatchObject({ action: 'updated', attention: null });
			expect(test.current.subscribers).toMatchObject([{ customer_id: 'c-2' }]);
		});

		it('gets one subscriber for a new member, however often the event comes', async () => {
			test.current.subscribers.pop();
			await openings('c-2', '');
			await openings('');
			await openings('c-3');
			expect(test.current.subscribers).toMatchObject([{ customer_id: 'c-3' }]);
		});

		it('creates a member whom someone has deleted since', async () => {
			await openings('c-1');
			test.current.subscribers.pop();
			const { output } = await openings('');
			expect(output[0]?.json).toMatchObject({ action: 'created' });
		});

		it('closes the feed of a known member', async () => {
			await openings('c-1');
			const { output } = await test.run({ ...SET_ACCESS, access: 'close', email, customerId: '' });
			expect(output[0]?.json).toMatchObject({ action: 'closed' });
		});
	});

	describe.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['a list', []],
	])('a service whose 404 has %s', (_, body) => {
		beforeEach(() => {
			test.current.habit = ({ path }, service) => {
				const isMissing = path[1] !== undefined && service.find(path[1]) === undefined;
				return isMissing ? { status: 404, body } : undefined;
			};
		});

		it('says that the subscriber is missing, and not that a web page came', async () => {
			const { output, error } = await test.run(feed('deactivate', email));
			expect(output).toEqual([]);
			expect(`${error?.message} ${error?.description}`).not.toMatch(/web ?page/);
			expect(error?.message).toContain(email);
		});

		it('has nothing to close for someone who is missing', async () => {
			const { output, error } = await test.run(feed('deactivate', email, { ifMissing: 'succeed' }));
			expect(error).toBeUndefined();
			expect(output[0]?.json).toMatchObject({ alreadyMissing: true });
		});

		it('creates a new member once', async () => {
			const { output, error } = await test.run({ ...SET_ACCESS, access: 'open', email });
			expect(error).toBeUndefined();
			expect(output[0]?.json).toMatchObject({ action: 'created' });
			expect(test.current.subscribers).toHaveLength(1);
		});
	});

	it('the next event opens the feed of a member who could not be created, without a response', async () => {
		const opening = { ...SET_ACCESS, access: 'open', email };
		test.current.habit = ({ method }) =>
			method === 'POST' ? { status: 504, body: {} } : undefined;
		const { error } = await test.run({ ...opening, options: { maxWaitSeconds: 1 } });
		expect(error?.description).toContain('may already have been made');
		test.current.habit = () => undefined;
		const { output } = await test.run(opening);
		expect(output[0]?.json).toMatchObject({ action: 'created', state: 'available' });
		expect(test.current.subscribers).toHaveLength(1);
	});

	it('Feed: Get fails if the answer is about another person', async () => {
		test.current.add({ email });
		test.current.habit = () => ({
			status: 200,
			body: { email: 'bob@example.com', state: 'available' },
		});
		const { output, error } = await test.run(feed('get', email));
		expect(output).toEqual([]);
		expect(error?.message).toContain(email);
	});

	describe('a state that the node does not know', () => {
		it('is named in a hint of Create or Update, which does not say that the feed is open', async () => {
			test.current.add({ email, state: 'paused' });
			const result = await test.run({
				...{ resource: 'subscriber', operation: 'upsert', email, options: { reactivate: true } },
			});
			expect(result.error).toBeUndefined();
			expect(hintsOf(result)).toContain('"paused"');
			expect(test.current.changes).toEqual([]);
		});

		it('is not called closed by Set Access: Close, which leaves it to a person', async () => {
			test.current.add({ email, state: 'paused' });
			const { output } = await test.run({ ...SET_ACCESS, access: 'close', email });
			expect(output[0]?.json).toMatchObject({ action: 'kept', state: 'paused' });
			expect(output[0]?.json.attention).toContain('"paused"');
			expect(test.current.changes).toEqual([]);
		});
	});

	it('a publication date counts as accepted if Supercast shows it in another time zone', async () => {
		const episode = { id: 7, title: 'One', published_at: null };
		test.current.habit = ({ method }) => {
			const shown = method === 'PATCH' ? { published_at: '2026-12-01T08:00:00Z' } : {};
			return { status: 200, body: { ...episode, ...shown } };
		};
		const result = await test.run({
			...{ resource: 'episode', operation: 'update', episode: by('id', '7') },
			updateFields: { publishedAt: '2026-12-01T09:00+01:00' },
		});
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toBe('');
		expect(test.current.received).toEqual(['PATCH episodes/7']);
	});

	describe('an ID that would change the address of a request', () => {
		const names: Array<[string, string, string, string]> = [
			['subscriber', 'delete', 'subscriber', 'uuid'],
			['feed', 'deactivate', 'subscriber', 'uuid'],
			['episode', 'delete', 'episode', 'id'],
			['creator', 'delete', 'creator', 'uuid'],
			['role', 'delete', 'role', 'id'],
			['invite', 'delete', 'invite', 'id'],
			['usageAlert', 'dismiss', 'usageAlert', 'id'],
		];
		const values = [
			...['../episodes/5', '..%2F5', '..%252F5', '..\\episodes\\5'],
			...['%2e%2e', './', '..', '5/6', '5?x=1', '5#x', '5%3Fx', '5%23x', '5%5C6'],
		];

		it.each(names)(
			'%s: %s refuses it before any request',
			async (resource, operation, key, mode) => {
				for (const value of values) {
					// n8n itself refuses some of them, before it starts the node.
					const refusal: unknown = await test
						.run({ resource, operation, [key]: by(mode, value) })
						.then(
							({ error }) => error,
							(error: unknown) => error,
						);
					expect([value, refusal]).toEqual([value, expect.anything()]);
				}
				expect(test.current.received).toEqual([]);
			},
		);
	});
});

describe('an operation that writes, with a Supercast that may or may not do it and say so', () => {
	const EMAIL = 'ann@example.com';
	const ann = { mode: 'email', value: EMAIL };
	const byId = { mode: 'id', value: '1' };
	const firstName = { firstName: 'Ann' };

	/** One operation that writes: how to run it, and how to see whether it is done. */
	interface Writer {
		parameters: IDataObject;
		/** The record that is there before. */
		before?: (service: DoubtfulSupercast, state: string) => void;
		isDone: (service: DoubtfulSupercast) => boolean;
	}

	const person = (collection: string) => (service: DoubtfulSupercast, state: string) => {
		service.add({ email: EMAIL, first_name: 'Old', state }, collection);
	};
	const thing = (collection: string) => (service: DoubtfulSupercast) => {
		service.add({ title: 'Old', name: 'Old' }, collection);
	};
	const has =
		(collection: string, fields: IDataObject) =>
		(service: DoubtfulSupercast): boolean =>
			service
				.list(collection)
				.some((one) => Object.entries(fields).every(([key, value]) => one[key] === value));
	const isGone = (collection: string) => (service: DoubtfulSupercast) =>
		service.list(collection).length === 0;
	const feed = (state: string, ifMissing = 'error'): Writer => ({
		parameters: { subscriber: ann, options: { ifMissing } },
		before: person('subscribers'),
		isDone: has('subscribers', { state }),
	});
	const alert: Writer = {
		parameters: { usageAlert: byId },
		before: thing('usage_alerts'),
		isDone: isGone('usage_alerts'),
	};
	const remove = (collection: string, locator: IDataObject): Writer => ({
		parameters: locator,
		before: (service, state) =>
			(/^(sub|creator)/.test(collection) ? person : thing)(collection)(service, state),
		isDone: isGone(collection),
	});

	const writers: Record<string, Writer> = {
		'channel update': {
			parameters: { updateFields: { otherFields: '{"title":"New"}' } },
			isDone: has('channel', { title: 'New' }),
		},
		'creator create': {
			parameters: { email: EMAIL, additionalFields: firstName },
			isDone: has('creators', { email: EMAIL, first_name: 'Ann' }),
		},
		'creator delete': remove('creators', { creator: ann }),
		'creator update': {
			parameters: { creator: ann, updateFields: firstName },
			before: person('creators'),
			isDone: has('creators', { first_name: 'Ann' }),
		},
		'episode create': {
			parameters: { title: 'New' },
			isDone: has('episodes', { title: 'New' }),
		},
		'episode delete': remove('episodes', { episode: byId }),
		'episode update': {
			parameters: { episode: byId, updateFields: { title: 'New' } },
			before: thing('episodes'),
			isDone: has('episodes', { title: 'New' }),
		},
		'feed activate': feed('available'),
		'feed deactivate': feed('deactivated'),
		'feed deactivate, or succeed': feed('deactivated', 'succeed'),
		'feed suspend': feed('suspended'),
		'invite delete': remove('invites', { invite: byId }),
		'question create': {
			parameters: { title: 'New' },
			isDone: has('questions', { title: 'New' }),
		},
		'role create': { parameters: { name: 'New' }, isDone: has('roles', { name: 'New' }) },
		'role delete': remove('roles', { role: byId }),
		'role update': {
			parameters: { role: byId, updateFields: { name: 'New' } },
			before: thing('roles'),
			isDone: has('roles', { name: 'New' }),
		},
		'subscriber create': {
			parameters: { email: EMAIL, additionalFields: firstName },
			isDone: has('subscribers', { email: EMAIL, first_name: 'Ann' }),
		},
		'subscriber delete': remove('subscribers', { subscriber: ann }),
		'subscriber delete, or succeed': remove('subscribers', {
			...{ subscriber: ann, options: { ifMissing: 'succeed' } },
		}),
		'subscriber setAccess': {
			parameters: { access: 'open', email: EMAIL, customerId: '' },
			before: person('subscribers'),
			isDone: has('subscribers', { state: 'available' }),
		},
		'subscriber setAccess, close': {
			parameters: { access: 'close', email: EMAIL, customerId: '' },
			before: person('subscribers'),
			isDone: (service) => !has('subscribers', { state: 'available' })(service),
		},
		'subscriber update': {
			parameters: { subscriber: ann, updateFields: firstName },
			before: person('subscribers'),
			isDone: has('subscribers', { first_name: 'Ann' }),
		},
		'subscriber upsert': {
			parameters: { email: EMAIL, additionalFields: firstName, options: { reactivate: true } },
			before: person('subscribers'),
			isDone: (service) =>
				has('subscribers', { email: EMAIL, first_name: 'Ann' })(service) &&
				!has('subscribers', { state: 'deactivated' })(service),
		},
		'usageAlert dismiss': alert,
		'usageAlert ignore': alert,
		'usageAlert suspend': alert,
	};

	const states = fc.constantFrom('available', 'deactivated', 'suspended', 'absent');
	/** How long reads lag behind changes. Supercast's pages say that it is seconds at most (inferred). */
	const lags = fc.constantFrom(0, 0, 0, 500, 2_000, 4_000);

	async function run(name: string, service: DoubtfulSupercast, parameters: IDataObject) {
		const [resource = '', key = ''] = name.replace(/,.*/, '').split(' ');
		const values: IDataObject = { simplify: false, options: {}, ...parameters };
		const context = {
			getNode: () => ({ parameters: {}, type: 'supercast' }),
			getNodeParameter: (one: string, _: number, fallback: unknown) =>
				values[one] ?? fallback ?? {},
			getMode: () => 'trigger',
			getTimezone: () => 'UTC',
		};
		const operation = findOperation(resource, key);
		if (operation === undefined || !('prepare' in operation)) throw new Error(`no ${name}`);
		const task = operation.prepare(parameterReader(context as unknown as IExecuteFunctions)(0));
		const hints: string[] = [];
		const client = await clientOf(service, { maxWaitMs: 120_000 });
		const [output = {}] = await task.run(client, (hint) => hints.push(hint));
		return { output, hints };
	}

	/** `unknown`: an error, and the change was not made. `doneAfterAll`: an error, but it was. */
	const counts = { done: 0, missing: 0, said: 0, unknown: 0, doneAfterAll: 0 };

	it.each(Object.keys(writers))(
		'%s never claims that a change was made or a record is missing if that is false',
		async (name) => {
			const { parameters, before, isDone } = writers[name]!;
			await everySequence(fc.tuple(steps, states, lags), async ([plan, state, lagMs]) => {
				const clock = freshClock();
				const service = new DoubtfulSupercast(clock, [...plan], lagMs);
				if (state !== 'absent') before?.(service, state);
				const outcome = await clock
					.run(run(name, service, parameters))
					.catch((error: unknown) => error as Error);
				await clock.pass(60_000);
				const isTrue = isDone(service);
				const told = JSON.stringify([outcome, service.answers, lagMs]);
				if (outcome instanceof Error) {
					expect(outcome.name).toBe('ServiceError');
					counts[isTrue ? 'doneAfterAll' : 'unknown']++;
				} else if (outcome.output.alreadyMissing === true) {
					counts.missing++;
					expect([service.list('subscribers').length, told]).toEqual([0, told]);
				} else if (outcome.hints.length > 0 || outcome.output.attention) counts.said++;
				else {
					counts.done++;
					expect([isTrue, told]).toEqual([true, told]);
				}
			});
		},
	);

	it('a change that was made is rarely reported as unknown', () => {
		const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
		// A response that is lost, or wrong again and again, shows nothing. Measured: 11%.
		if (isDeep) process.stdout.write(`${JSON.stringify(counts)}\n`);
		expect(counts.doneAfterAll / all).toBeLessThan(0.15);
	});
});
