import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import { startHttpServer, type HttpServer } from '../../support/httpServer';
import { clientCredentials, connected, tokensIn } from '../../support/oauth';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();
useQuickRuntime({ backoffMs: 2, timeoutMs: 2_000, visibleMs: 10, lateMs: 20 });

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

	it('is in no output of an OAuth2 connection, nor is what renews it', async () => {
		let secrets: unknown[] = [];
		const own = await serve((_, response) => json(response, 200, { ...ann, secrets }));
		const baseUrl = `${own.origin}/api/v1`;
		const credential = await connected(sandbox.current, { baseUrl });
		const { access_token: access, refresh_token: refresh } = tokensIn(credential);
		secrets = [access, refresh, credential.stored.clientSecret];
		const parameters = operation('get', { authentication: 'oAuth2', simplify: false });
		const { run: all, output } = await runSupercast({ parameters, credential });
		expect(output[0]!.json.secrets).toEqual(Array(3).fill('[redacted]'));
		for (const secret of secrets) expect(JSON.stringify(all)).not.toContain(secret);
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
	const { error } = await run('get', own, { options: { maxWaitSeconds: 0 } });
	expect(error?.message).toContain('did not respond in time');
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

it.each([403, 404, 413, 521, 523])(
	'a delete is not done if a page with status %d comes before the 404 for a mistyped email',
	async (status) => {
		let pages = 0;
		const own = await serve((_, response) => {
			if (++pages > 1) json(response, 404, { message: 'Not found' });
			else response.writeHead(status, { 'content-type': 'text/html' }).end('<html>No</html>');
		});
		const { error, output } = await run('delete', own);
		expect(error?.message).toContain('no subscriber');
		expect(output).toEqual([]);
		expect(own.received).toHaveLength(2);
	},
);

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

const body = JSON.stringify(ann);
const DEEP = `{"uuid":"u-1","email":"${EMAIL}","x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`;
const head = (...lines: string[]): string =>
	['HTTP/1.1 200 OK', 'content-type: application/json', 'connection: close', ...lines, '', ''].join(
		'\r\n',
	);
const whole = `${head(`content-length: ${body.length}`)}${body}`;
const missing = `HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}`;

const UNREADABLE: Array<[string, string]> = [
	['a broken chunk', `${head('transfer-encoding: chunked')}zz\r\n${body}\r\n0\r\n\r\n`],
	['two lengths', `${head('content-length: 4', `content-length: ${body.length}`)}${body}`],
	['a length and chunks', `${head('content-length: 4', 'transfer-encoding: chunked')}${body}`],
	['headers of 100 kB', `${head(`x-long: ${'x'.repeat(1e5)}`)}${body}`],
	['very deep JSON', `${head(`content-length: ${DEEP.length}`)}${DEEP}`],
	['an early end', `${head('content-length: 4000')}${body}`],
	['an early end of chunks', `${head('transfer-encoding: chunked')}2\r\n{"\r\n`],
	['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
	['a made-up encoding', `${head('content-encoding: gzip', `content-length: 20`)}${body}`],
	['nothing', ''],
];

describe.each(UNREADABLE)('after a response with %s', (_, unreadable) => {
	/** A server that answers in this way once, and then as Supercast does. */
	async function unreadableOnce(name: string, answers: string[], more: INodeParameters = {}) {
		const received: string[] = [];
		const raw = createServer((socket) => {
			socket.on('error', () => undefined);
			socket.once('data', (data) => {
				received.push(String(data).split(' ', 1)[0]!);
				const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
				socket.end(answer);
			});
		});
		await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
		const origin = `http://127.0.0.1:${(raw.address() as AddressInfo).port}`;
		const result = await run(name, { origin, received, close: async () => undefined }, more);
		await new Promise((resolve) => raw.close(resolve));
		return { ...result, received };
	}

	it('a read is sent again', async () => {
		const { output, received } = await unreadableOnce('get', [unreadable, whole]);
		expect(output[0]!.json).toMatchObject(ann);
		expect(received).toEqual(['GET', 'GET']);
	});

	it('a created subscriber is looked up, and not created again', async () => {
		const { output, received } = await unreadableOnce('create', [unreadable, whole]);
		expect(output[0]!.json).toMatchObject(ann);
		expect(received).toEqual(['POST', 'GET']);
	});

	it('a delete that finds nobody has deleted them', async () => {
		const { output, received } = await unreadableOnce('delete', [unreadable, missing]);
		expect(output[0]!.json).toMatchObject({ deleted: true });
		expect(received).toEqual(['DELETE', 'DELETE', 'GET']);
	});

	it('the error does not claim that nothing was done', async () => {
		const { error } = await unreadableOnce('delete', [unreadable], {
			options: { maxWaitSeconds: 0 },
		});
		expect(error?.description).toContain('may already have been made');
	});
});

it.each([301, 302, 307])(
	'a redirect with %d is not followed, so no delete becomes a read',
	async (status) => {
		const own = await serve((request, response) => {
			if (request.url?.startsWith('/elsewhere') === true) json(response, 200, ann);
			else response.writeHead(status, { location: '/elsewhere' }).end();
		});
		const { output, error } = await run('delete', own);
		expect([output, error?.message]).toEqual([[], expect.stringContaining('redirects')]);
		expect(own.received).toEqual([`DELETE /api/v1/subscribers/${encodeURIComponent(EMAIL)}`]);
	},
);
