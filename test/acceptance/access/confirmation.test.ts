import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import type { Fault } from '../../../simulators/supercast/control/faults';
import { shareOf } from '../../support/deep';
import { hintsOf, SET_ACCESS } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { runtime } from '../../../nodes/Supercast/api/clock';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';
import { useHttpSupercast } from '../../doubles/httpSupercast';
import type { Answer } from '../../doubles/supercast';

describe('a change without a sign of success', () => {
	// A hundredth of the real waits.
	useQuickRuntime({ backoffMs: 5, visibleMs: 60, lateMs: 300 });
	const test = useHttpSupercast();
	afterEach(() => void jest.restoreAllMocks());

	/** Changes show 30 ms later. On a busy machine, a single request may take as long as all waits. */
	function lag(): void {
		test.current.lagMs = 30;
		jest.replaceProperty(runtime, 'visibleMs', 5_000);
	}

	const email = 'ann@example.com';
	const subscriber = { __rl: true, mode: 'email', value: email };
	const feed = (operation: string): INodeParameters => ({
		resource: 'feed',
		operation,
		subscriber,
	});
	const setAccess = (access: string): INodeParameters => ({ ...SET_ACCESS, access, email });
	const create = { resource: 'subscriber', operation: 'create', email };
	const upsert = {
		...{ resource: 'subscriber', operation: 'upsert', email },
		options: { reactivate: true },
	};

	/** Answers to a feed change that do not show the new state. */
	const SILENT: Array<[string, Answer]> = [
		['204', { status: 204 }],
		['202', { status: 202 }],
		['{}', { status: 200, body: {} }],
		['a feed without a state', { status: 200, body: { feed_token: 'f-1' } }],
		['a message', { status: 200, body: { message: 'Feed updated' } }],
		['a code and a message', { status: 200, body: { code: 'E17', message: 'Try again' } }],
	];

	/** The operations that change feeds, the state before, and the state that they ask for. */
	const FEED_CHANGES: Array<[string, INodeParameters, string, string]> = [
		['Feed: Activate', feed('activate'), 'deactivated', 'available'],
		['Feed: Deactivate', feed('deactivate'), 'available', 'deactivated'],
		['Feed: Suspend', feed('suspend'), 'available', 'suspended'],
		['Set Access: Open', setAccess('open'), 'deactivated', 'available'],
		['Set Access: Close', setAccess('close'), 'available', 'deactivated'],
		['Create or Update', upsert, 'deactivated', 'available'],
	];

	describe.each(FEED_CHANGES)('%s', (operation, parameters, before, after) => {
		const at = FEED_CHANGES.findIndex(([one]) => one === operation);
		/** In `npm test`, each operation meets some of the answers. */
		const silent = shareOf(SILENT, at, 3);

		it.each(silent)(
			'fails if the answer is %s and the feed stays as it was',
			async (__, answer) => {
				test.current.add({ email, state: before });
				test.current.habit = ({ method }) => (method === 'PATCH' ? answer : undefined);
				const { output, error } = await test.run(parameters);
				expect(output).toEqual([]);
				expect(error?.message).toContain(`shows the state "${before}"`);
				expect(error?.description).toContain('The node expected the state');
				expect(test.current.find(email)?.state).toBe(before);
			},
		);

		it.each(silent)(
			'is done with one change if the answer is %s and the feed shows it',
			async (...tried) => {
				test.current.add({ email, state: before });
				test.current.habit = (request, service) => {
					if (request.method !== 'PATCH') return undefined;
					service.usual(request);
					return tried[1];
				};
				const { error } = await test.run(parameters);
				expect(error).toBeUndefined();
				expect(test.current.find(email)?.state).toBe(after);
				expect(test.current.changes).toHaveLength(1);
			},
		);

		it('is done with one change if reads lag behind changes', async () => {
			test.current.add({ email, state: before });
			lag();
			test.current.habit = (request, service) => {
				if (request.method !== 'PATCH') return undefined;
				service.usual(request);
				return { status: 204 };
			};
			const { error } = await test.run(parameters);
			expect(error).toBeUndefined();
			expect(test.current.find(email)?.state).toBe(after);
			expect(test.current.changes).toHaveLength(1);
		});

		it('says that the outcome is unknown if the subscriber cannot be read afterwards', async () => {
			test.current.add({ email, state: before });
			test.current.habit = ({ method }, service) => {
				if (method === 'PATCH') return { status: 204 };
				return service.changes.length > 0 ? { status: 401, body: { message: 'No' } } : undefined;
			};
			const { output, error } = await test.run(parameters);
			expect(output).toEqual([]);
			expect(error?.message).toContain('could not check whether the change was made');
		});
	});

	it('Create or Update with Reactivate sends one change if the answer shows it and reads lag', async () => {
		test.current.add({ email, state: 'deactivated' });
		lag();
		const { output, error } = await test.run(upsert);
		expect(error).toBeUndefined();
		expect(output[0]?.json).toMatchObject({ reactivated: true, state: 'available' });
		expect(test.current.changes).toEqual([`PATCH feeds/${email}`]);
	});

	describe.each([
		['Create', create],
		['Create or Update', upsert],
		['Set Access', setAccess('open')],
	])('%s', (name, parameters) => {
		it.each<[string, Answer]>([
			['201 without a body', { status: 201 }],
			['{}', { status: 200, body: {} }],
		])('fails if the answer is %s and there is no such subscriber', async (_, answer) => {
			test.current.habit = ({ method }) => (method === 'POST' ? answer : undefined);
			const { output, error } = await test.run(parameters);
			expect(output).toEqual([]);
			expect(error?.message).toContain('shows no such record');
			expect(test.current.changes).toHaveLength(1);
		});

		it('fails if the answers are only messages and there is no such subscriber', async () => {
			const answer = { status: 202, body: { message: 'Accepted' } };
			test.current.habit = ({ method }) => (method === 'POST' ? answer : undefined);
			const { output, error } = await test.run(parameters);
			expect(output).toEqual([]);
			expect(error?.message).toContain('while creating the subscriber');
		});

		it('opens or reports a feed that Supercast creates closed', async () => {
			test.current.habit = (request, service) => {
				if (request.method !== 'POST') return undefined;
				return { status: 201, body: service.add({ ...request.fields, state: 'deactivated' }) };
			};
			const result = await test.run(parameters);
			expect(result.error).toBeUndefined();
			const isOpened = name !== 'Create';
			expect(test.current.find(email)?.state).toBe(isOpened ? 'available' : 'deactivated');
			expect(hintsOf(result).includes('stay closed')).toBe(!isOpened);
		});

		it('says so if Supercast shows no feed address of a new subscriber', async () => {
			test.current.habit = (request, service) => {
				if (request.method !== 'POST') return undefined;
				return { status: 201, body: service.add({ ...request.fields, feed_url: undefined }) };
			};
			const result = await test.run(parameters);
			expect(result.error).toBeUndefined();
			expect(hintsOf(result)).toContain('no feed address');
		});

		it.each<[string, Answer]>([
			['reset', { status: 0, isReset: true }],
			['502', { status: 502, body: { message: 'Bad gateway' } }],
			['503', { status: 503, body: { message: 'Unavailable' } }],
			['a web page', { status: 502, body: '<html>Bad gateway</html>' }],
			['a web page that says 200', { status: 200, body: '<html>Welcome</html>' }],
		])(
			'creates one subscriber if the answer is %s and they appear after 20 seconds',
			async (_, answer) => {
				let timer: NodeJS.Timeout | undefined;
				test.current.habit = ({ method, fields }, service) => {
					if (method !== 'POST' || timer !== undefined) return undefined;
					timer = setTimeout(() => service.add(fields), 200);
					return answer;
				};
				const { error } = await test.run(parameters);
				expect(error).toBeUndefined();
				expect(test.current.subscribers.map((one) => one.email)).toEqual([email]);
				expect(test.current.changes.filter((one) => one.startsWith('POST'))).toHaveLength(1);
				clearTimeout(timer);
			},
		);
	});

	it('Set Access opens a closed subscriber whom Supercast returns instead of creating one', async () => {
		const closed = test.current.add({ email, state: 'deactivated' });
		test.current.habit = ({ method }, service) => {
			if (method === 'POST') return { status: 200, body: closed };
			const isEarly = method === 'GET' && service.changes.length === 0;
			return isEarly ? { status: 404, body: { message: 'Not found' } } : undefined;
		};
		const { output, error } = await test.run(setAccess('open'));
		expect(error).toBeUndefined();
		expect(output[0]?.json).toMatchObject({ access: 'open', state: 'available' });
		expect(closed.state).toBe('available');
	});
});

