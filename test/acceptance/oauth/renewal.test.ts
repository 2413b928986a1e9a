import type { INodeParameters } from 'n8n-workflow';
import type { ServerResponse } from 'node:http';

import { type RunResult, runSupercast } from '../../harness/engine';
import { TestCredentialsHelper } from '../../harness/engine/credentialsHelper';
import { runtime } from '../../../nodes/Supercast/api/clock';
import { forgetCoordination, isOlderThan } from '../../support/host';
import { type HttpServer, startHttpServer } from '../../support/httpServer';
import { clientCredentials, connected, tokensIn } from '../../support/oauth';
import { fastClock, useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';
import { useHttpSupercast } from '../../doubles/httpSupercast';

describe('the renewal of a token', () => {
	const sandbox = useSandbox({ latencyMs: 5 });

	const GET_SUBSCRIBER: INodeParameters = {
		authentication: 'oAuth2',
		resource: 'subscriber',
		operation: 'get',
		subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
	};

	function emails() {
		return sandbox.current.state.subscribers.slice(0, 20).map(({ email }) => ({ email }));
	}

	async function readAll(credential: TestCredentialsHelper, count = 20) {
		const items = emails().slice(0, count);
		const { error, output } = await runSupercast({
			parameters: GET_SUBSCRIBER,
			credential,
			items,
		});
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.email)).toEqual(items.map(({ email }) => email));
	}

	function oauth() {
		return sandbox.current.state.oauth;
	}

	describe.each([
		['this n8n', () => undefined],
		['an n8n that does not coordinate renewals', forgetCoordination],
	])('in %s, a connection that the owner has authorized', (_, prepare) => {
		beforeEach(prepare);
		afterEach(() => jest.restoreAllMocks());

		it('is used unchanged while its token is valid', async () => {
			const credential = await connected(sandbox.current);
			await readAll(credential);
			expect(oauth().issued).toEqual({ authorization_code: 1 });
		});

		it('is renewed once when it expires while twenty items run', async () => {
			const credential = await connected(sandbox.current);
			const before = tokensIn(credential);
			sandbox.current.controls.expireTokens();
			await readAll(credential);
			expect(oauth()).toMatchObject({ issued: { refresh_token: 1 }, refreshReuse: 0 });
			expect(tokensIn(credential).refresh_token).not.toBe(before.refresh_token);
			sandbox.current.controls.expireTokens();
			await readAll(credential);
			expect(oauth()).toMatchObject({ issued: { refresh_token: 2 }, refreshReuse: 0 });
		});

		it('is renewed once for ten executions at the same time', async () => {
			const credential = await connected(sandbox.current);
			sandbox.current.controls.expireTokens();
			await Promise.all(Array.from({ length: 10 }, async () => await readAll(credential, 4)));
			expect(oauth()).toMatchObject({ issued: { refresh_token: 1 }, refreshReuse: 0 });
		});
	});

	describe('client credentials', () => {
		it('get one first token for ten executions at the same time', async () => {
			const credential = clientCredentials(sandbox.current);
			await Promise.all(Array.from({ length: 10 }, async () => await readAll(credential, 4)));
			expect(oauth().issued).toEqual({ client_credentials: 1 });
			expect(tokensIn(credential).access_token).toEqual(expect.any(String));
		});

		it('get one new token when theirs expires', async () => {
			const credential = clientCredentials(sandbox.current);
			await readAll(credential);
			sandbox.current.controls.expireTokens();
			await Promise.all([readAll(credential), readAll(credential)]);
			expect(oauth().issued).toEqual({ client_credentials: 2 });
		});

		it('request the scope in the credential', async () => {
			const credential = clientCredentials(sandbox.current, { scope: 'public' });
			await readAll(credential);
			expect(tokensIn(credential).scope).toBe('public');
		});
	});

	describe('a superapp', () => {
		it('names its channel in every request', async () => {
			const { superappClientId: clientId, superappClientSecret: clientSecret } = sandbox.current;
			const application = { clientId, clientSecret, subdomain: ' demo ' };
			await readAll(clientCredentials(sandbox.current, application));
			const { error } = await runSupercast({
				parameters: GET_SUBSCRIBER,
				credential: clientCredentials(sandbox.current, { ...application, subdomain: '' }),
				items: emails(),
			});
			expect(error?.message).toContain("subdomain can't be blank");
		});

		it.each([
			'Demo',
			'demo.supercast.tech',
			'https://demo.supercast.tech/',
			'HTTPS://DEMO.SUPERCAST.TECH',
		])('may name its channel as %s', async (subdomain) => {
			const { superappClientId: clientId, superappClientSecret: clientSecret } = sandbox.current;
			const application = { clientId, clientSecret, subdomain };
			await readAll(clientCredentials(sandbox.current, application));
		});

		it.each([
			['another', 'Also check \'Subdomain\' in the credential. The owner of the channel "another"'],
			['My Channel', "Correct 'Subdomain' in the credential."],
		])('is told that the field is wrong: %s', async (subdomain, words) => {
			const { superappClientId: clientId, superappClientSecret: clientSecret } = sandbox.current;
			const application = { clientId, clientSecret, subdomain };
			const { error } = await runSupercast({
				parameters: GET_SUBSCRIBER,
				credential: clientCredentials(sandbox.current, application),
				items: emails(),
			});
			expect(error?.description).toContain(words);
		});
	});

	describe('a token endpoint that is down for a moment', () => {
		useQuickRuntime({ backoffMs: 2 });

		it.each([
			['answers 503', { kind: 'status', status: 503 }],
			['answers 429', { kind: 'status', status: 429 }],
			['answers 408', { kind: 'status', status: 408 }],
			['breaks the connection', { kind: 'reset', when: 'before' }],
		] as const)('loses nothing and does nothing twice when it %s', async (_, fault) => {
			const credential = clientCredentials(sandbox.current);
			sandbox.current.controls.addFaults([{ ...fault, path: '/oauth/token', times: 1 }]);
			const { error, output } = await runSupercast({
				parameters: {
					authentication: 'oAuth2',
					resource: 'episode',
					operation: 'create',
					title: 'New',
				},
				credential,
			});
			expect(error).toBeUndefined();
			expect(output).toHaveLength(1);
			const { episodes } = sandbox.current.state;
			expect(episodes.filter(({ title }) => title === 'New')).toHaveLength(1);
		});
	});

	describe('an unusual token endpoint', () => {
		useQuickRuntime({ timeoutMs: 200, backoffMs: 2 });

		async function readWith(
			origin: string,
			{
				onStart,
				timeoutMs = 200,
			}: { onStart?: (stop: () => void) => void; timeoutMs?: number } = {},
			maxWaitSeconds = 0,
		) {
			runtime.timeoutMs = timeoutMs;
			const credential = clientCredentials(sandbox.current, { accessTokenUrl: `${origin}/token` });
			return await runSupercast({
				parameters: { ...GET_SUBSCRIBER, options: { maxWaitSeconds } },
				credential,
				items: emails().slice(0, 1),
				onStart,
			});
		}

		it('that hangs gets no more time than any response', async () => {
			const server = await startHttpServer(() => undefined);
			const { error } = await readWith(server.origin);
			expect(error?.message).toContain('did not issue a new token (ETIMEDOUT)');
			await server.close();
		});

		/** A token endpoint that answers in this way first, and redirects from then on. */
		async function redirecting(first?: (response: ServerResponse) => unknown) {
			const elsewhere = await startHttpServer((_, response) => response.end('{}'));
			let body = '';
			let answered = first === undefined;
			const server = await startHttpServer((request, response) => {
				request.on('data', (chunk) => (body += String(chunk)));
				request.on('end', () => {
					if (!answered && first !== undefined) {
						answered = true;
						first(response);
					} else response.writeHead(307, { location: `${elsewhere.origin}/token` }).end();
				});
			});
			const { error } = await readWith(server.origin, {}, 2);
			expect(elsewhere.received).toEqual([]);
			expect(body).not.toContain(sandbox.current.clientSecret);
			await Promise.all([server.close(), elsewhere.close()]);
			return { error, received: server.received };
		}

		it('that redirects gets no secret, and neither does the target address', async () => {
			const { error, received } = await redirecting();
			expect(error?.message).toContain('redirects to another address');
			expect(received).toEqual(['POST /token']);
		});

		it.each<[string, (response: ServerResponse) => unknown]>([
			['breaks the connection', (response) => response.destroy()],
			...[403, 404, 408, 410, 418, 429, 500, 503].map(
				(status): [string, (response: ServerResponse) => unknown] => [
					`answers ${status}`,
					(response) => response.writeHead(status).end(),
				],
			),
		])('that redirects after it %s gets no secret either', async (_, first) => {
			const { error, received } = await redirecting(first);
			expect(error?.message).toContain('redirects to another address');
			expect(received).toEqual(['POST /token', 'POST /token']);
		});

		it.each([403, 404, 410, 418])('that always answers %d is named', async (status) => {
			const server = await startHttpServer((_, response) => response.writeHead(status).end());
			const { error } = await readWith(server.origin);
			expect(error?.message).toContain("does not point to Supercast's token endpoint");
			// Older versions do not tell nodes the status of a token endpoint.
			if (!isOlderThan(2, 39)) expect(error?.message).toContain(`(status ${status})`);
			await server.close();
		});

		it('that hangs does not hold up executions of other credentials', async () => {
			const server = await startHttpServer(() => undefined);
			jest.replaceProperty(runtime, 'clock', fastClock(20));
			let stop = (): void => undefined;
			const onStart = (cancel: () => void): void => void (stop = cancel);
			const hanging = readWith(server.origin, { onStart, timeoutMs: 1_200_000 });
			while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
			await readAll(clientCredentials(sandbox.current));
			stop();
			await hanging;
			await server.close();
			jest.restoreAllMocks();
		});

		it('gets no request after the execution was stopped', async () => {
			let stop: (() => void) | undefined;
			const server = await startHttpServer((_, response) => {
				stop?.();
				setTimeout(() => response.writeHead(400).end(), 50);
			});
			await readWith(server.origin, { onStart: (cancel) => (stop = cancel) });
			await new Promise((resolve) => setTimeout(resolve, 150));
			expect(server.received).toEqual(['POST /token']);
			await server.close();
		});
	});
});

