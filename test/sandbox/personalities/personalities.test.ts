import {
	PERSONALITIES,
	type PersonalityName,
	type Sandbox,
	type SandboxOptions,
} from '../../../sandbox';
import { readFlags } from '../../../sandbox/flags';
import { ask, fetchAnswer, useSandboxes } from '../helpers';

describe('each personality', () => {
	const start = useSandboxes();
	const names = Object.keys(PERSONALITIES) as PersonalityName[];

	const control = async (sandbox: Sandbox, path: string, body: unknown) =>
		await fetchAnswer(`${sandbox.origin}/_sandbox${path}`, { body });

	describe('personalities', () => {
		it.each(names)('%s: every setting has its value from the start', async (personality) => {
			const sandbox = await start({ personality });
			expect(sandbox.settings).toMatchObject(PERSONALITIES[personality]);
			expect(readFlags(['--personality', personality])).toEqual({ personality });
		});

		it('are overridden by settings beside them', async () => {
			const sandbox = await start({ personality: 'hostile', order: 'oldest' });
			expect(sandbox.settings).toMatchObject({ order: 'oldest', perPageMax: 7 });
		});

		it('can be set while the sandbox runs, and replace one another as a whole', async () => {
			const sandbox = await start({ personality: 'hostile', rateLimit: 0 });
			await control(sandbox, '/settings', { personality: 'rails', rateLimit: 7 });
			const fresh = await start({ personality: 'rails', rateLimit: 7 });
			expect(sandbox.settings).toEqual(fresh.settings);
			await control(sandbox, '/settings', { wrapLists: 'none' });
			expect(sandbox.settings).toEqual({ ...fresh.settings, wrapLists: 'none' });
		});

		it('renumber the records with the next reset', async () => {
			const sandbox = await start();
			await control(sandbox, '/settings', { personality: 'strict' });
			expect(sandbox.state.roles[0]?.id).toBe(1);
			await control(sandbox, '/reset', {});
			expect(sandbox.state.roles[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
		});

		it.each([
			[['--personality', 'kind'], /--personality is invalid/],
			[['--created-status', '202'], /--created-status is invalid/],
			[['--wrap-lists', 'twice'], /--wrap-lists is invalid/],
		])('refuse %j', (args, problem) => {
			expect(() => readFlags(args)).toThrow(problem);
		});

		it('refuse settings that do not exist', async () => {
			const sandbox = await start();
			for (const body of [{ personality: 'kind' }, { dates: 'Chinese' }, { createdStatus: 202 }]) {
				expect((await control(sandbox, '/settings', body)).status).toBe(422);
			}
		});
	});

	describe('states that the API cannot write', () => {
		it.each([
			['charge_failure', 'suspended', 1],
			['pending', 'inactive', 0],
		])('%s: the feed is closed', async (state, feed, addresses) => {
			const sandbox = await start();
			const { uuid = '', email } = sandbox.state.subscribers[0] ?? {};
			const url = sandbox.state.feedUrl(uuid) ?? '';
			expect((await fetchAnswer(url)).status).toBe(200);
			const changed = await control(sandbox, '/states', { subscriber: email, state });
			expect(changed.body).toEqual({ uuid, state });
			const { body } = await ask<{ state: string; subscriptions: unknown[]; feed_url: unknown[] }>(
				sandbox,
				`/subscribers/${uuid}`,
			);
			expect([body.state, body.subscriptions.length, body.feed_url.length]).toEqual([
				state,
				addresses,
				addresses,
			]);
			expect((await ask(sandbox, `/feeds/${uuid}`)).body.state).toBe(feed);
			expect((await fetchAnswer(url)).status).toBe(403);
		});

		it('are refused for unknown subscribers and unknown states', async () => {
			const sandbox = await start();
			const { uuid } = sandbox.state.subscribers[0] ?? {};
			const nobody = { subscriber: 'nobody', state: 'pending' };
			expect((await control(sandbox, '/states', nobody)).status).toBe(404);
			const wrong = { subscriber: uuid, state: 'happy' };
			expect((await control(sandbox, '/states', wrong)).status).toBe(422);
		});
	});
});

describe('look-ups', () => {
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
});
