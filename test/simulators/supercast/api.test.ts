import type { SandboxOptions } from '../../../simulators/supercast';
import { LIST_KEYS } from '../../../simulators/supercast/data/lists';
import { ask, fetchAnswer, useSandboxes } from './helpers';

describe('the API', () => {
	const start = useSandboxes();

	interface Refusal {
		message: string;
		errors?: Record<string, string[]>;
	}

	describe('access tokens', () => {
		it.each([
			['none', null, {}],
			['an unknown one', 'nonsense', {}],
			['HTTP Basic', null, { authorization: 'Basic dTpw' }],
		])('refuses %s with 401 and a message', async (_name, token, headers) => {
			const sandbox = await start();
			const { status, body } = await ask<Refusal>(sandbox, '/episodes', { token, headers });
			expect(status).toBe(401);
			expect(body.message).toMatch(/access token/);
		});

		it('takes the token only from the header', async () => {
			const sandbox = await start();
			const { accessToken } = sandbox;
			const query = `/episodes?access_token=${accessToken}`;
			expect((await ask(sandbox, query, { token: null })).status).toBe(401);
			const body = { access_token: accessToken, title: 'x' };
			expect((await ask(sandbox, '/episodes', { token: null, body })).status).toBe(401);
			expect(sandbox.state.episodes).toHaveLength(12);
		});

		it('lets a read-only token read everything and write nothing', async () => {
			const sandbox = await start();
			const token = sandbox.readOnlyToken;
			const { uuid = '' } = sandbox.state.subscribers[0] ?? {};
			for (const path of ['/channel', '/subscribers', `/feeds/${uuid}`, '/usage_alerts']) {
				expect((await ask(sandbox, path, { token })).status).toBe(200);
			}
			const writes: Array<[string, string, unknown]> = [
				['DELETE', `/subscribers/${uuid}`, undefined],
				['POST', '/subscribers', { email: 'x@example.com' }],
				['PATCH', `/feeds/${uuid}`, { state: 'suspended' }],
				['PATCH', '/usage_alerts/1/suspend', undefined],
			];
			for (const [method, path, body] of writes) {
				const answer = await ask<Refusal>(sandbox, path, { method, body, token });
				expect([answer.status, typeof answer.body.message]).toEqual([403, 'string']);
			}
			expect(sandbox.state.subscriber(uuid)?.state).toBe('available');
			expect(sandbox.state.subscribers).toHaveLength(25);
		});

		it('shows no token in its log, but shows which ones are equal', async () => {
			const sandbox = await start();
			await ask(sandbox, '/channel');
			await ask(sandbox, '/channel', { token: sandbox.readOnlyToken });
			const log = JSON.stringify(sandbox.state.requests);
			expect(log).not.toContain(sandbox.accessToken);
			const [first, second] = sandbox.state.requests.map((entry) => entry.headers.authorization);
			expect(first).toMatch(/^Bearer \[redacted:/);
			expect(first).not.toBe(second);
		});
	});

	describe('addresses', () => {
		it('serves /api/v1 and /v1 alike', async () => {
			const sandbox = await start();
			const headers = { authorization: `Bearer ${sandbox.accessToken}` };
			const [long, short] = await Promise.all(
				['/api/v1', '/v1'].map(
					async (prefix) => await fetchAnswer(`${sandbox.origin}${prefix}/episodes`, { headers }),
				),
			);
			expect(long?.status).toBe(200);
			expect(long?.text).toBe(short?.text);
			expect(sandbox.stats().byRoute).toEqual({ 'GET /episodes': { 200: 2 } });
		});

		it.each(['/nothing', '/subscribers/x/y', '/', '/invites/1'])(
			'responds to GET %s with 404',
			async (path) => {
				const sandbox = await start();
				const { status, body } = await ask<Refusal>(sandbox, path);
				expect([status, typeof body.message]).toEqual([404, 'string']);
			},
		);

		it('finds nobody with an endless name', async () => {
			const sandbox = await start();
			expect((await ask(sandbox, `/subscribers/${'x'.repeat(3_000)}`)).status).toBe(404);
		});

		it.each(['/subscribers/%zz', '/subscribers/%ff', '/subscribers?page=%zz'])(
			'cannot decode %s: 400',
			async (path) => {
				const sandbox = await start();
				const { status, body } = await ask<Refusal>(sandbox, path);
				expect([status, body.message]).toEqual([400, expect.stringContaining('malformed')]);
				expect(sandbox.stats().byStatus).toEqual({ 400: 1 });
				expect(sandbox.state.requests).toHaveLength(1);
			},
		);
	});

	describe('bodies', () => {
		it.each([
			['invalid JSON', 'application/json', '{"email":'],
			['an invalid form', 'application/x-www-form-urlencoded', 'email=%zz'],
			['plain text', 'text/plain', 'email'],
			['XML', 'application/xml', '<email/>'],
		])('refuses %s with 400', async (_name, type, body) => {
			const sandbox = await start();
			const response = await fetch(`${sandbox.baseUrl}/subscribers`, {
				method: 'POST',
				headers: { authorization: `Bearer ${sandbox.accessToken}`, 'content-type': type },
				body,
			});
			expect(response.status).toBe(400);
			expect(await response.json()).toEqual({
				message: expect.stringContaining('malformed') as string,
			});
		});

		it.each([[[]], ['text'], [{}], [{ subscriber: 'text' }], [{ subscriber: {} }]])(
			'refuses the missing parameters in %j with 422',
			async (body) => {
				const sandbox = await start();
				const response = await fetch(`${sandbox.baseUrl}/subscribers`, {
					method: 'POST',
					headers: {
						authorization: `Bearer ${sandbox.accessToken}`,
						'content-type': 'application/json',
					},
					body: JSON.stringify(body),
				});
				expect(response.status).toBe(422);
				expect(await response.json()).toHaveProperty('message');
			},
		);

		it('deletes with any content type of an empty body', async () => {
			const sandbox = await start();
			const headers = { 'content-type': 'application/json' };
			const [first, second] = sandbox.state.subscribers;
			const bare = await ask(sandbox, `/subscribers/${first?.uuid}`, { method: 'DELETE', headers });
			const empty = { method: 'DELETE', body: {} };
			const braces = await ask(sandbox, `/subscribers/${second?.uuid}`, empty);
			expect([bare.status, braces.status]).toEqual([200, 200]);
		});
	});

	describe('lists', () => {
		const emails = (body: Array<{ email: string }>): string[] => body.map((row) => row.email);

		it('come as bare arrays with the paging headers', async () => {
			const sandbox = await start({ subscribers: 23, perPageMax: 10 });
			const seen: string[] = [];
			for (const [page, length] of [
				[1, 10],
				[2, 10],
				[3, 3],
				[4, 0],
			] as const) {
				const path = `/subscribers?page=${page}&per_page=500`;
				const { headers, body } = await ask<Array<{ email: string }>>(sandbox, path);
				expect(body).toHaveLength(length);
				expect([headers.get('x-page'), headers.get('x-per-page'), headers.get('x-total')]).toEqual([
					String(page),
					'10',
					'23',
				]);
				seen.push(...emails(body));
			}
			expect(seen).toEqual(sandbox.state.subscribers.map((row) => row.email));
		});

		it.each(['0', '-1', 'two', '1.5', ''])('treats the page %j as the first', async (page) => {
			const sandbox = await start();
			const { headers, body } = await ask<unknown[]>(
				sandbox,
				`/subscribers?page=${page}&per_page=2`,
			);
			expect([headers.get('x-page'), body.length]).toEqual(['1', 2]);
		});

		it('come without headers if the setting says so', async () => {
			const sandbox = await start({ headers: false });
			const { headers, body } = await ask<unknown[]>(sandbox, '/subscribers?per_page=5');
			expect(headers.get('x-total')).toBeNull();
			expect(body).toHaveLength(5);
		});

		it.each(['oldest', 'newest', 'unordered'] as const)(
			'are sorted by the setting: %s',
			async (order) => {
				const sandbox = await start({ order, subscribers: 50, perPageMax: 50 });
				const path = '/subscribers?per_page=50';
				const { body } = await ask<Array<{ email: string }>>(sandbox, path);
				const oldest = sandbox.state.subscribers.map((row) => row.email);
				const got = emails(body);
				expect([...got].sort()).toEqual([...oldest].sort());
				if (order === 'oldest') expect(got).toEqual(oldest);
				if (order === 'newest') expect(got).toEqual([...oldest].reverse());
				if (order === 'unordered') {
					expect(got).not.toEqual(oldest);
					expect(got).not.toEqual([...oldest].reverse());
					await ask(sandbox, `/subscribers/${got[10]}`, { method: 'DELETE' });
					const after = emails((await ask<Array<{ email: string }>>(sandbox, path)).body);
					expect(after).toEqual(got.filter((_email, index) => index !== 10));
				}
			},
		);
	});

	describe('idempotency keys', () => {
		const twice = async (honourIdempotencyKey: boolean) => {
			const sandbox = await start({ honourIdempotencyKey });
			const headers = { 'idempotency-key': 'k-1' };
			const body = { email: 'once@example.com' };
			const first = await ask(sandbox, '/subscribers', { body, headers });
			const second = await ask(sandbox, '/subscribers', { body, headers });
			expect(sandbox.state.requests.map((entry) => entry.headers['idempotency-key'])).toEqual([
				'k-1',
				'k-1',
			]);
			expect(sandbox.state.subscribers).toHaveLength(26);
			return [first, second] as const;
		};

		it('are recorded but ignored', async () => {
			const [first, second] = await twice(false);
			expect([first.status, second.status]).toEqual([201, 422]);
		});

		it('are used if the setting says so', async () => {
			const [first, second] = await twice(true);
			expect(second.status).toBe(201);
			expect(second.text).toBe(first.text);
		});
	});
});

describe('resources', () => {
	const start = useSandboxes();

	interface Refusal {
		errors: Record<string, string[]>;
	}

	interface Alert {
		id: number | string;
		created_at: string;
		subscriber: { uuid: string; email: string };
	}

	it.each(LIST_KEYS)('lists all %s', async (key) => {
		const sandbox = await start();
		const path = key.replace(/[A-Z]/g, '_$&').toLowerCase();
		const { body } = await ask<unknown[]>(sandbox, `/${path}`);
		expect(body).toHaveLength(sandbox.state[key].length);
		expect(body.length).toBeGreaterThan(0);
	});

	describe('records with separate lives', () => {
		it.each([
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
			const before = Number((await ask(sandbox, path)).headers.get('x-total'));
			expect((await ask(sandbox, one, { method: 'DELETE' })).status).toBe(200);
			expect(Number((await ask(sandbox, path)).headers.get('x-total'))).toBe(before - 1);
			for (const method of ['GET', 'DELETE']) {
				expect((await ask(sandbox, one, { method })).status).toBe(404);
			}
		});

		it.each([
			['/episodes', { title: '' }, { title: ["can't be blank"] }],
			['/episodes', { title: 'x', language: 'xx' }, { language: ['is not included in the list'] }],
			['/episodes', { title: 'x', explicit: true }, { explicit: ['is invalid'] }],
			['/episodes', { title: 'x', published_at: '31.12.25' }, { published_at: ['is invalid'] }],
			['/episodes', { title: 'x', published_at: '2025-13-41' }, { published_at: ['is invalid'] }],
			['/creators', { first_name: 'x' }, { email: ["can't be blank"] }],
			[
				'/creators',
				{ email: 'a@b.c', password: 'short' },
				{ password: ['is too short (minimum is 6 characters)'] },
			],
			['/roles', { description: 'x' }, { name: ["can't be blank"] }],
			['/questions', { body: 'x' }, { title: ["can't be blank"] }],
		])('POST %s refuses %j', async (path, body, errors) => {
			const sandbox = await start();
			const answer = await ask<Refusal>(sandbox, path, { body });
			expect([answer.status, answer.body.errors]).toEqual([422, errors]);
		});

		it('finds creators by email, and never shows a password', async () => {
			const sandbox = await start();
			const body = { email: 'Who@example.com', password: 'longer-than-six' };
			const made = await ask(sandbox, '/creators', { body });
			expect(made.text).not.toContain('longer');
			expect(JSON.stringify(sandbox.state.requests)).not.toContain('longer');
			const found = await ask(sandbox, '/creators/who%40EXAMPLE.com');
			expect(found.body.uuid).toBe(made.body.uuid);
			expect((await ask(sandbox, '/creators', { body })).status).toBe(422);
		});

		it('has one channel, which can be read and changed', async () => {
			const sandbox = await start();
			const body = { channel: { title: 'Renamed', subdomain: 'stolen' } };
			const changed = await ask(sandbox, '/channel', { method: 'PATCH', body });
			expect(changed.status).toBe(200);
			const { body: channel } = await ask(sandbox, '/channel');
			expect([channel.title, channel.subdomain]).toEqual(['Renamed', 'demo']);
			const wrong = { channel: { website_url: 'javascript:alert(1)' } };
			const refused = await ask(sandbox, '/channel', { method: 'PATCH', body: wrong });
			expect(refused.status).toBe(422);
		});

		it('lists invites and withdraws them; lists questions and asks them', async () => {
			const sandbox = await start();
			expect((await ask<unknown[]>(sandbox, '/invites')).body).toHaveLength(2);
			expect((await ask(sandbox, '/invites/1', { method: 'DELETE' })).status).toBe(200);
			expect((await ask<unknown[]>(sandbox, '/invites')).body).toHaveLength(1);
			const body = { question: { title: 'Why?', body: 'Because.' } };
			expect((await ask(sandbox, '/questions', { body })).status).toBe(201);
			expect((await ask<unknown[]>(sandbox, '/questions')).body.at(-1)).toMatchObject(
				body.question,
			);
		});

		it('puts an episode into the feeds once it has audio and its time has come', async () => {
			const sandbox = await start({ now: () => Date.UTC(2025, 0, 1, 9, 2), episodes: 5 });
			const feed = await fetchAnswer(
				sandbox.state.feedUrl(sandbox.state.subscribers[0]?.uuid ?? '') ?? '',
			);
			expect(feed.text.match(/<item>/g)).toHaveLength(3);
		});
	});

	describe('usage alerts', () => {
		const firstAlert = async (options?: SandboxOptions) => {
			const sandbox = await start(options);
			const { body } = await ask<Alert[]>(sandbox, '/usage_alerts');
			const [alert] = body;
			if (!alert) throw new Error('No alert');
			const act = async (action: string) =>
				await ask(sandbox, `/usage_alerts/${alert.id}/${action}`, { method: 'PATCH' });
			const open = async () =>
				(await ask<Alert[]>(sandbox, '/usage_alerts')).body.map((one) => one.id);
			const again = async () => {
				const { controls } = sandbox;
				return controls
					.addUsageAlerts(sandbox.state.subscribers.length)
					.some((one) => one.subscriber_uuid === alert.subscriber.uuid);
			};
			return { sandbox, alert, act, open, again };
		};

		it('names the subscriber', async () => {
			const { sandbox, alert } = await firstAlert();
			const { uuid, email } = sandbox.state.subscriber(alert.subscriber.email) ?? {};
			expect(alert.subscriber).toEqual({ uuid, email });
			expect(typeof alert.id).toBe('number');
		});

		it('has UUIDs as ids if the setting says so', async () => {
			const { alert, act } = await firstAlert({ ids: 'uuid' });
			expect(alert.id).toMatch(/^[0-9a-f-]{36}$/);
			expect((await act('dismiss')).status).toBe(200);
		});

		it('dismiss: gone this time, but the next one comes', async () => {
			const { alert, act, open, again } = await firstAlert();
			expect((await act('dismiss')).status).toBe(200);
			expect(await open()).not.toContain(alert.id);
			expect((await act('dismiss')).status).toBe(404);
			expect(await again()).toBe(true);
		});

		it('ignore: that subscriber never raises alerts again', async () => {
			const { sandbox, alert, act, open, again } = await firstAlert();
			await act('ignore');
			expect(await open()).not.toContain(alert.id);
			const listener = sandbox.state.subscriber(alert.subscriber.uuid);
			expect([listener?.ignore_usage_alerts, listener?.state]).toEqual([true, 'available']);
			expect(await again()).toBe(false);
		});

		it('suspend: feed closed and billing unlinked', async () => {
			const { sandbox, alert, act, open } = await firstAlert();
			const url = sandbox.state.feedUrl(alert.subscriber.uuid) ?? '';
			expect((await fetchAnswer(url)).status).toBe(200);
			await act('suspend');
			expect(await open()).not.toContain(alert.id);
			expect((await fetchAnswer(url)).status).toBe(403);
			const { body } = await ask(sandbox, `/subscribers/${alert.subscriber.uuid}`);
			expect(body).toMatchObject({ state: 'suspended', plan_id: null, plan_price_cents: null });
		});

		it('accepts no other action', async () => {
			const { act } = await firstAlert();
			expect((await act('delete')).status).toBe(404);
		});
	});
});
