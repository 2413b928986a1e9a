import type { Sandbox } from '../../../simulators/supercast';
import { LIST_KEYS } from '../../../simulators/supercast/data/lists';
import { ask, fetchAnswer, useSandboxes } from './helpers';

const start = useSandboxes();

interface Refusal {
	message: string;
	errors?: Record<string, string[]>;
}

interface Shown {
	uuid: string;
	email: string;
	state: string;
	subscriptions: Array<{ feed_url: string; state: string }>;
}

const feedOf = ({ subscriptions: [first] }: Shown): string => first?.feed_url ?? '';

describe('access tokens', () => {
	it.each([
		['none', null, {}],
		['an unknown one', 'nonsense', {}],
		['HTTP Basic', null, { authorization: 'Basic dTpw' }],
	])('refuses %s with 401 and a message', async (_name, token, headers) => {
		const { status, body } = await ask<Refusal>(await start(), '/episodes', { token, headers });
		expect([status, body.message]).toEqual([401, expect.stringMatching(/access token/)]);
	});

	it('lets a read-only token read, and write nothing', async () => {
		const sandbox = await start();
		const token = sandbox.readOnlyToken;
		const { uuid = '' } = sandbox.state.subscribers[0] ?? {};
		for (const path of ['/channel', '/subscribers', `/feeds/${uuid}`]) {
			expect((await ask(sandbox, path, { token })).status).toBe(200);
		}
		const before = JSON.stringify(sandbox.state.subscribers);
		for (const [method, path, body] of [
			['DELETE', `/subscribers/${uuid}`, undefined],
			['POST', '/subscribers', { email: 'x@example.com' }],
			['PATCH', `/feeds/${uuid}`, { state: 'suspended' }],
		] as const) {
			expect((await ask(sandbox, path, { method, body, token })).status).toBe(403);
		}
		expect(JSON.stringify(sandbox.state.subscribers)).toBe(before);
	});
});

describe('addresses and bodies', () => {
	it('serves /api/v1 and /v1 alike', async () => {
		const sandbox = await start();
		const headers = { authorization: `Bearer ${sandbox.accessToken}` };
		const long = await fetchAnswer(`${sandbox.origin}/api/v1/episodes`, { headers });
		const short = await fetchAnswer(`${sandbox.origin}/v1/episodes`, { headers });
		expect([long.status, long.text]).toEqual([200, short.text]);
		expect(sandbox.stats().byRoute).toEqual({ 'GET /episodes': { 200: 2 } });
	});

	it.each([
		['/nothing', 404],
		['/subscribers/x/y', 404],
		['/subscribers/nobody@example.com', 404],
		['/subscribers/%zz', 400],
	])('responds to GET %s with %i', async (path, expected) => {
		const { status, body } = await ask<Refusal>(await start(), path);
		expect([status, typeof body.message]).toEqual([expected, 'string']);
	});

	it.each([
		['{"email":', 400],
		['[]', 422],
		['{"subscriber":{}}', 422],
	])('refuses to create a subscriber from %s with %i', async (body, expected) => {
		const sandbox = await start();
		const headers = {
			authorization: `Bearer ${sandbox.accessToken}`,
			'content-type': 'application/json',
		};
		const url = `${sandbox.baseUrl}/subscribers`;
		const response = await fetch(url, { method: 'POST', headers, body });
		expect(response.status).toBe(expected);
		expect(await response.json()).toHaveProperty('message');
	});

	it.each([
		['/subscribers', { email: 'nobody', first_name: ['x'] }, ['email', 'first_name']],
		['/episodes', { title: 'x', language: 'xx' }, ['language']],
	])('POST %s names what is wrong in %j', async (path, body, wrong) => {
		const answer = await ask<Refusal>(await start(), path, { body });
		expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, wrong]);
	});
});

