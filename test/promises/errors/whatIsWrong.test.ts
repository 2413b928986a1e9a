import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();
const SECRET = 'sc_secret_token_that_nobody_may_see';
const ANN = 'a/b+c%2F?x=#@example.com';

function deleteByEmail(options: INodeParameters = {}): INodeParameters {
	return {
		resource: 'subscriber',
		operation: 'delete',
		subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
		options: { ...options, maxWaitSeconds: 0 },
	};
}

async function failWith(credential: { accessToken: string; baseUrl: string }) {
	const email = sandbox.current.state.subscribers[0]!.email;
	const result = await runSupercast({
		parameters: deleteByEmail(),
		credential,
		items: [{ email }],
	});
	expect(result.output).toEqual([]);
	expect(sandbox.current.state.subscriber(email)).toBeDefined();
	const everythingStored = JSON.stringify(result.run) + String(result.error?.stack);
	expect(everythingStored).not.toContain(credential.accessToken);
	return `${result.error?.message}\n${result.error?.description}`;
}

async function serve(
	handler: Parameters<typeof createServer>[1],
): Promise<{ server: Server; origin: string }> {
	const server = createServer(handler);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a credential that cannot work', () => {
	it('names an unknown token', async () => {
		const text = await failWith({ ...credentialOf(sandbox.current), accessToken: SECRET });
		expect(text).toContain('did not accept the access token');
		expect(text).toContain('generate a new token');
	});

	it('names the scope that a read-only token lacks', async () => {
		const text = await failWith({
			...credentialOf(sandbox.current),
			accessToken: sandbox.current.readOnlyToken,
		});
		expect(text).toContain("scope 'write'");
	});

	it.each([
		['no address', 'supercast', 'is not a web address'],
		['plain http to another host', 'http://supercast.tech/api/v1', 'is not secure'],
		['a password in it', 'https://user:pass@supercast.tech/api/v1', 'more than an address'],
	])('refuses a Base URL with %s before any request', async (_, baseUrl, words) => {
		const text = await failWith({ accessToken: SECRET, baseUrl });
		expect(text).toContain(words);
		expect(text).toContain("Correct 'Base URL'");
	});

	it('reports a web page in place of the API', async () => {
		const { server, origin } = await serve((_, response) => {
			response.setHeader('content-type', 'text/html');
			response.end('<!doctype html><title>Welcome</title>');
		});
		const text = await failWith({ accessToken: SECRET, baseUrl: `${origin}/api/v1` });
		server.close();
		expect(text).toContain('sent a web page instead of an API response');
		expect(text).toContain("Check 'Base URL'");
	});

	it('reports that the server is down', async () => {
		const { server, origin } = await serve(() => undefined);
		await new Promise((resolve) => server.close(resolve));
		const text = await failWith({ accessToken: SECRET, baseUrl: `${origin}/api/v1` });
		expect(text).toContain('could not be reached');
		expect(text).toContain('connection was refused');
	});
});

describe('items that cannot work', () => {
	it.each([
		['an empty email', { email: '' }, "'Subscriber' is empty"],
		['no email at all', {}, "'Subscriber' is empty"],
		['a malformed email', { email: 'ann@' }, 'is not an email address: "ann@"'],
		[
			'an unknown subscriber',
			{ email: 'nobody@example.com' },
			'has no subscriber "nobody@example.com"',
		],
	])('names %s and processes the other items', async (_, item, words) => {
		const [first, second] = sandbox.current.state.subscribers.map(({ email }) => ({ email }));
		const { output } = await runSupercast({
			parameters: deleteByEmail(),
			credential: credentialOf(sandbox.current),
			items: [first!, item, second!],
			onError: 'continueRegularOutput',
		});
		expect(output.map(({ json }) => json)).toEqual([
			{ deleted: true, ...first },
			{ error: expect.stringContaining(words) },
			{ deleted: true, ...second },
		]);
		expect(sandbox.current.state.subscriber(first!.email)).toBeUndefined();
		expect(sandbox.current.state.subscriber(second!.email)).toBeUndefined();
	});

	it.each([
		['first', [{ email: '' }, { email: 'ann@example.com' }, { email: 'bob@example.com' }], 0],
		['last', [{ email: 'ann@example.com' }, { email: 'bob@example.com' }, {}], 2],
	])('prevent all other items from being sent when the %s one is bad', async (_, items, bad) => {
		const { error } = await runSupercast({
			parameters: deleteByEmail(),
			credential: credentialOf(sandbox.current),
			items,
		});
		expect(error?.message).toBe(`'Subscriber' is empty [item ${bad}, counted from 0]`);
		expect(error?.description).toMatch(/No other item was completed\.$/);
		expect(sandbox.current.stats().requests).toBe(0);
	});

	const broken: Array<[string, INodeParameters, string]> = [
		['an option', deleteByEmail({ parallelRequests: 'many' }), 'Parallel Requests'],
		['an operation', { resource: 'subscriber', operation: 'rename' }, 'does not exist'],
		[
			'the expression for the authentication',
			{ ...deleteByEmail(), authentication: "={{ $('No Such Node').first().json.kind }}" },
			"node doesn't exist",
		],
	];
	it.each(broken)('all fail, none is passed on, if %s is broken', async (_, parameters, words) => {
		const items = [{ email: 'ann@example.com' }, { email: 'bob@example.com' }];
		const options = { parameters, credential: credentialOf(sandbox.current), items };
		const { error } = await runSupercast(options);
		expect(error?.message).toContain(words);
		const result = await runSupercast({ ...options, onError: 'continueErrorOutput' });
		expect(result.output).toEqual([]);
		expect(result.errorOutput.map(({ json }) => json)).toEqual(
			items.map((item) => ({ ...item, error: expect.stringContaining(words) })),
		);
		expect(sandbox.current.stats().requests).toBe(0);
	});

	it("keeps Supercast's own words, by field", async () => {
		const { email } = sandbox.current.state.subscribers[0]!;
		const { error } = await runSupercast({
			parameters: { resource: 'subscriber', operation: 'create', email, additionalFields: {} },
			credential: credentialOf(sandbox.current),
		});
		expect(error?.message).toContain('email has already been taken');
		expect(error?.description).toContain('Supercast says: "');
	});
});

describe('an email with every character that is special in an address', () => {
	it('stays in one path segment, and comes back as typed', async () => {
		const credential = credentialOf(sandbox.current);
		const items = [{ email: ANN }];
		await runSupercast({
			parameters: {
				resource: 'subscriber',
				operation: 'create',
				email: '={{ $json.email }}',
				additionalFields: {},
			},
			credential,
			items,
		});
		const feedUrl = sandbox.current.state.feedUrl(ANN);
		expect(await feedStatus(feedUrl)).toBe(200);

		const { output } = await runSupercast({ parameters: deleteByEmail(), credential, items });

		expect(output.map(({ json }) => json)).toEqual([{ deleted: true, email: ANN }]);
		expect(await feedStatus(feedUrl)).toBe(403);
		const sent = sandbox.current.state.requests.at(-1)?.path ?? '';
		expect(sent).toBe(`/api/v1/subscribers/${encodeURIComponent(ANN)}`);
	});
});
