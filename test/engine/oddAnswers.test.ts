import type { ServerResponse } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../support/engine';
import { startHttpServer, type HttpServer } from '../support/httpServer';
import { clientCredentials } from '../support/oauth';
import { useQuickRuntime } from '../support/quickRuntime';
import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox();
useQuickRuntime({ backoffMs: 2, timeoutMs: 150, visibleMs: 10, lateMs: 20 });

const TOKEN = 'a-token-that-nobody-may-see';
const EMAIL = 'ann@example.com';
const ann = { uuid: 'u-1', email: EMAIL };

let server: HttpServer | undefined;
afterEach(async () => await server?.close());

async function serve(answer: Parameters<typeof startHttpServer>[0]): Promise<HttpServer> {
	server = await startHttpServer(answer);
	return server;
}

const json = (response: ServerResponse, status: number, body: unknown): unknown =>
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

function operation(name: string, more: INodeParameters = {}): INodeParameters {
	const subscriber = { __rl: true, mode: 'email', value: EMAIL };
	return { resource: 'subscriber', operation: name, subscriber, email: EMAIL, ...more };
}

async function run(name: string, { origin }: HttpServer, more: INodeParameters = {}) {
	const credential = {
		accessToken: TOKEN,
		baseUrl: `${origin}/api/v1`,
		requestsPerMinute: 0,
	};
	return await runSupercast({ parameters: operation(name, more), credential });
}

describe('an access token that Supercast sends back', () => {
	it('is in no output', async () => {
		const own = await serve((request, response) =>
			json(response, 200, { ...ann, first_name: request.headers.authorization }),
		);
		const { run: all, output } = await run('get', own, { simplify: false });
		expect(output[0]!.json).toMatchObject({ first_name: 'Bearer [redacted]' });
		expect(JSON.stringify(all)).not.toContain(TOKEN);
	});

	it('is in no error', async () => {
		const own = await serve((request, response) =>
			json(response, 422, { message: `no ${request.headers.authorization}` }),
		);
		const { run: all, error } = await run('delete', own);
		expect(`${error?.description}`).toContain('no Bearer [redacted]');
		expect(JSON.stringify(all)).not.toContain(TOKEN);
	});

	it('is in no error of an OAuth2 connection, although it is new', async () => {
		const credential = clientCredentials(sandbox.current);
		const own = await serve((request, response) =>
			json(response, 422, { message: `no ${request.headers.authorization}` }),
		);
		const { run: all, error } = await runSupercast({
			parameters: operation('delete', { authentication: 'oAuth2' }),
			credential: Object.assign(credential, {
				data: { ...credential.stored, baseUrl: `${own.origin}/api/v1` },
			}),
		});
		expect(`${error?.description}`).toContain('no Bearer [redacted]');
		const { access_token: token } = credential.stored.oauthTokenData as Record<string, string>;
		expect(token).toEqual(expect.any(String));
		expect(JSON.stringify(all)).not.toContain(token);
	});
});

it('a response that trickles in is abandoned when its time is over, and the connection is closed', async () => {
	let closed = 0;
	const own = await serve((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const drip = setInterval(() => response.write(' '), 20);
		response.on('close', () => {
			closed++;
			clearInterval(drip);
		});
	});
	const began = Date.now();
	const { error } = await run('get', own, { options: { maxWaitSeconds: 0 } });
	expect(error?.message).toContain('did not respond in time');
	expect(Date.now() - began).toBeLessThan(5_000);
	expect(own.received).toHaveLength(1);
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(closed).toBe(1);
});

it('a delete with a blank response is done', async () => {
	const own = await serve((_, response) => response.writeHead(200).end(' '));
	const { output, error } = await run('delete', own);
	expect(error).toBeUndefined();
	expect(output[0]!.json).toEqual({ deleted: true, email: EMAIL });
	expect(own.received).toHaveLength(1);
});

it.each([{}, { error: 'not found' }, { name: 'Ann' }, [ann], null])(
	'an upsert whose look-up gets %j stops, describes the response, and creates nobody',
	async (body) => {
		const own = await serve((_, response) => json(response, 200, body));
		const { error, output } = await run('upsert', own);
		expect(error?.message).toContain('sent an unexpected response');
		expect(error?.description).toMatch(/Supercast sent (an|a|nothing)/);
		expect(output).toEqual([]);
		expect(new Set(own.received)).toEqual(
			new Set([`GET /api/v1/subscribers/${encodeURIComponent(EMAIL)}`]),
		);
		expect(own.received).toHaveLength(4);
	},
);