describe('lists', () => {
	it.each(LIST_KEYS)('list all %s', async (key) => {
		const sandbox = await start();
		const path = key.replace(/[A-Z]/g, '_$&').toLowerCase();
		const { body } = await ask<unknown[]>(sandbox, `/${path}`);
		expect(body).toHaveLength(sandbox.state[key].length);
		expect(body.length).toBeGreaterThan(0);
	});

	it('come as bare arrays with the paging headers', async () => {
		const sandbox = await start({ subscribers: 23, perPageMax: 10 });
		const seen: string[] = [];
		for (const page of ['1', '2', '3', '4']) {
			const path = `/subscribers?page=${page}&per_page=500`;
			const { headers, body } = await ask<Shown[]>(sandbox, path);
			const names = ['x-page', 'x-per-page', 'x-total'];
			expect(names.map((name) => headers.get(name))).toEqual([page, '10', '23']);
			seen.push(...body.map(({ email }) => email));
		}
		expect(seen).toEqual(sandbox.state.subscribers.map(({ email }) => email));
	});
});

/** A request, what to look at after it, and what should be there. */
type Call = [string, string, string, (sandbox: Sandbox) => unknown, unknown];

const EMAIL = 'client@example.com';

/**
 * Requests of the vendor's Ruby client, recorded by a sandbox. They have wrapped form fields and
 * unencoded emails in the path. A delete or an action has a form without fields.
 */
const calls: Call[] = [
	[
		'POST',
		'/subscribers',
		`subscriber[email]=${encodeURIComponent(EMAIL)}&subscriber[first_name]=%C3%96+%26+x`,
		({ state }) => state.subscriber(EMAIL)?.first_name,
		'Ö & x',
	],
	[
		'PATCH',
		`/subscribers/${EMAIL}`,
		'subscriber[last_name]=Lee',
		({ state }) => state.subscriber(EMAIL)?.last_name,
		'Lee',
	],
	...[
		['suspended', 'suspended'],
		['inactive', 'deactivated'],
		['available', 'available'],
	].map(([sent, read]): Call => [
		'PATCH',
		`/feeds/${EMAIL}`,
		`feed_token[state]=${sent}`,
		({ state }) => state.subscriber(EMAIL)?.state,
		read,
	]),
	['DELETE', `/subscribers/${EMAIL}`, '', ({ state }) => state.subscriber(EMAIL), undefined],
	['POST', '/episodes', 'episode[title]=New', ({ state }) => state.episodes.at(-1)?.title, 'New'],
	[
		'POST',
		'/roles',
		'role[name]=Editor&role[permissions][]=a&role[permissions][]=b',
		({ state }) => state.roles.at(-1)?.permissions,
		['a', 'b'],
	],
	['PATCH', '/channel', 'channel[title]=Other', ({ state }) => state.channel.title, 'Other'],
	['DELETE', '/invites/1', '', ({ state }) => state.invites.length, 1],
];

describe('records', () => {
	it('understands everything that the vendor’s client writes', async () => {
		const sandbox = await start({ profile: 'documented' });
		for (const [method, path, body, look, expected] of calls) {
			const { status } = await ask(sandbox, path, { method, body });
			expect([method, path, status]).toEqual([method, path, method === 'POST' ? 201 : 200]);
			expect(look(sandbox)).toEqual(expected);
		}
	});

	it.each([
		['/subscribers', 'subscriber', { email: 'new@example.com' }, { first_name: 'Noor' }],
		['/episodes', 'episode', { title: 'New', language: 'de' }, { explicit: 'yes' }],
		['/creators', 'creator', { email: 'new@example.com' }, { first_name: 'Noor' }],
		['/roles', 'role', { name: 'Editor', permissions: ['api_access'] }, { description: 'Edits' }],
	])('%s: created, read, changed, deleted', async (path, name, fields, change) => {
		const sandbox = await start();
		const made = await ask(sandbox, path, { body: { [name]: fields } });
		expect([made.status, made.body]).toEqual([201, expect.objectContaining(fields)]);
		const one = `${path}/${String(made.body.uuid ?? made.body.id)}`;
		expect((await ask(sandbox, one)).body).toEqual(made.body);
		const changed = await ask(sandbox, one, { method: 'PATCH', body: { [name]: change } });
		expect(changed.body).toMatchObject({ ...fields, ...change });
		expect((await ask(sandbox, one, { method: 'DELETE' })).status).toBe(200);
		for (const method of ['GET', 'DELETE']) {
			expect((await ask(sandbox, one, { method })).status).toBe(404);
		}
	});

	it('finds an awkward email in exactly one path segment, in any case', async () => {
		const sandbox = await start();
		const email = 'a/b+c%2F?x=#@example.com';
		const { body } = await ask<Shown>(sandbox, '/subscribers', { body: { email } });
		for (const name of [email, email.toUpperCase(), body.uuid]) {
			const found = await ask<Shown>(sandbox, `/subscribers/${encodeURIComponent(name)}`);
			expect([found.status, found.body.uuid]).toEqual([200, body.uuid]);
		}
		// Encoded twice, the email names someone else.
		const twice = encodeURIComponent(encodeURIComponent(email));
		expect((await ask(sandbox, `/subscribers/${twice}`)).status).toBe(404);
	});

	it('finds no subscriber by customer ID, and refuses a known email', async () => {
		const sandbox = await start();
		const body = { subscriber: { email: 'c@example.com', customer_id: 'cus_1' } };
		expect((await ask(sandbox, '/subscribers', { body })).body.customer_id).toBe('cus_1');
		expect((await ask(sandbox, '/subscribers/cus_1')).status).toBe(404);
		expect((await ask(sandbox, '/subscribers', { body })).status).toBe(422);
	});
});

