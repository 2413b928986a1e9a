import type { Sandbox } from '../../../simulators/supercast';
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

const start = useSandboxes();

async function startWithClock(): Promise<{ clock: { now: number }; sandbox: Sandbox }> {
	const clock = { now: Date.UTC(2026, 0, 1) };
	return { clock, sandbox: await start({ now: () => clock.now }) };
}

describe('the authorize page', () => {
	const open = async (sandbox: Sandbox, more?: Record<string, string>, headers = {}) =>
		await fetchAnswer(`${sandbox.authUrl}?${form(parametersOf(sandbox, more))}`, { headers });

	it('asks for a login, then for consent', async () => {
		const sandbox = await start();
		expect((await open(sandbox)).text).toContain('Log in');
		expect((await open(sandbox, {}, await logIn(sandbox))).text).toContain('value="authorize"');
		const decided = form({ ...parametersOf(sandbox), decision: 'authorize' });
		expect((await fetchAnswer(sandbox.authUrl, { body: decided })).status).toBe(401);
	});

	it('returns code and state, or that access was denied', async () => {
		const sandbox = await start();
		const { location } = await decide(sandbox, 'authorize');
		expect(`${location.origin}${location.pathname}`).toBe(CALLBACK);
		expect(location.searchParams.get('state')).toBe('st/ate=1');
		expect(location.searchParams.get('code')).toBeTruthy();
		const denied = (await decide(sandbox, 'deny')).location.searchParams;
		expect([denied.get('error'), denied.get('code')]).toEqual(['access_denied', null]);
	});

	it.each([
		[{ redirect_uri: 'https://evil.example/rest/oauth2-credential/callback' }, 400, null],
		[{ redirect_uri: '' }, 400, null],
		[{ client_id: 'nobody' }, 400, null],
		[{ scope: 'public admin' }, 303, 'invalid_scope'],
		[{ response_type: 'token' }, 303, 'unsupported_response_type'],
	])('refuses %j', async (more, status, error) => {
		const answer = await open(await start(), more);
		const location = answer.headers.get('location');
		const sent = location === null ? null : new URL(location).searchParams.get('error');
		expect([answer.status, sent]).toEqual([status, error]);
	});
});

describe('the authorization code', () => {
	it('becomes tokens as specified, which expire after two hours', async () => {
		const { clock, sandbox } = await startWithClock();
		const { status, body } = await connect(sandbox, { scope: 'public+write' });
		expect([status, body]).toEqual([
			200,
			{
				access_token: expect.any(String),
				token_type: 'Bearer',
				expires_in: 7_200,
				refresh_token: expect.any(String),
				scope: 'public write',
				created_at: clock.now / 1_000,
			},
		]);
		clock.now += 7_199_000;
		expect(await works(sandbox, body.access_token)).toBe(200);
		clock.now += 1_000;
		expect(await works(sandbox, body.access_token)).toBe(401);
		expect(await works(sandbox, sandbox.accessToken)).toBe(200);
	});

	it('can be used once, and a second use revokes the tokens of the first', async () => {
		const sandbox = await start();
		const code = (await decide(sandbox, 'authorize')).location.searchParams.get('code') ?? '';
		const fields = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code };
		const first = await request(sandbox, fields);
		expect(await works(sandbox, first.body.access_token)).toBe(200);
		const second = await request(sandbox, fields);
		expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
		expect(await works(sandbox, first.body.access_token)).toBe(401);
	});

	it.each(['public', ''])('grants only reading for the scope "%s"', async (scope) => {
		const sandbox = await start();
		const { body } = await connect(sandbox, { scope });
		expect([body.scope, await works(sandbox, body.access_token)]).toEqual(['public', 200]);
		const write = { token: body.access_token, body: { email: 'x@example.com' } };
		expect((await ask(sandbox, '/subscribers', write)).status).toBe(403);
	});
});

describe('refreshing', () => {
	it('renews an expired token and returns a new refresh token each time', async () => {
		const { clock, sandbox } = await startWithClock();
		let { body } = await connect(sandbox);
		for (let round = 0; round < 3; round++) {
			clock.now += 7_200_000;
			const next = await refresh(sandbox, body.refresh_token);
			expect(next.body).toMatchObject({ scope: 'public write', expires_in: 7_200 });
			expect(next.body.refresh_token).not.toBe(body.refresh_token);
			expect(await works(sandbox, body.access_token)).toBe(401);
			expect(await works(sandbox, next.body.access_token)).toBe(200);
			body = next.body;
		}
		expect(sandbox.state.oauth).toMatchObject({
			issued: { authorization_code: 1, refresh_token: 3 },
			refreshReuse: 0,
		});
	});

	it('revokes the whole family when a used token comes again, and no other', async () => {
		const sandbox = await start();
		const first = (await connect(sandbox)).body;
		const other = (await connect(sandbox)).body;
		const second = (await refresh(sandbox, first.refresh_token)).body;
		const reused = await refresh(sandbox, first.refresh_token);
		expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
		expect(await works(sandbox, second.access_token)).toBe(401);
		expect((await refresh(sandbox, second.refresh_token)).body.error).toBe('invalid_grant');
		expect((await refresh(sandbox, other.refresh_token)).status).toBe(200);
		expect(sandbox.state.oauth).toMatchObject({ refreshReuse: 1, familiesRevoked: 1 });
	});

	it('counts two at the same time as one use and one reuse', async () => {
		const sandbox = await start();
		const { refresh_token: token } = (await connect(sandbox)).body;
		const answers = await Promise.all([refresh(sandbox, token), refresh(sandbox, token)]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
		expect(sandbox.state.oauth.refreshReuse).toBe(1);
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
		[{ grant_type: 'magic' }, 400, 'unsupported_grant_type'],
		[{ scope: 'admin' }, 400, 'invalid_scope'],
	])('refuse %j', async (wrong, status, error) => {
		const answer = await request(await start(), { ...grant, ...wrong });
		expect([answer.status, answer.body.error]).toEqual([status, error]);
	});

	it('must be fields of a form: not HTTP Basic, JSON or a query', async () => {
		const sandbox = await start();
		const { clientId, clientSecret, accessTokenUrl } = sandbox;
		const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
		const headers = { authorization: basic };
		const fields = { ...grant, client_id: clientId, client_secret: clientSecret };
		const answers = [
			await fetchAnswer(accessTokenUrl, { body: form(grant), headers }),
			await fetchAnswer(accessTokenUrl, { body: fields }),
			await fetchAnswer(`${accessTokenUrl}?${form(fields)}`, { body: form(grant) }),
		];
		expect(answers.map(({ status }) => status)).toEqual([401, 400, 401]);
	});

	it('of a superapp name the channel on each request', async () => {
		const sandbox = await start();
		const { superappClientId, superappClientSecret } = sandbox;
		const own = { client_id: superappClientId, client_secret: superappClientSecret };
		const { body } = await request(sandbox, { ...grant, ...own });
		const status = async (query: string) =>
			(await ask(sandbox, `/channel${query}`, { token: body.access_token })).status;
		expect(await status('')).toBe(422);
		expect(await status('?subdomain=elsewhere')).toBe(403);
		expect(await status('?subdomain=demo')).toBe(200);
	});
});
