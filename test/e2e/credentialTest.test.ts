import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openEditor, type Editor } from '../../harness/browser/editor';
import { fillFields, newCredential } from '../../harness/browser/newCredential';
import { chromiumPath, startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';

let environment: E2eEnvironment;
let editor: Editor;
let website: Server;

beforeAll(async () => {
	chromiumPath();
	environment = await startE2eEnvironment('credential-test');
	editor = await openEditor(environment);
	website = createServer((_, response) => {
		response.setHeader('content-type', 'text/html');
		response.end('<!doctype html><title>Welcome</title>');
	});
	await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	website?.close();
	await editor?.close();
	await environment?.stop();
});

/** Does what the editor does when someone saves a credential: stores it, and asks n8n to test it. */
async function tryOut(data: Record<string, unknown>): Promise<{ status: string; message: string }> {
	const { sandbox, client } = environment;
	const type = 'supercastApi';
	const complete = { baseUrl: sandbox.baseUrl, requestsPerMinute: 100, ...data };
	const credential = { name: 'Tried', type, data: complete };
	const { id } = (await client.request('POST', '/credentials', credential)) as { id: string };
	const answer = await client.request('POST', '/credentials/test', {
		credentials: { id, ...credential },
	});
	return answer as { status: string; message: string };
}

describe('the test of an access token', () => {
	it.each(['accessToken', 'readOnlyToken'] as const)('passes with the %s', async (token) => {
		const accessToken = environment.sandbox[token];
		expect(await tryOut({ accessToken })).toMatchObject({ status: 'OK' });
		expect(await tryOut({ accessToken: ` ${accessToken}\n` })).toMatchObject({ status: 'OK' });
		const baseUrl = `${environment.sandbox.baseUrl}/`;
		expect(await tryOut({ accessToken, baseUrl })).toMatchObject({ status: 'OK' });
	});

	it('says in a sentence that a token is wrong, without showing it', async () => {
		const { status, message } = await tryOut({ accessToken: 'a-token-that-nobody-made' });
		expect(status).toBe('Error');
		expect(message).toContain('Supercast does not recognize this access token');
		expect(message).toContain('https://your-channel.supercast.tech/api/v1');
		expect(message).not.toContain('a-token-that-nobody-made');
	});

	it.each([
		[
			'a website',
			() => `http://127.0.0.1:${(website.address() as AddressInfo).port}/api/v1`,
			'does not point to',
		],
		['a wrong version', () => `${environment.sandbox.origin}/api/v9`, 'does not point to'],
		['plain http to another host', () => 'http://supercast.tech/api/v1', 'not secure'],
		['no address', () => 'supercast', 'not a web address'],
		['without https://', () => 'supercast.tech/api/v1', 'Start it with https://'],
		['one of a server that is down', () => 'http://127.0.0.1:9/api/v1', 'was refused'],
		['an unknown name', () => 'https://supercast.invalid/api/v1', 'could not be reached'],
	])('says in a sentence that the Base URL is %s', async (_, baseUrl, words) => {
		const { accessToken } = environment.sandbox;
		const { status, message } = await tryOut({ accessToken, baseUrl: baseUrl() });
		expect(status).toBe('Error');
		expect(message).toContain(words);
	});
});

describe('the dialog of an access token', () => {
	async function save(values: { accessToken: string; baseUrl: string }): Promise<Editor['page']> {
		const { page } = editor;
		await newCredential(page, environment.server.url, 'Supercast API');
		await fillFields(page, values);
		await page.getByTestId('credential-save-button').click();
		return page;
	}

	it('accepts a token that was pasted with "Bearer"', async () => {
		const { accessToken, baseUrl } = environment.sandbox;
		const page = await save({ accessToken: `Bearer ${accessToken}`, baseUrl });
		await page.getByTestId('credentials-config-container-test-success').waitFor();
	});

	it('tells to add /api/v1 to an address without it', async () => {
		const { accessToken, origin } = environment.sandbox;
		const page = await save({ accessToken, baseUrl: origin });
		const dialog = page.getByTestId('editCredential-modal');
		await dialog.getByText('More details').click();
		await dialog.getByText('Add /api/v1 to its end').first().waitFor();
	});
});