describe('an answer that contradicts the request', () => {
	const sandbox = useSandbox();
	useQuickRuntime({ backoffMs: 2, visibleMs: 10, lateMs: 20 });

	const ann = () => sandbox.current.state.subscribers.find(({ state }) => state === 'available')!;
	const byEmail = (value: string) => ({ __rl: true, mode: 'email', value });

	async function run(parameters: INodeParameters) {
		return await runSupercast({ parameters, credential: credentialOf(sandbox.current) });
	}

	async function deactivate(options: INodeParameters = {}) {
		const subscriber = byEmail(ann().email);
		return await run({ resource: 'feed', operation: 'deactivate', subscriber, options });
	}

	function answer(path: string, body: unknown, more: Partial<Fault> = { share: 1 }): void {
		const fault = { kind: 'answer', method: 'PATCH', path, body, ...more };
		sandbox.current.controls.addFaults(fault as Fault);
	}

	describe('Feed: Deactivate', () => {
		it('is an error if Supercast keeps showing an open feed, and is sent twice', async () => {
			answer('/feeds', { state: 'available' });
			const { output, error } = await deactivate();
			expect(output).toEqual([]);
			expect(error?.message).toBe(
				`Supercast confirmed the change while deactivating the feed of the subscriber "${ann().email}", but shows the state "available"`,
			);
			expect(sandbox.current.stats().byRoute['PATCH /feeds/:id']).toEqual({ '200': 2 });
		});

		it('is sent again if the first response shows an open feed', async () => {
			const { email } = ann();
			const feed = sandbox.current.state.feedUrl(email);
			answer('/feeds', { state: 'available' }, { times: 1 });
			const { error } = await deactivate();
			expect(error).toBeUndefined();
			expect(await feedStatus(feed)).not.toBe(200);
		});

		it('is done if only the responses are wrong, as the subscriber shows', async () => {
			const { email } = ann();
			answer('/feeds', { state: 'available' }, { share: 1, when: 'after' });
			const { error } = await deactivate();
			expect(error).toBeUndefined();
			expect(sandbox.current.state.subscriber(email)?.state).toBe('deactivated');
		});

		it.each([
			{ subscriber_email: 'bob@example.com', state: 'inactive' },
			{ email: 'bob@example.com', uuid: 'u-2', state: 'deactivated' },
			{ subscriber: { email: 'bob@example.com' }, state: 'inactive' },
		])('is an error if the response is about another person: %j', async (body) => {
			answer('/feeds', body);
			const { output, error } = await deactivate();
			expect(output).toEqual([]);
			expect(error?.message).toMatch(/ while deactivating .*, but shows the state "available"$/);
		});

		it.each([{ state: 'inactive' }, { state: 'deactivated' }])(
			'is done with one request if the response shows it: %j',
			async (body) => {
				// The process has seen that people have no further subscriptions.
				await run({ resource: 'subscriber', operation: 'getAll', limit: 1 });
				answer('/feeds', body);
				const { error } = await deactivate();
				expect(error).toBeUndefined();
				expect(sandbox.current.stats().requests).toBe(2);
			},
		);

		it.each(['error', 'succeed'])(
			'is an error if the feed is not found, although the subscriber exists (%s)',
			async (ifMissing) => {
				const fault = { kind: 'status', status: 404, path: '/feeds', share: 1 };
				sandbox.current.controls.addFaults(fault as Fault);
				const { output, error } = await deactivate({ ifMissing });
				expect(output).toEqual([]);
				expect(error?.message).toMatch(/although the subscriber .* exists|has no feed/);
			},
		);
	});

	it('Create or Update is an error if the feed stays closed', async () => {
		const { email } = ann();
		await deactivate();
		answer('/feeds', undefined);
		const { output, error } = await run({
			resource: 'subscriber',
			operation: 'upsert',
			email,
			options: { reactivate: true },
		});
		expect(output).toEqual([]);
		expect(error?.message).toMatch(/ while reopening .*, but shows the state "deactivated"$/);
	});

	describe('a field that Supercast ignores', () => {
		it('is named in a hint of Update, which is sent twice', async () => {
			const { email, uuid, last_name: last } = ann();
			answer('/subscribers', { uuid, email, first_name: 'Old', last_name: last });
			const result = await run({
				resource: 'subscriber',
				operation: 'update',
				subscriber: byEmail(email),
				updateFields: { firstName: 'New' },
			});
			expect(result.error).toBeUndefined();
			expect(result.output[0]!.json).toMatchObject({ first_name: 'Old' });
			expect(hintsOf(result)).toContain("shows other values for 'first_name'");
			expect(sandbox.current.stats().byRoute['PATCH /subscribers/:id']).toEqual({ '200': 2 });
		});

		it('is named in a hint of Channel: Update', async () => {
			answer('/channel', { id: 1, title: 'Old' });
			const result = await run({
				resource: 'channel',
				operation: 'update',
				updateFields: { otherFields: '{ "title": "New" }' },
			});
			expect(result.error).toBeUndefined();
			expect(result.output[0]!.json).toEqual({ id: 1, title: 'Old' });
			expect(hintsOf(result)).toContain("shows other values for 'title'");
		});

		it('is named in a hint if it comes from Other Fields and the response lacks it', async () => {
			answer('/channel', { id: 1, title: 'New' });
			const result = await run({
				resource: 'channel',
				operation: 'update',
				updateFields: { otherFields: '{ "title": "New", "tittle": "Typo", "Colour": "red" }' },
			});
			expect(result.error).toBeUndefined();
			expect(hintsOf(result)).toContain("does not show 'tittle', 'Colour'");
			answer('/channel', { id: 1, title: 'New' });
			const known = { otherFields: '{ "title": "New" }' };
			const clear = await run({ resource: 'channel', operation: 'update', updateFields: known });
			expect(hintsOf(clear)).toBe('');
		});

		it('is an error of Update, if it is the email', async () => {
			const { email, uuid } = ann();
			answer('/subscribers', { uuid, email });
			const { output, error } = await run({
				resource: 'subscriber',
				operation: 'update',
				subscriber: byEmail(email),
				updateFields: { email: 'new@example.com' },
			});
			expect(output).toEqual([]);
			expect(error?.message).toMatch(/ while changing .*, but shows the old email$/);
		});

		it('is named in a hint of Create', async () => {
			const fault = { kind: 'answer', method: 'POST', path: '/subscribers', times: 1 };
			const body = { uuid: 'u-1', email: 'new@example.com', first_name: 'Other' };
			sandbox.current.controls.addFaults({ ...fault, body } as Fault);
			const result = await run({
				resource: 'subscriber',
				operation: 'create',
				email: 'new@example.com',
				additionalFields: { firstName: 'New' },
			});
			expect(hintsOf(result)).toContain("shows other values for 'first_name'");
		});
	});

	it.each(['create', 'upsert'])(
		'%s shows whom it created, even if the response does not',
		async (operation) => {
			const fault = {
				kind: 'answer',
				method: 'POST',
				path: '/subscribers',
				times: 1,
				when: 'after',
			};
			sandbox.current.controls.addFaults({ ...fault, body: { status: 'created' } } as Fault);
			const { output, error } = await run({
				resource: 'subscriber',
				operation,
				email: 'new@example.com',
			});
			expect(error).toBeUndefined();
			expect(output[0]!.json).toMatchObject({
				email: 'new@example.com',
				feed_urls: [expect.stringContaining('/feeds/')],
			});
		},
	);

	it.each([
		['role', { name: 'Editor' }, { name: 'Editor' }],
		['creator', { email: 'new@example.com' }, { email: 'new@example.com' }],
	])('Create of a %s finds what it created if the response does not show it', async (...tried) => {
		const [resource, parameters, expected] = tried;
		const fault = { kind: 'answer', method: 'POST', when: 'after', body: { ok: true }, times: 1 };
		sandbox.current.controls.addFaults(fault as Fault);
		const { output, error } = await run({ resource, operation: 'create', ...parameters });
		expect(error).toBeUndefined();
		expect(output[0]!.json).toMatchObject(expected);
	});
});
