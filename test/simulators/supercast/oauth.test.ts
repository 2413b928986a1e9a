import type { Sandbox, SandboxOptions } from '../../../simulators/supercast';
import { ask, fetchAnswer, useSandboxes } from './helpers';
import {
	CALLBACK,
	connect,
	decide,
	form,
	logIn,
	parametersOf,
	refresh,
	request,
	works,
} from './oauthHelpers';

describe('the authorize page', () => {
	const start = useSandboxes();

	const open = async (sandbox: Sandbox, more?: Record<string, string>, cookie = {}) =>
		await fetchAnswer(`${sandbox.authUrl}?${form(parametersOf(sandbox, more))}`, {
			headers: cookie,
		});

	it('asks for a login, then for consent', async () => {
		const sandbox = await start();
		const before = await open(sandbox);
		expect([before.status, before.text]).toEqual([200, expect.stringContaining('Log in')]);
		expect(before.text).toContain(sandbox.owner.password);
		const after = await open(sandbox, {}, await logIn(sandbox));
		expect(after.text).toContain('value="authorize"');
		expect(after.text).not.toContain('name="password"');
	});

	it('rejects a wrong password, and a decision without a session', async () => {
		const sandbox = await start();
		const body = form({ email: sandbox.owner.email, password: 'wrong' });
		const login = await fetchAnswer(`${sandbox.origin}/oauth/login`, { body });
		expect([login.status, login.headers.get('set-cookie')]).toEqual([401, null]);
		const decided = form({ ...parametersOf(sandbox), decision: 'authorize' });
		const answer = await fetchAnswer(sandbox.authUrl, { body: decided });
		expect([answer.status, answer.headers.get('location')]).toEqual([401, null]);
	});

	it('returns code and state, or that access was denied', async () => {
		const sandbox = await start();
		const yes = await decide(sandbox, 'authorize');
		expect(`${yes.location.origin}${yes.location.pathname}`).toBe(CALLBACK);
		expect(yes.location.searchParams.get('state')).toBe('st/ate=1');
		expect(yes.location.searchParams.get('code')).toMatch(/^[0-9a-f]{43}$/);
		const no = await decide(sandbox, 'deny');
		expect(no.location.searchParams.get('error')).toBe('access_denied');
		expect(no.location.searchParams.get('state')).toBe('st/ate=1');
		expect(no.location.searchParams.get('code')).toBeNull();
	});

	it.each([
		'https://evil.example/rest/oauth2-credential/callback',
		'http://127.0.0.1:5678/rest/oauth2-credential/callback/x',
		'http://127.0.0.1.evil.example/rest/oauth2-credential/callback',
		'http://127.0.0.1:5678/elsewhere',
		'',
	])('never redirects to %j', async (uri) => {
		const sandbox = await start();
		for (const answer of [
			await open(sandbox, { redirect_uri: uri }),
			(await decide(sandbox, 'authorize', { redirect_uri: uri })).answer,
		]) {
			expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
		}
	});

	it('accepts only registered addresses that are exactly equal', async () => {
		const uri = 'https://n8n.example/rest/oauth2-credential/callback';
		const sandbox = await start({ redirectUris: [uri] });
		const cookie = await logIn(sandbox);
		expect((await open(sandbox, { redirect_uri: uri }, cookie)).status).toBe(200);
		expect((await open(sandbox, { redirect_uri: `${uri}/` }, cookie)).status).toBe(400);
		expect((await open(sandbox, { redirect_uri: CALLBACK }, cookie)).status).toBe(400);
	});

	it.each([
		[{ client_id: 'nobody' }, 400, null],
		[{ scope: 'public admin' }, 303, 'invalid_scope'],
		[{ response_type: 'token' }, 303, 'unsupported_response_type'],
	])('refuses %j', async (more, status, error) => {
		const sandbox = await start();
		const answer = await open(sandbox, more);
		const location = answer.headers.get('location');
		const sent = location === null ? null : new URL(location).searchParams.get('error');
		expect([answer.status, sent]).toEqual([status, error]);
	});
});

