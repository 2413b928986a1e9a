import type { INodeParameters } from 'n8n-workflow';

import type { TestCredentialsHelper } from '../support/credentialsHelper';
import { runSupercast } from '../support/engine';
import { forgetCoordination } from '../support/host';
import { clientCredentials, connected, tokensIn } from '../support/oauth';
import { startHttpServer } from '../support/httpServer';
import { useQuickRuntime } from '../support/quickRuntime';
import { useSandbox } from '../support/sandbox';

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

async function readAll(credential: TestCredentialsHelper) {
	const { error, output } = await runSupercast({
		parameters: GET_SUBSCRIBER,
		credential,
		items: emails(),
	});
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json.email)).toEqual(emails().map(({ email }) => email));
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
		await Promise.all(Array.from({ length: 10 }, async () => await readAll(credential)));
		expect(oauth()).toMatchObject({ issued: { refresh_token: 1 }, refreshReuse: 0 });
	});
});

describe('client credentials', () => {
	it('get one first token for ten executions at the same time', async () => {
		const credential = clientCredentials(sandbox.current);
		await Promise.all(Array.from({ length: 10 }, async () => await readAll(credential)));
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
});

describe('a token endpoint that is down for a moment', () => {
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

	async function readWith(origin: string, onStart?: (stop: () => void) => void) {
		const credential = clientCredentials(sandbox.current, { accessTokenUrl: `${origin}/token` });
		return await runSupercast({
			parameters: { ...GET_SUBSCRIBER, options: { maxWaitSeconds: 0 } },
			credential,
			items: emails().slice(0, 1),
			...(onStart === undefined ? {} : { onStart }),
		});
	}

	it('that hangs gets no more time than any response', async () => {
		const server = await startHttpServer(() => undefined);
		const { error } = await readWith(server.origin);
		expect(error?.message).toContain('did not issue a new token (ETIMEDOUT)');
		await server.close();
	});

	it('that redirects gets no secret, and neither does the target address', async () => {
		const elsewhere = await startHttpServer((_, response) => response.end('{}'));
		let body = '';
		const server = await startHttpServer((request, response) => {
			request.on('data', (chunk) => (body += String(chunk)));
			response.writeHead(307, { location: `${elsewhere.origin}/token` }).end();
		});
		const { error } = await readWith(server.origin);
		expect(error?.message).toContain('redirects to another address');
		expect(server.received).toEqual(['POST /token']);
		expect(elsewhere.received).toEqual([]);
		expect(body).not.toContain(sandbox.current.clientSecret);
		await Promise.all([server.close(), elsewhere.close()]);
	});
});
