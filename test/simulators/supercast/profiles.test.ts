import {
	PROFILES,
	type ProfileName,
	type Sandbox,
	type SandboxOptions,
} from '../../../simulators/supercast';
import { readFlags } from '../../../simulators/supercast/flags';
import { ask, fetchAnswer, useSandboxes } from './helpers';

describe('profiles and states', () => {
	const start = useSandboxes();
	const names = Object.keys(PROFILES) as ProfileName[];

	const control = async (sandbox: Sandbox, path: string, body: unknown) =>
		await fetchAnswer(`${sandbox.origin}/_sandbox${path}`, { body });

	describe('profiles', () => {
		it.each(names)('%s: every setting has its value from the start', async (profile) => {
			const sandbox = await start({ profile });
			expect(sandbox.settings).toMatchObject(PROFILES[profile]);
			expect(readFlags(['--profile', profile])).toEqual({ profile });
		});

		it('are overridden by settings beside them', async () => {
			const sandbox = await start({ profile: 'hostile', order: 'oldest' });
			expect(sandbox.settings).toMatchObject({ order: 'oldest', perPageMax: 7 });
		});

		it('can be set while the sandbox runs, and replace one another as a whole', async () => {
			const sandbox = await start({ profile: 'hostile', rateLimit: 0 });
			await control(sandbox, '/settings', { profile: 'rails', rateLimit: 7 });
			const fresh = await start({ profile: 'rails', rateLimit: 7 });
			expect(sandbox.settings).toEqual(fresh.settings);
			await control(sandbox, '/settings', { wrapLists: 'none' });
			expect(sandbox.settings).toEqual({ ...fresh.settings, wrapLists: 'none' });
		});

		it('can still be named by their former word', async () => {
			expect(readFlags(['--personality', 'strict'])).toEqual({ profile: 'strict' });
			const sandbox = await start();
			await control(sandbox, '/settings', { personality: 'strict' });
			expect(sandbox.settings).toMatchObject(PROFILES.strict);
		});

		it('renumber the records with the next reset', async () => {
			const sandbox = await start();
			await control(sandbox, '/settings', { profile: 'strict' });
			expect(sandbox.state.roles[0]?.id).toBe(1);
			await control(sandbox, '/reset', {});
			expect(sandbox.state.roles[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
		});

		it.each([
			[['--profile', 'kind'], /--profile is invalid/],
			[['--created-status', '202'], /--created-status is invalid/],
			[['--wrap-lists', 'twice'], /--wrap-lists is invalid/],
		])('refuse %j', (args, problem) => {
			expect(() => readFlags(args)).toThrow(problem);
		});

		it('refuse settings that do not exist', async () => {
			const sandbox = await start();
			for (const body of [{ profile: 'kind' }, { dates: 'Chinese' }, { createdStatus: 202 }]) {
				expect((await control(sandbox, '/settings', body)).status).toBe(422);
			}
		});
	});

	describe('states that the API cannot write', () => {
		it.each([
			['charge_failure', 'suspended', 1],
			['pending', 'inactive', 0],
		])('%s: the feed is closed', async (state, feed, addresses) => {
			const sandbox = await start();
			const { uuid = '', email } = sandbox.state.subscribers[0] ?? {};
			const url = sandbox.state.feedUrl(uuid) ?? '';
			expect((await fetchAnswer(url)).status).toBe(200);
			const changed = await control(sandbox, '/states', { subscriber: email, state });
			expect(changed.body).toEqual({ uuid, state });
			const { body } = await ask<{ state: string; subscriptions: unknown[]; feed_url: unknown[] }>(
				sandbox,
				`/subscribers/${uuid}`,
			);
			expect([body.state, body.subscriptions.length, body.feed_url.length]).toEqual([
				state,
				addresses,
				addresses,
			]);
			expect((await ask(sandbox, `/feeds/${uuid}`)).body.state).toBe(feed);
			expect((await fetchAnswer(url)).status).toBe(403);
		});

		it('are refused for unknown subscribers and unknown states', async () => {
			const sandbox = await start();
			const { uuid } = sandbox.state.subscribers[0] ?? {};
			const nobody = { subscriber: 'nobody', state: 'pending' };
			expect((await control(sandbox, '/states', nobody)).status).toBe(404);
			const wrong = { subscriber: uuid, state: 'happy' };
			expect((await control(sandbox, '/states', wrong)).status).toBe(422);
		});
	});
});

describe('look-ups', () => {
	const start = useSandboxes();

	describe('emails', () => {
		const look = async (options: SandboxOptions, asked: string): Promise<number> => {
			const sandbox = await start(options);
			await ask(sandbox, '/subscribers', { body: { email: 'Ann@Example.com' } });
			return (await ask(sandbox, `/subscribers/${asked}`)).status;
		};

		it.each([
			[{}, 'ANN@example.com', 200],
			[{ emailLookup: 'exact' }, 'ANN@example.com', 404],
			[{ emailLookup: 'exact' }, 'Ann@Example.com', 200],
			[{ storedEmails: 'lowered', emailLookup: 'exact' }, 'Ann@Example.com', 404],
			[{ storedEmails: 'lowered', emailLookup: 'exact' }, 'ann@example.com', 200],
		] as const)('with %j, %s answers %i', async (options, asked, status) => {
			expect(await look(options, asked)).toBe(status);
		});
	});

	describe('errors', () => {
		const contents = async (options: SandboxOptions): Promise<string[]> => {
			const sandbox = await start(options);
			const answers = [
				await ask(sandbox, '/nowhere'),
				await ask(sandbox, '/subscribers/nobody@example.com'),
				await ask(sandbox, '/channel', { token: 'none' }),
			];
			expect(answers.map(({ status }) => status)).toEqual([404, 404, 401]);
			return answers.map(({ headers }) => headers.get('content-type')?.split(';')[0] ?? '');
		};
		const [json, html] = ['application/json', 'text/html'];

		it.each([
			['never', [json, json, json]],
			['unknownAddress', [html, json, json]],
			['notFound', [html, html, json]],
			['always', [html, html, html]],
		] as const)('are web pages if the setting says so: %s', async (webPages, expected) => {
			expect(await contents({ webPages })).toEqual(expected);
		});

		it.each([
			['message', { message: expect.any(String), errors: { email: ["can't be blank"] } }],
			['error', { error: expect.stringContaining("Email can't be blank") }],
			['fields', { email: ["can't be blank"] }],
		] as const)('have a body as the setting says: %s', async (errorBody, expected) => {
			const sandbox = await start({ errorBody });
			const { body } = await ask(sandbox, '/subscribers', { body: { first_name: 'x' } });
			expect(body).toEqual(expected);
		});
	});

	describe('addresses', () => {
		it('without /api are unknown if the setting says so', async () => {
			const sandbox = await start({ shortPath: false });
			const headers = { authorization: `Bearer ${sandbox.accessToken}` };
			expect((await fetchAnswer(`${sandbox.origin}/v1/channel`, { headers })).status).toBe(404);
			expect((await fetchAnswer(`${sandbox.origin}/api/v1/channel`, { headers })).status).toBe(200);
		});

		it.each([
			[true, 200],
			[false, 404],
		])('say what a token may do: %s', async (tokenInfo, status) => {
			const sandbox = await start({ tokenInfo });
			const headers = { authorization: `Bearer ${sandbox.readOnlyToken}` };
			const answer = await fetchAnswer(`${sandbox.origin}/oauth/token/info`, { headers });
			expect(answer.status).toBe(status);
			if (tokenInfo) expect(answer.body.scope).toEqual(['public']);
		});
	});
});

describe('single differences', () => {
	const start = useSandboxes();

	const EMAIL = 'new@example.com';
	const create = { body: { subscriber: { email: EMAIL, customer_id: 'c-1' } } };

	describe('records and lists', () => {
		it.each([
			['none', (body: unknown) => body],
			['name', (body: { episodes: unknown }) => body.episodes],
			['data', (body: { data: unknown }) => body.data],
		] as const)('lists are wrapped as the setting says: %s', async (wrapLists, unwrap) => {
			const sandbox = await start({ wrapLists });
			const { body } = await ask(sandbox, '/episodes');
			expect(unwrap(body as never)).toHaveLength(12);
		});

		it('wraps every element if the setting says so', async () => {
			const sandbox = await start({ wrapLists: 'each' });
			const { body } = await ask<Array<{ role: unknown }>>(sandbox, '/roles');
			expect(body.map(Object.keys)).toEqual([['role'], ['role'], ['role']]);
		});

		it('wraps a record in its own name if the setting says so, in every response', async () => {
			const sandbox = await start({ wrapRecords: 'name' });
			const made = await ask(sandbox, '/subscribers', create);
			const feed = { method: 'PATCH', body: { feed_token: { state: 'suspended' } } };
			const bodies = [
				[made.body, 'subscriber'],
				[(await ask(sandbox, `/subscribers/${EMAIL}`)).body, 'subscriber'],
				[(await ask(sandbox, '/channel')).body, 'channel'],
				[(await ask(sandbox, `/feeds/${EMAIL}`, feed)).body, 'feed'],
				[(await ask(sandbox, '/usage_alerts/1/dismiss', { method: 'PATCH' })).body, 'usage_alert'],
			];
			for (const [body, name] of bodies) expect(Object.keys(body as object)).toEqual([name]);
		});

		it.each([
			['utc', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
			['offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-05:00$/],
			['unix', /^\d{10}$/],
		] as const)('writes times as the setting says: %s', async (dates, form) => {
			const sandbox = await start({ dates });
			const [episode] = (await ask<Array<{ created_at: unknown }>>(sandbox, '/episodes')).body;
			expect(String(episode?.created_at)).toMatch(form);
			const stored = Date.parse(sandbox.state.episodes[0]?.created_at ?? '');
			const { created_at: shown } = episode ?? {};
			expect(typeof shown === 'number' ? shown * 1_000 : Date.parse(String(shown))).toBe(stored);
		});

		it.each([
			['number', 1],
			['text', '1'],
		] as const)('numbers records as the setting says: %s', async (ids, id) => {
			const sandbox = await start({ ids });
			expect((await ask(sandbox, '/episodes/1')).body.id).toBe(id);
		});

		it.each([
			['list', [expect.stringContaining('/feeds/')]],
			['text', expect.stringContaining('/feeds/')],
			['absent', undefined],
		] as const)(
			'has the deprecated feed_url as the setting says: %s',
			async (feedUrl, expected) => {
				const sandbox = await start({ feedUrl });
				const { body } = await ask(sandbox, '/subscribers', create);
				expect(body.feed_url).toEqual(expected);
			},
		);

		it('leaves out what the reference calls "All in only" if the setting says so', async () => {
			const sandbox = await start({ allInFields: false });
			const { text } = await ask(sandbox, `/subscribers/${sandbox.state.subscribers[0]?.uuid}`);
			expect(text).not.toMatch(/time_zone|plan_price/);
			expect(text).toContain('plan_id');
			expect((await ask(sandbox, '/channel')).body.time_zone).toBe('UTC');
		});
	});

	describe('what Supercast makes of odd values', () => {
		it('stores and finds an email in its normal form if the setting says so', async () => {
			const sandbox = await start({ storedEmails: 'normalized' });
			const given = 'Jose\u0301@b\u00fccher.example';
			const made = await ask(sandbox, '/subscribers', { body: { subscriber: { email: given } } });
			expect(made.body.email).toBe('Jos\u00e9@xn--bcher-kva.example');
			const found = await ask(sandbox, `/subscribers/${encodeURIComponent(given)}`);
			expect(found.body.uuid).toBe(made.body.uuid);
			const again = await ask(sandbox, '/subscribers', { body: { subscriber: { email: given } } });
			expect(again.status).toBe(422);
		});

		it.each([
			['given', 'Ann '],
			['trimmed', 'Ann'],
		] as const)('stores names as the setting says: %s', async (storedNames, expected) => {
			const sandbox = await start({ storedNames });
			const body = { subscriber: { email: EMAIL, first_name: 'Ann ' } };
			expect((await ask(sandbox, '/subscribers', { body })).body.first_name).toBe(expected);
		});

		it('names the time by its own clock, or not at all', async () => {
			const now = (): number => Date.UTC(2026, 0, 1);
			const sandbox = await start({ now });
			const date = async (path: string) => (await ask(sandbox, path)).headers.get('date');
			const expected = new Date(now()).toUTCString();
			expect([await date('/channel'), await date('/nothing')]).toEqual([expected, expected]);
			sandbox.controls.changeSettings({ dateHeader: false });
			expect(await date('/channel')).toBeNull();
		});
	});

	describe('pages', () => {
		const names = async (headers: SandboxOptions['headers']): Promise<string[]> => {
			const sandbox = await start({ headers });
			const answer = await ask(sandbox, '/episodes?per_page=5');
			return [...answer.headers.keys()].filter((name) => /page|total|link/.test(name)).sort();
		};

		it.each([
			['x', ['x-page', 'x-per-page', 'x-total']],
			['plain', ['link', 'page', 'per-page', 'total']],
			['total', ['x-total']],
			['none', []],
		] as const)('have headers as the setting says: %s', async (headers, expected) => {
			expect(await names(headers)).toEqual(expected);
		});

		it('refuse a size that is too large if the setting says so', async () => {
			const sandbox = await start({ perPageMax: 10, perPageTooLarge: 'reject' });
			expect((await ask(sandbox, '/subscribers?per_page=10')).status).toBe(200);
			expect((await ask(sandbox, '/subscribers?per_page=11')).status).toBe(422);
			expect((await ask<unknown[]>(sandbox, '/subscribers')).body).toHaveLength(10);
		});
	});

	describe('writes', () => {
		it.each([
			[{}, 201, 200],
			[{ createdStatus: 200 }, 200, 200],
			[{ createdStatus: 204, changedStatus: 204 }, 204, 204],
		] as const)('get responses as the setting says: %j', async (options, created, changed) => {
			const sandbox = await start(options);
			const made = await ask(sandbox, '/subscribers', create);
			const path = `/subscribers/${EMAIL}`;
			const change = await ask(sandbox, path, { method: 'PATCH', body: { first_name: 'A' } });
			const gone = await ask(sandbox, path, { method: 'DELETE' });
			expect([made.status, change.status, gone.status]).toEqual([created, changed, changed]);
			for (const { status, text } of [made, change, gone]) expect(text === '').toBe(status === 204);
			expect(sandbox.state.subscriber(EMAIL)).toBeUndefined();
		});

		it('have no body if the setting says so, while reads have one', async () => {
			const sandbox = await start({ writeBodies: false });
			expect(await ask(sandbox, '/subscribers', create)).toMatchObject({ status: 201, text: '' });
			expect((await ask(sandbox, `/subscribers/${EMAIL}`)).body.email).toBe(EMAIL);
		});

		it('show after a while if the setting says so, in lists, by name and on the feed', async () => {
			let now = Date.UTC(2026, 0, 1);
			const sandbox = await start({ visibleAfterMs: 2_000, now: () => now });
			await ask(sandbox, '/subscribers', create);
			const seen = async () => [
				(await ask(sandbox, `/subscribers/${EMAIL}`)).status,
				(await ask(sandbox, `/feeds/${EMAIL}`)).status,
				(await ask(sandbox, '/subscribers')).headers.get('x-total'),
			];
			expect(await seen()).toEqual([404, 404, '25']);
			// The writer sees it: the same email is already taken.
			expect((await ask(sandbox, '/subscribers', create)).status).toBe(422);
			now += 2_000;
			expect(await seen()).toEqual([200, 200, '26']);
		});

		it('can be deleted before they show', async () => {
			const sandbox = await start({ visibleAfterMs: 60_000 });
			await ask(sandbox, '/subscribers', create);
			const gone = await ask(sandbox, `/subscribers/${EMAIL}`, { method: 'DELETE' });
			expect([gone.status, sandbox.state.subscribers.length]).toEqual([200, 25]);
		});

		it('of a known email are a conflict if the setting says so', async () => {
			const sandbox = await start({ onExistingEmail: 'conflict' });
			const body = { email: sandbox.state.subscribers[0]?.email };
			expect((await ask(sandbox, '/subscribers', { body })).status).toBe(409);
		});

		it.each([
			['new', false],
			['same', true],
		] as const)('of a deleted subscriber follow the setting: %s', async (recreated, isSame) => {
			const sandbox = await start({ recreated });
			const first = await ask(sandbox, '/subscribers', create);
			const feed = sandbox.state.feedUrl(EMAIL);
			await ask(sandbox, `/subscribers/${EMAIL}`, { method: 'DELETE' });
			expect((await fetchAnswer(feed ?? '')).status).toBe(403);
			const second = await ask(sandbox, '/subscribers', create);
			expect(second.body.uuid === first.body.uuid).toBe(isSame);
			expect((await fetchAnswer(feed ?? '')).status).toBe(isSame ? 200 : 403);
		});

		it('keep a deleted subscriber as deactivated if the setting says so', async () => {
			const sandbox = await start({ deleted: 'kept' });
			await ask(sandbox, '/subscribers', create);
			await ask(sandbox, `/subscribers/${EMAIL}`, { method: 'DELETE' });
			expect((await ask(sandbox, `/subscribers/${EMAIL}`)).body.state).toBe('deactivated');
		});

		it('refuse flat bodies and unknown fields if the setting says so', async () => {
			const sandbox = await start({ flatBodies: 'reject', unknownFields: 'reject' });
			const status = async (body: unknown) => (await ask(sandbox, '/subscribers', { body })).status;
			expect(await status({ email: EMAIL })).toBe(422);
			expect(await status({ subscriber: { email: EMAIL, shoe_size: 42 } })).toBe(422);
			expect(await status({ subscriber: { email: EMAIL } })).toBe(201);
		});

		it('cannot create questions if the setting says so', async () => {
			const sandbox = await start({ createQuestions: false });
			expect((await ask(sandbox, '/questions', { body: { title: 'Why?' } })).status).toBe(404);
			expect((await ask<unknown[]>(sandbox, '/questions')).body).toHaveLength(4);
		});
	});
});
