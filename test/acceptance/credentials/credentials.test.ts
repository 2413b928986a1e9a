import { CredentialTestContext } from 'n8n-core';
import type { ICredentialsDecrypted, INodeParameters } from 'n8n-workflow';
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import { runSupercast } from '../../harness/engine';
import type { TestCredentialsHelper } from '../../harness/engine/credentialsHelper';
import { Supercast } from '../../../nodes/Supercast/Supercast.node';
import { SupercastTrigger } from '../../../nodes/Supercast/SupercastTrigger.node';
import { hasFailureCauses, isOlderThan } from '../../support/host';
import { clientCredentials, connected, notConnected, tokensIn } from '../../support/oauth';
import { startHttpServer } from '../../support/httpServer';
import { useSandbox } from '../../support/sandbox';

describe('the test of a credential', () => {
	const sandbox = useSandbox();

	/** Tests an access token as the editor does when someone saves the credential. */
	async function tryOut(data: Record<string, string>) {
		const { accessToken, baseUrl } = sandbox.current;
		const credential = { data: { accessToken, baseUrl, ...data } };
		const context = new CredentialTestContext(undefined);
		const { credentialTest } = new Supercast().methods;
		return await credentialTest.testAccessToken.call(
			context,
			credential as unknown as ICredentialsDecrypted,
		);
	}

	it.each([new Supercast(), new SupercastTrigger()])('%p has the test that it names', (node) => {
		const tested = node.description.credentials?.filter(({ testedBy }) => testedBy !== undefined);
		expect(tested?.map(({ name }) => name)).toEqual(['supercastApi']);
		expect(Object.keys(node.methods.credentialTest)).toEqual([tested![0]!.testedBy]);
	});

	it('passes with any token that may read, as it was pasted', async () => {
		const { accessToken, readOnlyToken, baseUrl } = sandbox.current;
		for (const token of [
			accessToken,
			readOnlyToken,
			` ${accessToken}\n`,
			`Bearer ${accessToken}`,
		]) {
			expect(await tryOut({ accessToken: token, baseUrl: `${baseUrl}/` })).toMatchObject({
				status: 'OK',
			});
		}
	});

	it('passes with an address that goes on with a collection of the API', async () => {
		const tried = await tryOut({ baseUrl: `${sandbox.current.baseUrl}/subscribers/17` });
		expect(tried.status).toBe('OK');
	});

	it.each([
		['no server', () => 'http://127.0.0.1:9/api/v1', /connection was refused\. .*'Base URL'/],
		[
			'no such host',
			() => 'https://supercast.invalid/api/v1',
			/could not be reached.*server.*'Base URL'/,
		],
		['no https://', () => 'supercast.tech/api/v1', /Start it with https:/],
		['no encryption', () => 'http://supercast.tech/api/v1', /not secure/],
		['no version', () => sandbox.current.origin, /has no version\. Add \/api\/v1/],
		[
			'more after the version',
			() => `${sandbox.current.baseUrl}/members`,
			/goes on after the version\. Remove \/members from its end/,
		],
		[
			'the address of a page',
			() => `${sandbox.current.origin}/settings/api`,
			/has no version\. It is probably the address of a page\. Enter http:\/\/127\.0\.0\.1:\d+\/api\/v1/,
		],
		[
			'another path',
			() => `${sandbox.current.origin}/api/v9`,
			/does not point to the Supercast API/,
		],
	])('says in sentences that the Base URL has %s', async (_, baseUrl, words) => {
		const { status, message } = await tryOut({ baseUrl: baseUrl() });
		expect(status).toBe('Error');
		expect(message).toMatch(words);
		expect(message).not.toMatch(/ENOTFOUND|ECONNREFUSED|EAI_AGAIN/);
	});

	it('says in a sentence that a token is wrong, without showing it', async () => {
		const { status, message } = await tryOut({ accessToken: 'a-token-that-nobody-made' });
		expect(status).toBe('Error');
		expect(message).toContain('does not recognize this access token');
		expect(message).not.toContain('a-token-that-nobody-made');
	});

	describe('against another server', () => {
		let server: Server;
		let answer: RequestListener;
		beforeAll(async () => {
			server = createServer((...args) => answer(...args));
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		});
		afterAll(() => server.close());

		const page: RequestListener = (_, response) => response.end('<!doctype html><title>Hi</title>');
		const sends =
			(status: number, headers = {}): RequestListener =>
			(_, response) =>
				response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}');

		it.each<[string, RequestListener]>([
			['a web page', page],
			['a redirect', sends(302, { location: 'https://example.com/login' })],
			['404', sends(404)],
		])('%s at an address without a version: the version is missing', async (_, listener) => {
			answer = listener;
			const { port } = server.address() as AddressInfo;
			const { message } = await tryOut({ baseUrl: `http://127.0.0.1:${port}/` });
			expect(message).toMatch(/has no version\. Add \/api\/v1/);
		});

		it.each<[string, RequestListener, RegExp]>([
			['a web page', page, /does not point to the Supercast API/],
			[
				'a redirect',
				sends(302, { location: 'https://example.com' }),
				/redirects to another address/,
			],
			[
				'a page of a protection',
				(_, response) => response.end('<html><title>Just a moment...</title>'),
				/protection against bots, such as Cloudflare, responded/,
			],
			['407', sends(407), /a proxy requires a login.*HTTPS_PROXY/],
			[
				'502 of a proxy',
				(_, response) => response.writeHead(502).end('<html>Bad Gateway'),
				/gateway or proxy got no response from Supercast.*If your n8n uses a proxy/,
			],
			['429', sends(429), /limit of 100 requests per minute was reached/],
			['403', sends(403), /not for this channel/],
			['503', sends(503), /could not process the request.*\(status 503\)/],
			['nothing', (request) => request.destroy(), /connection to Supercast was interrupted/],
		])('%s is explained in a sentence', async (_, listener, words) => {
			answer = listener;
			const { port } = server.address() as AddressInfo;
			const { status, message } = await tryOut({ baseUrl: `http://127.0.0.1:${port}/api/v1` });
			expect(status).toBe('Error');
			expect(message).toMatch(words);
		});

		it('a response that repeats the token is explained without it', async () => {
			answer = ({ headers }, response) => {
				const body = JSON.stringify({ message: `Malformed: ${headers.authorization}` });
				response.writeHead(422, { 'content-type': 'application/json' }).end(body);
			};
			const { port } = server.address() as AddressInfo;
			const accessToken = 'a-token-that-nobody-made';
			const baseUrl = `http://127.0.0.1:${port}/api/v1`;
			const { message } = await tryOut({ accessToken, baseUrl });
			expect(message).toContain('Supercast says: "Malformed: Bearer [redacted]"');
		});
	});
});

