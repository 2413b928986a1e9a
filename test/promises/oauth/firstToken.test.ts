import type { ServerResponse } from 'node:http';

import { TestCredentialsHelper } from '../../../harness/engine/credentialsHelper';
import { runSupercast, type RunResult } from '../../../harness/engine';
import { startHttpServer, type HttpServer } from '../../support/httpServer';
import { useStrangeService } from '../../support/strangeService';

const test = useStrangeService();

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
			if (!body.includes('grant_type')) return void response.writeHead(400).end();
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

it('one that waits for the first token stops when told to, and ten items of another need no second token', async () => {
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
