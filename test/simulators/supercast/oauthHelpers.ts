import type { Sandbox } from '../../../simulators/supercast';
import { ask, fetchAnswer, type Answer } from './helpers';

export const CALLBACK = 'http://127.0.0.1:5678/rest/oauth2-credential/callback';

export interface Tokens {
	access_token: string;
	refresh_token: string;
	error?: string;
	[field: string]: unknown;
}

export const form = (fields: Record<string, string>): string =>
	new URLSearchParams(fields).toString();

export const request = async (
	sandbox: Sandbox,
	fields: Record<string, string>,
	headers?: Record<string, string>,
): Promise<Answer<Tokens>> => {
	const { clientId, clientSecret } = sandbox;
	const body = form({ client_id: clientId, client_secret: clientSecret, ...fields });
	return await fetchAnswer<Tokens>(sandbox.accessTokenUrl, { body, headers });
};

/** Logs in as the owner and returns the session's cookie. */
export async function logIn(sandbox: Sandbox): Promise<Record<string, string>> {
	const body = form({ ...sandbox.owner, query: '' });
	const { status, headers } = await fetchAnswer(`${sandbox.origin}/oauth/login`, { body });
	expect(status).toBe(303);
	return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
}

export const parametersOf = (sandbox: Sandbox, more: Record<string, string> = {}) => ({
	client_id: sandbox.clientId,
	redirect_uri: CALLBACK,
	response_type: 'code',
	scope: 'public write',
	state: 'st/ate=1',
	...more,
});

/** Does what a browser does: logs in, consents or denies, and follows back to the application. */
export async function decide(sandbox: Sandbox, decision: string, more?: Record<string, string>) {
	const headers = await logIn(sandbox);
	const body = form({ ...parametersOf(sandbox, more), decision });
	const answer = await fetchAnswer(sandbox.authUrl, { body, headers });
	return { answer, location: new URL(answer.headers.get('location') ?? 'about:blank') };
}

export async function connect(
	sandbox: Sandbox,
	more?: Record<string, string>,
): Promise<Answer<Tokens>> {
	const { location } = await decide(sandbox, 'authorize', more);
	const code = location.searchParams.get('code') ?? '';
	return await request(sandbox, { grant_type: 'authorization_code', redirect_uri: CALLBACK, code });
}

export const refresh = async (sandbox: Sandbox, token: string): Promise<Answer<Tokens>> =>
	await request(sandbox, { grant_type: 'refresh_token', refresh_token: token });

export const works = async (sandbox: Sandbox, token: string): Promise<number> =>
	(await ask(sandbox, '/channel', { token })).status;
