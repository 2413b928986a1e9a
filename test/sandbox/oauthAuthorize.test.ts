import type { Sandbox } from '../../sandbox';
import { fetchAnswer, useSandboxes } from './helpers';
import { CALLBACK, decide, form, logIn, parametersOf } from './oauthHelpers';

const start = useSandboxes();

describe('the authorize page', () => {
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