describe('the first token', () => {
	const test = useHttpSupercast();

	/** A token endpoint that answers requests for tokens only when told to. */
	let endpoint: HttpServer;
	let tokens: ServerResponse[];
	let isHolding: boolean;
	/** Settles once someone has asked for a token. */
	let asked: Promise<void>;

	function answer(response: ServerResponse): void {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end('{ "access_token": "t-1", "token_type": "bearer", "expires_in": 7200 }');
	}

	beforeEach(async () => {
		[tokens, isHolding] = [[], true];
		let tell = (): void => undefined;
		asked = new Promise((resolve) => (tell = resolve));
		endpoint = await startHttpServer((request, response) => {
			let body = '';
			request.on('data', (chunk) => (body += String(chunk)));
			request.on('end', () => {
				// The node first checks, without secrets, that the endpoint does not redirect.
				if (!body.includes('client_secret')) return void response.writeHead(400).end();
				tokens.push(response);
				tell();
				if (!isHolding) answer(response);
			});
		});
	});
	afterEach(async () => await endpoint.close());

	const items = Array.from({ length: 10 }, (_, number) => ({ email: `m${number}@example.com` }));

	/** Reads ten subscribers with a credential that has no token yet. */
	async function readAll(
		credential: TestCredentialsHelper,
		onStart?: (stop: () => void) => void,
	): Promise<RunResult> {
		const parameters = {
			...{ authentication: 'oAuth2', resource: 'subscriber', operation: 'get' },
			subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		};
		return await runSupercast({ parameters, credential, items, onStart });
	}

	it('an execution that waits for it can be stopped, and ten items of another one need no second token', async () => {
		for (const { email } of items) test.current.add({ email });
		const data = { grantType: 'clientCredentials', clientId: 'c', clientSecret: 's' };
		const credential = new TestCredentialsHelper(
			{
				...data,
				accessTokenUrl: `${endpoint.origin}/token`,
				baseUrl: test.credential.baseUrl,
				requestsPerMinute: 0,
			},
			'first-token',
		);
		let stop = (): void => undefined;
		const stopped = readAll(credential, (cancel) => (stop = cancel));
		await asked;
		const waiting = readAll(credential);
		await new Promise((resolve) => setTimeout(resolve, 30));
		stop();
		await stopped;
		isHolding = false;
		for (const response of tokens) answer(response);
		const { output, error } = await waiting;
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.email)).toEqual(items.map(({ email }) => email));
		expect(tokens).toHaveLength(1);
	});
});
