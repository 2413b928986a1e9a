import type { IncomingMessage, ServerResponse } from 'node:http';

import { runSupercast, type RunResult } from '../../harness/engine';
import { renewCredentialId, TestCredentialsHelper } from '../../harness/engine/credentialsHelper';
import { isDeep } from '../../support/deep';
import { type HttpServer, readBody, startHttpServer } from '../../support/httpServer';
import { useQuickRuntime } from '../../support/quickRuntime';

describe('before n8n renews a token', () => {
	useQuickRuntime({ backoffMs: 1 });

	const REFRESH_TOKEN = 'the-refresh-token';
	const CLIENT_SECRET = 'the-client-secret';

	/** What the token endpoint answers to a request without secrets, and from when on to all. */
	interface Endpoint {
		status: number;
		location?: string;
		/** From this renewal on, it redirects every request. */
		redirectsFrom?: number;
	}

	let endpoints = 0;
	let server: HttpServer;
	let elsewhere: HttpServer;
	let endpoint: Endpoint;
	/** How many tokens it has issued. The API accepts only the latest, and only once. */
	let issued: number;
	let isExpired: boolean;
	/** The bodies of all requests to addresses to which the endpoint redirects. */
	let redirected: string[];

	beforeEach(async () => {
		[issued, isExpired, redirected, endpoint] = [0, true, [], { status: 400 }];
		elsewhere = await startHttpServer((request, response) => void keep(request, response));
		server = await startHttpServer((request, response) => void answer(request, response));
	});
	afterEach(async () => await Promise.all([server.close(), elsewhere.close()]));

	async function keep(request: IncomingMessage, response: ServerResponse): Promise<void> {
		redirected.push(await readBody(request));
		response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
	}

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { url = '' } = request;
		if (url.startsWith('/elsewhere')) return await keep(request, response);
		if (url.startsWith('/api')) return answerApi(response);
		const body = await readBody(request);
		const { status, location, redirectsFrom = 1 } = endpoint;
		if (location !== undefined && issued + 1 >= redirectsFrom) {
			return void response.writeHead(status, { location }).end();
		}
		if (!body.includes(CLIENT_SECRET)) {
			return void response.writeHead(location === undefined ? status : 400).end();
		}
		issued += 1;
		isExpired = false;
		const tokens = { access_token: `t-${issued}`, refresh_token: REFRESH_TOKEN };
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ ...tokens, token_type: 'bearer', expires_in: 7200 }));
	}

	function answerApi(response: ServerResponse): void {
		response.writeHead(isExpired ? 401 : 200, { 'content-type': 'application/json' });
		response.end('{ "email": "ann@example.com" }');
	}

	/** A credential that no other test has used, because those of one channel are all asked for it. */
	function connected(grantType = 'authorizationCode'): TestCredentialsHelper {
		renewCredentialId();
		const { origin } = server;
		const tokens = { access_token: 't-0', refresh_token: REFRESH_TOKEN, token_type: 'bearer' };
		return new TestCredentialsHelper({
			baseUrl: `${origin}/api/v1`,
			accessTokenUrl: `${origin}/token/${++endpoints}`,
			clientId: 'the-client',
			clientSecret: CLIENT_SECRET,
			grantType,
			oauthTokenData: grantType === 'authorizationCode' ? tokens : {},
			requestsPerMinute: 0,
		});
	}

	/** Reads a subscriber with an expired token. */
	async function renew(credential: TestCredentialsHelper): Promise<RunResult['error']> {
		isExpired = true;
		const subscriber = { __rl: true, mode: 'email', value: 'ann@example.com' };
		const options = { maxWaitSeconds: 1 };
		const read = { authentication: 'oAuth2', resource: 'subscriber', operation: 'get', subscriber };
		return (await runSupercast({ parameters: { ...read, options }, credential })).error;
	}

	/** For all others, see the unit tests. */
	const STATUSES = [204, 301, 307, 400, 401, 403, 404, 405, 410, 411, 415, 418, 422, 429, 500, 503];

	it.each(STATUSES)(
		'an endpoint that answers %d to a request without secrets still renews it',
		async (status) => {
			endpoint = { status };
			expect(await renew(connected())).toBeUndefined();
			expect(await renew(connected('clientCredentials'))).toBeUndefined();
			expect(issued).toBe(2);
		},
	);

	const REDIRECTS = [301, 302, 303, 304, 305, 306, 307, 308];

	const RENEWALS = isDeep ? [1, 2, 10] : [1, 2];

	it.each(REDIRECTS.flatMap((status) => RENEWALS.map((renewal) => [status, renewal] as const)))(
		'no secret follows a redirect with %d that begins before renewal number %d',
		async (status, renewal) => {
			for (const origin of [elsewhere.origin, server.origin]) {
				issued = 0;
				endpoint = { status, location: `${origin}/elsewhere`, redirectsFrom: renewal };
				const credential = connected();
				for (let count = 1; count < renewal; count++)
					expect(await renew(credential)).toBeUndefined();
				const error = await renew(credential);
				expect(error?.message).toContain("'Access Token URL' redirects to another address");
				expect(issued).toBe(renewal - 1);
				expect(redirected).toEqual([]);
			}
		},
	);
});
