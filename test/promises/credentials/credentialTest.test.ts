import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialsDecrypted } from 'n8n-workflow';

import { Supercast } from '../../../nodes/Supercast/Supercast.node';
import { SupercastTrigger } from '../../../nodes/Supercast/SupercastTrigger.node';
import { useSandbox } from '../../support/sandbox';

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
	for (const token of [accessToken, readOnlyToken, ` ${accessToken}\n`, `Bearer ${accessToken}`]) {
		expect(await tryOut({ accessToken: token, baseUrl: `${baseUrl}/` })).toMatchObject({
			status: 'OK',
		});
	}
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
	['another path', () => `${sandbox.current.origin}/api/v9`, /does not point to the Supercast API/],
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
		['a redirect', sends(302, { location: 'https://example.com' }), /redirects to another address/],
		['429', sends(429), /limit of 100 requests per minute is used up/],
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
});