describe('a token that Supercast refuses', () => {
	const sandbox = useSandbox();

	const DELETE: INodeParameters = {
		authentication: 'oAuth2',
		resource: 'subscriber',
		operation: 'delete',
		subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		options: { maxWaitSeconds: 0 },
	};

	function emails(count: number) {
		return sandbox.current.state.subscribers.slice(0, count).map(({ email }) => ({ email }));
	}

	function secretsOf(credential: TestCredentialsHelper): string[] {
		const { access_token: access = '', refresh_token: refresh = '' } = tokensIn(credential);
		const { clientSecret } = credential.stored;
		return [String(clientSecret), access, refresh].filter((secret) => secret !== '');
	}

	async function failWith(credential: TestCredentialsHelper): Promise<string> {
		const before = secretsOf(credential);
		const items = emails(1);
		const { error, output, run } = await runSupercast({ parameters: DELETE, credential, items });
		expect(output).toEqual([]);
		expect(sandbox.current.state.subscriber(items[0]!.email)).toBeDefined();
		const everythingStored = JSON.stringify(run) + String(error?.stack);
		for (const secret of [...before, ...secretsOf(credential)]) {
			expect(everythingStored).not.toContain(secret);
		}
		return `${error?.message}\n${error?.description}`;
	}

	async function expired(more: object = {}): Promise<TestCredentialsHelper> {
		const credential = await connected(sandbox.current, { ...more });
		sandbox.current.controls.expireTokens();
		return credential;
	}

	function breakTokenEndpoint(fault: { kind: 'status' | 'reset' | 'html'; status?: number }): void {
		sandbox.current.controls.addFaults([{ ...fault, path: '/oauth/token', times: 9 }]);
	}

	describe('a connection that was authorized', () => {
		it('reports that nobody has authorized it yet', async () => {
			const text = await failWith(notConnected(sandbox.current));
			expect(text).toContain('is not connected yet');
			expect(text).toContain("select 'Connect'");
			expect(sandbox.current.stats().requests).toBe(0);
		});

		it('reports that the owner has revoked it, and how to connect again', async () => {
			const credential = await connected(sandbox.current);
			sandbox.current.controls.revokeTokens('oauth');
			const text = await failWith(credential);
			expect(text).toContain(
				'no longer valid: it was revoked, or its refresh token was already used',
			);
			expect(text).toContain('reconnect the credential');
			const { error } = await runSupercast({ parameters: DELETE, credential, items: emails(1) });
			if (hasFailureCauses())
				expect(error).toMatchObject({ failure: { cause: 'credential-invalid' } });
		});

		// n8n 1 renews a token only after a 401.
		it.each(isOlderThan(2, 20) ? [401] : [400, 401, 403])(
			'is renewed after an expired token, whether the API says so with %d',
			async (status) => {
				let before = '';
				const passOn = async (request: IncomingMessage, response: ServerResponse) => {
					if (request.headers.authorization === `Bearer ${before}`) {
						response.writeHead(status, { 'content-type': 'application/json' });
						return void response.end('{ "error": "invalid_token" }');
					}
					const url = `${sandbox.current.origin}${request.url}`;
					const { authorization = '' } = request.headers;
					const answer = await fetch(url, { method: request.method, headers: { authorization } });
					response.writeHead(answer.status, { 'content-type': 'application/json' });
					response.end(await answer.text());
				};
				const proxy = await startHttpServer((...args) => void passOn(...args));
				const baseUrl = `${proxy.origin}${new URL(sandbox.current.baseUrl).pathname}`;
				const credential = await connected(sandbox.current, { baseUrl });
				before = tokensIn(credential).access_token ?? '';
				const [item] = emails(1);
				const parameters = { ...DELETE, operation: 'get' };
				const { error, output } = await runSupercast({ parameters, credential, items: [item!] });
				await proxy.close();
				expect([error, output[0]?.json.email]).toEqual([undefined, item!.email]);
				expect(tokensIn(credential).access_token).not.toBe(before);
			},
		);

		it('reports that the token endpoint sent an error with the status 200', async () => {
			const endpoint = await startHttpServer((_, response) => {
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end('{ "error": "invalid_grant" }');
			});
			const credential = await expired({ accessTokenUrl: `${endpoint.origin}/oauth/token` });
			const text = await failWith(credential);
			await endpoint.close();
			expect(text).toContain("Supercast's token endpoint sent no new token");
			expect(text).not.toContain('same host');
			expect(text).toContain("with 'Connect' or 'Switch account'");
		});

		it('reports that its refresh token was used elsewhere, and sends it only once for all items', async () => {
			const credential = await expired();
			const { refresh_token: refreshToken = '' } = tokensIn(credential);
			const { clientId, clientSecret, accessTokenUrl } = sandbox.current;
			const grant = { grant_type: 'refresh_token', refresh_token: refreshToken };
			const body = new URLSearchParams({
				...grant,
				client_id: clientId,
				client_secret: clientSecret,
			});
			expect((await fetch(accessTokenUrl, { method: 'POST', body })).status).toBe(200);
			const { output } = await runSupercast({
				parameters: DELETE,
				credential,
				items: emails(10),
				onError: 'continueRegularOutput',
			});
			expect(output).toHaveLength(10);
			for (const { json } of output) expect(json.error).toContain('reconnect the credential');
			expect(sandbox.current.state.oauth.refreshReuse).toBe(1);
		});

		it('reports that there is no refresh token', async () => {
			const credential = await expired();
			const oauthTokenData = { access_token: tokensIn(credential).access_token!, scope: 'public' };
			await credential.updateCredentialsOauthTokenData({}, '', { oauthTokenData });
			expect(await failWith(credential)).toContain('n8n has no token');
		});

		it('reports a refused client secret at a renewal', async () => {
			const text = await failWith(await expired({ clientSecret: 'a-secret-that-is-wrong' }));
			expect(text).toContain('rejected the Client ID and Client Secret');
		});

		it('names the missing scope', async () => {
			const text = await failWith(await connected(sandbox.current, { scope: 'public' }));
			expect(text).toContain("does not have the scope 'write'");
			expect(text).toContain(`enter "public write" in 'Scope' in the credential`);
		});

		it.each([
			['out of order', { kind: 'status', status: 503 }, '(status 503)'],
			['unreachable', { kind: 'reset' }, '(ECONNRESET)'],
		] as const)('reports that the token endpoint is %s', async (_, fault, words) => {
			const credential = await expired();
			breakTokenEndpoint(fault);
			const text = await failWith(credential);
			expect(text).toContain(`did not issue a new token ${words}`);
			expect(text).toContain('Try again later');
		});

		it('requests a token again if the response with it was cut off', async () => {
			const credential = await expired();
			// The first of the two requests may only check the address.
			const fault = { kind: 'truncated', status: 200, path: '/oauth/token', times: 2 } as const;
			sandbox.current.controls.addFaults([fault]);
			const parameters = { ...DELETE, options: { maxWaitSeconds: 20 } };
			const [item] = emails(1);
			const { error } = await runSupercast({ parameters, credential, items: [item!] });
			expect(error).toBeUndefined();
			expect(sandbox.current.state.subscriber(item!.email)).toBeUndefined();
		});
	});

	describe('client credentials', () => {
		type Fields = Record<string, string>;

		it.each<[string, () => Fields, string]>([
			['a wrong secret', () => ({ clientSecret: 'a-secret-that-is-wrong' }), 'and Client Secret'],
			['a wrong id', () => ({ clientId: 'an-id-that-is-wrong' }), 'the Client ID'],
			['no secret', () => ({ clientSecret: '' }), 'and Client Secret'],
			[
				'an unknown scope',
				() => ({ scope: 'public everything' }),
				"does not recognize the 'Scope'",
			],
			[
				'a wrong path of the token endpoint',
				() => ({ accessTokenUrl: `${sandbox.current.origin}/oauth/tokens` }),
				"'Access Token URL' does not point to Supercast's token endpoint",
			],
			[
				'the address of a web page',
				() => ({ accessTokenUrl: `${sandbox.current.origin}/oauth/authorize` }),
				"'Access Token URL' does not point to Supercast's token endpoint",
			],
			[
				'no address at all',
				() => ({ accessTokenUrl: 'supercast' }),
				"The credential's 'Access Token URL' is not a web address",
			],
			[
				'plain http to another host',
				() => ({ accessTokenUrl: 'http://supercast.tech/oauth/token' }),
				'The client secret would travel unencrypted',
			],
			[
				'a Base URL of nobody',
				() => ({ baseUrl: 'http://127.0.0.1:9/api/v1' }),
				"Check 'Base URL' in the credential",
			],
			[
				'a token endpoint of nobody',
				() => ({ accessTokenUrl: 'http://127.0.0.1:9/oauth/token' }),
				"Check 'Access Token URL' in the credential",
			],
		])('says what to correct for %s', async (_, fields, words) => {
			expect(await failWith(clientCredentials(sandbox.current, fields()))).toContain(words);
		});

		it('reports that the API refuses even a new token', async () => {
			sandbox.current.controls.addFaults([
				{ kind: 'status', status: 401, path: '/sub', times: 99 },
			]);
			const text = await failWith(clientCredentials(sandbox.current));
			expect(text).toContain('rejected the new token of this connection');
			expect(text).not.toContain('paste');
		});
	});
});