describe('tokens', () => {
	const start = useSandboxes();

	describe('the authorization code', () => {
		it('becomes tokens as specified', async () => {
			const now = Date.UTC(2026, 0, 1);
			const sandbox = await start({ now: () => now });
			const { status, body } = await connect(sandbox, { scope: 'public+write' });
			expect(status).toBe(200);
			expect(body).toEqual({
				access_token: expect.any(String) as string,
				token_type: 'Bearer',
				expires_in: 7_200,
				refresh_token: expect.any(String) as string,
				scope: 'public write',
				created_at: now / 1_000,
			});
			const made = { body: { email: 'x@example.com' }, token: body.access_token };
			expect((await ask(sandbox, '/subscribers', made)).status).toBe(201);
		});

		it('can be used once, and a second use revokes the tokens of the first', async () => {
			const sandbox = await start();
			const { location } = await decide(sandbox, 'authorize');
			const code = location.searchParams.get('code') ?? '';
			const fields = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code };
			const first = await request(sandbox, fields);
			expect(await works(sandbox, first.body.access_token)).toBe(200);
			const second = await request(sandbox, fields);
			expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
			expect(await works(sandbox, first.body.access_token)).toBe(401);
		});

		it('is bound to its redirect address, and expires', async () => {
			const clock = { now: Date.now() };
			const sandbox = await start({ now: () => clock.now });
			for (const [redirect, wait] of [
				['http://localhost:1/rest/oauth2-credential/callback', 0],
				[CALLBACK, 600_000],
			] as const) {
				const { location } = await decide(sandbox, 'authorize');
				clock.now += wait;
				const code = location.searchParams.get('code') ?? '';
				const fields = { grant_type: 'authorization_code', redirect_uri: redirect, code };
				const { status, body } = await request(sandbox, fields);
				expect([status, body.access_token]).toEqual([400, undefined]);
			}
		});

		it('grants only the requested scope, and public (read-only) by default', async () => {
			const sandbox = await start();
			for (const scope of ['public', '']) {
				const { body } = await connect(sandbox, { scope });
				expect(body.scope).toBe('public');
				expect(await works(sandbox, body.access_token)).toBe(200);
				const write = { token: body.access_token, body: { email: 'x@example.com' } };
				expect((await ask(sandbox, '/subscribers', write)).status).toBe(403);
			}
		});
	});

	describe('refreshing', () => {
		const withClock = async (options: SandboxOptions = {}) => {
			const clock = { now: Date.now() };
			const sandbox = await start({ now: () => clock.now, tokenTtlS: 5, ...options });
			return { clock, sandbox };
		};

		it('renews an expired token and returns a new refresh token each time', async () => {
			const { clock, sandbox } = await withClock();
			let { body } = await connect(sandbox);
			for (let round = 0; round < 3; round++) {
				clock.now += 5_000;
				const expired = await ask(sandbox, '/channel', { token: body.access_token });
				expect([expired.status, expired.body.message]).toEqual([401, 'The access token expired']);
				const next = await refresh(sandbox, body.refresh_token);
				expect(next.status).toBe(200);
				expect(next.body).toMatchObject({ scope: 'public write', expires_in: 5 });
				expect(next.body.refresh_token).not.toBe(body.refresh_token);
				expect(await works(sandbox, next.body.access_token)).toBe(200);
				body = next.body;
			}
			expect(sandbox.state.oauth).toMatchObject({
				issued: { authorization_code: 1, refresh_token: 3 },
				refreshReuse: 0,
			});
			expect(sandbox.stats().byRoute['POST /oauth/token']).toEqual({ 200: 4 });
		});

		it('revokes the whole family when a used token comes again, and no other', async () => {
			const { sandbox } = await withClock();
			const first = (await connect(sandbox)).body;
			const other = (await connect(sandbox)).body;
			const second = (await refresh(sandbox, first.refresh_token)).body;
			expect(await works(sandbox, second.access_token)).toBe(200);
			const reused = await refresh(sandbox, first.refresh_token);
			expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
			expect(await works(sandbox, second.access_token)).toBe(401);
			expect((await refresh(sandbox, second.refresh_token)).body.error).toBe('invalid_grant');
			expect(await works(sandbox, other.access_token)).toBe(200);
			expect((await refresh(sandbox, other.refresh_token)).status).toBe(200);
			expect(sandbox.state.oauth).toMatchObject({ refreshReuse: 1, familiesRevoked: 1 });
		});

		it('counts two at the same time as one use and one reuse', async () => {
			const { sandbox } = await withClock();
			const { body } = await connect(sandbox);
			const answers = await Promise.all([
				refresh(sandbox, body.refresh_token),
				refresh(sandbox, body.refresh_token),
			]);
			expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
			expect(sandbox.state.oauth.refreshReuse).toBe(1);
		});

		it('expires OAuth tokens on demand, but never the manual one', async () => {
			const { sandbox } = await withClock();
			const { body } = await connect(sandbox);
			const answer = await fetchAnswer(`${sandbox.origin}/_sandbox/expire-tokens`, {
				method: 'POST',
			});
			expect([answer.status, answer.body]).toEqual([200, { expired: 1 }]);
			expect(await works(sandbox, body.access_token)).toBe(401);
			expect(await works(sandbox, sandbox.accessToken)).toBe(200);
			expect((await refresh(sandbox, body.refresh_token)).status).toBe(200);
		});
	});

	describe('client credentials', () => {
		const grant = { grant_type: 'client_credentials' };

		it('bring no refresh token', async () => {
			const sandbox = await start();
			const { body } = await request(sandbox, { ...grant, scope: 'public write' });
			expect(body).toMatchObject({ token_type: 'Bearer', scope: 'public write' });
			expect(body).not.toHaveProperty('refresh_token');
			expect(await works(sandbox, body.access_token)).toBe(200);
		});

		it.each([
			[{ client_secret: 'wrong' }, 401, 'invalid_client'],
			[{ client_id: 'nobody' }, 401, 'invalid_client'],
			[{ client_secret: '' }, 401, 'invalid_client'],
			[{ grant_type: 'password' }, 400, 'unauthorized_client'],
			[{ grant_type: 'magic' }, 400, 'unsupported_grant_type'],
			[{ grant_type: '' }, 400, 'invalid_request'],
			[{ scope: 'admin' }, 400, 'invalid_scope'],
		])('refuse %j', async (wrong, status, error) => {
			const sandbox = await start();
			const answer = await request(sandbox, { ...grant, ...wrong });
			expect([answer.status, answer.body.error]).toEqual([status, error]);
			expect(answer.body.access_token).toBeUndefined();
			expect(sandbox.stats().byStatus).toEqual({ [status]: 1 });
		});

		it('must be fields of a form: not HTTP Basic, JSON or a query', async () => {
			const sandbox = await start();
			const { clientId, clientSecret, accessTokenUrl } = sandbox;
			const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
			const withBasic = await fetchAnswer(accessTokenUrl, {
				body: form(grant),
				headers: { authorization: basic },
			});
			expect(withBasic.status).toBe(401);
			expect((await request(sandbox, grant, { authorization: basic })).status).toBe(401);
			const fields = { ...grant, client_id: clientId, client_secret: clientSecret };
			expect((await fetchAnswer(accessTokenUrl, { body: fields })).status).toBe(400);
			const query = await fetchAnswer(`${accessTokenUrl}?${form(fields)}`, { body: form(grant) });
			expect(query.status).toBe(401);
			const twice = `${form(fields)}&client_id=${clientId}`;
			expect((await fetchAnswer(accessTokenUrl, { body: twice })).status).toBe(400);
		});

		it('leave no secret in the log', async () => {
			const sandbox = await start();
			const { body } = await connect(sandbox);
			await refresh(sandbox, body.refresh_token);
			const log = JSON.stringify(sandbox.state.requests);
			for (const secret of [sandbox.clientSecret, body.refresh_token, body.access_token]) {
				expect(log).not.toContain(secret);
			}
			expect(sandbox.state.requests.at(-1)).toMatchObject({
				route: 'POST /oauth/token',
				status: 200,
				body: { grant_type: 'refresh_token', client_id: sandbox.clientId },
			});
		});
	});

	describe('a superapp', () => {
		it('names the channel on each request', async () => {
			const sandbox = await start();
			const { body } = await request(sandbox, {
				grant_type: 'client_credentials',
				client_id: sandbox.superappClientId,
				client_secret: sandbox.superappClientSecret,
			});
			const status = async (query: string) =>
				(await ask(sandbox, `/channel${query}`, { token: body.access_token })).status;
			expect(await status('')).toBe(422);
			expect(await status('?subdomain=elsewhere')).toBe(403);
			expect(await status('?subdomain=demo')).toBe(200);
			expect(sandbox.state.requests.at(-1)?.query).toEqual({ subdomain: 'demo' });
			expect((await ask(sandbox, '/channel?subdomain=any')).status).toBe(200);
		});
	});
});