describe('access, from the subscriber’s side', () => {
	it('ends permanently with the subscriber, and the address is remembered', async () => {
		const sandbox = await start();
		const email = sandbox.state.subscribers[0]?.email ?? '';
		const { body } = await ask<Shown>(sandbox, `/subscribers/${email}`);
		expect((await fetchAnswer(feedOf(body))).status).toBe(200);
		await ask(sandbox, `/subscribers/${email}`, { method: 'DELETE' });
		expect((await fetchAnswer(feedOf(body))).status).toBe(403);
		const back = await ask<Shown>(sandbox, '/subscribers', { body: { email } });
		expect((await fetchAnswer(feedOf(back.body))).status).toBe(200);
		expect((await fetchAnswer(feedOf(body))).status).toBe(403);
	});

	it.each([
		['suspended', 'suspended', 403],
		['inactive', 'deactivated', 403],
		['available', 'available', 200],
	])('follows the feed’s state %s, read back as %s', async (state, readBack, feedStatus) => {
		const sandbox = await start();
		const path = `/feeds/${sandbox.state.subscribers[0]?.uuid ?? ''}`;
		await ask(sandbox, path, { method: 'PATCH', body: { state: 'suspended' } });
		const changed = await ask(sandbox, path, { method: 'PATCH', body: { feed_token: { state } } });
		expect([changed.status, changed.body.state]).toEqual([200, state]);
		const { body } = await ask<Shown>(sandbox, path.replace('feeds', 'subscribers'));
		expect([body.state, body.subscriptions[0]?.state]).toEqual([readBack, readBack]);
		expect((await fetchAnswer(feedOf(body))).status).toBe(feedStatus);
	});

	it.each(['charge_failure', 'pending'] as const)('ends in the state %s', async (state) => {
		const sandbox = await start();
		const { uuid = '' } = sandbox.state.subscribers[0] ?? {};
		const url = sandbox.state.feedUrl(uuid) ?? '';
		sandbox.controls.setState(uuid, state);
		expect((await fetchAnswer(url)).status).toBe(403);
		const { body } = await ask<Shown>(sandbox, `/subscribers/${uuid}`);
		expect([body.state, body.subscriptions.length]).toEqual([state, state === 'pending' ? 0 : 1]);
	});
});

describe('usage alerts', () => {
	it.each([
		['dismiss', true, 'available'],
		['ignore', false, 'available'],
		['suspend', true, 'suspended'],
	])('%s ends an alert, and another one may follow: %s', async (action, another, state) => {
		const sandbox = await start();
		const [alert] = (await ask<Array<{ id: number; subscriber: Shown }>>(sandbox, '/usage_alerts'))
			.body;
		const path = `/usage_alerts/${alert?.id}/${action}`;
		expect((await ask(sandbox, path, { method: 'PATCH' })).status).toBe(200);
		expect((await ask(sandbox, path, { method: 'PATCH' })).status).toBe(404);
		const { uuid = '' } = alert?.subscriber ?? {};
		expect(sandbox.state.subscriber(uuid)?.state).toBe(state);
		if (action === 'suspend') expect(sandbox.state.subscriber(uuid)?.plan_id).toBeNull();
		const more = sandbox.controls.addUsageAlerts(sandbox.state.subscribers.length);
		expect(more.some((one) => one.subscriber_uuid === uuid)).toBe(another);
	});
});
