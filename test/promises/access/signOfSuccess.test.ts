import type { INodeParameters } from 'n8n-workflow';

import { hintsOf, SET_ACCESS } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useStrangeService, type StrangeAnswer } from '../../support/strangeService';

// A hundredth of the real waits.
useQuickRuntime({ backoffMs: 5, visibleMs: 60, lateMs: 300 });
const test = useStrangeService();

const email = 'ann@example.com';
const subscriber = { __rl: true, mode: 'email', value: email };
const feed = (operation: string): INodeParameters => ({ resource: 'feed', operation, subscriber });
const setAccess = (access: string): INodeParameters => ({ ...SET_ACCESS, access, email });
const create = { resource: 'subscriber', operation: 'create', email };
const upsert = {
	...{ resource: 'subscriber', operation: 'upsert', email },
	options: { reactivate: true },
};

/** Answers to a change of feeds that do not show it. */
const SILENT: Array<[string, StrangeAnswer]> = [
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

describe.each(FEED_CHANGES)('%s', (_, parameters, before, after) => {
	it.each(SILENT)('fails if the answer is %s and the feed stays as it was', async (__, answer) => {
		test.current.add({ email, state: before });
		test.current.habit = ({ method }) => (method === 'PATCH' ? answer : undefined);
		const { output, error } = await test.run(parameters);
		expect(output).toEqual([]);
		expect(error?.message).toContain(`shows the state "${before}"`);
		expect(error?.description).toContain('The node asked for the state');
		expect(test.current.find(email)?.state).toBe(before);
	});

	it.each(SILENT)(
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
		test.current.lagMs = 30;
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
	test.current.lagMs = 30;
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
	it.each<[string, StrangeAnswer]>([
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

	it.each<[string, StrangeAnswer]>([
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

it('Sync fails if the first try of a closing changes only the time, and the feed stays open', async () => {
	const member = (number: number) => ({ email: `m${number}@example.com`, id: `c-${number}` });
	for (let number = 0; number < 30; number++) {
		const { email: address, id } = member(number);
		test.current.add({ email: address, customer_id: id, first_name: 'Ann' });
	}
	test.current.habit = ({ method, path: [, name = ''] }, service) => {
		if (method !== 'PATCH') return undefined;
		const found = service.find(name);
		if (found !== undefined) found.updated_at = new Date().toISOString();
		return { status: 503, body: { message: 'Unavailable' } };
	};
	const parameters = {
		...{ resource: 'subscriber', operation: 'sync', dryRun: false, maxClosePercent: 50 },
		...{ email: '={{ $json.email }}', customerId: '={{ $json.id }}', options: { closeAfter: 1 } },
	};
	const members = Array.from({ length: 29 }, (_, number) => member(number));
	const { output, error } = await test.run(parameters, members);
	expect(output).toEqual([]);
	expect(error?.message).toContain('shows the state "available"');
});
