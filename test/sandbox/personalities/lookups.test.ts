import type { SandboxOptions } from '../../../sandbox';
import { ask, fetchAnswer, useSandboxes } from '../helpers';

const start = useSandboxes();

describe('emails', () => {
	const look = async (options: SandboxOptions, asked: string): Promise<number> => {
		const sandbox = await start(options);
		await ask(sandbox, '/subscribers', { body: { email: 'Ann@Example.com' } });
		return (await ask(sandbox, `/subscribers/${asked}`)).status;
	};

	it.each([
		[{}, 'ANN@example.com', 200],
		[{ emailLookup: 'exact' }, 'ANN@example.com', 404],
		[{ emailLookup: 'exact' }, 'Ann@Example.com', 200],
		[{ storedEmails: 'lowered', emailLookup: 'exact' }, 'Ann@Example.com', 404],
		[{ storedEmails: 'lowered', emailLookup: 'exact' }, 'ann@example.com', 200],
	] as const)('with %j, %s answers %i', async (options, asked, status) => {
		expect(await look(options, asked)).toBe(status);
	});
});

describe('errors', () => {
	const contents = async (options: SandboxOptions): Promise<string[]> => {
		const sandbox = await start(options);
		const answers = [
			await ask(sandbox, '/nowhere'),
			await ask(sandbox, '/subscribers/nobody@example.com'),
			await ask(sandbox, '/channel', { token: 'none' }),
		];
		expect(answers.map(({ status }) => status)).toEqual([404, 404, 401]);
		return answers.map(({ headers }) => headers.get('content-type')?.split(';')[0] ?? '');
	};
	const [json, html] = ['application/json', 'text/html'];

	it.each([
		['never', [json, json, json]],
		['unknownAddress', [html, json, json]],
		['notFound', [html, html, json]],
		['always', [html, html, html]],
	] as const)('are web pages if the setting says so: %s', async (webPages, expected) => {
		expect(await contents({ webPages })).toEqual(expected);
	});

	it.each([
		['message', { message: expect.any(String), errors: { email: ["can't be blank"] } }],
		['error', { error: expect.stringContaining("Email can't be blank") }],
		['fields', { email: ["can't be blank"] }],
	] as const)('have a body as the setting says: %s', async (errorBody, expected) => {
		const sandbox = await start({ errorBody });
		const { body } = await ask(sandbox, '/subscribers', { body: { first_name: 'x' } });
		expect(body).toEqual(expected);
	});
});

describe('addresses', () => {
	it('without /api are unknown if the setting says so', async () => {
		const sandbox = await start({ shortPath: false });
		const headers = { authorization: `Bearer ${sandbox.accessToken}` };
		expect((await fetchAnswer(`${sandbox.origin}/v1/channel`, { headers })).status).toBe(404);
		expect((await fetchAnswer(`${sandbox.origin}/api/v1/channel`, { headers })).status).toBe(200);
	});

	it.each([
		[true, 200],
		[false, 404],
	])('say what a token may do: %s', async (tokenInfo, status) => {
		const sandbox = await start({ tokenInfo });
		const headers = { authorization: `Bearer ${sandbox.readOnlyToken}` };
		const answer = await fetchAnswer(`${sandbox.origin}/oauth/token/info`, { headers });
		expect(answer.status).toBe(status);
		if (tokenInfo) expect(answer.body.scope).toEqual(['public']);
	});
});
