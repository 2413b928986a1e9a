import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type RunOptions, runSupercast } from '../../harness/engine';
import { addMembers, hintsOf } from '../../support/members';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';

describe('before any request', () => {
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

		it.each<[string, number, string, string, string]>([
			[
				'a proxy that wants a login',
				...([407, '<html>Proxy Authentication Required'] as const),
				...(['a proxy requires a login', 'HTTPS_PROXY'] as const),
			],
			[
				'a proxy without an answer',
				...([502, '<html>Bad Gateway'] as const),
				...(['gateway or proxy got no response', 'uses a proxy, check it'] as const),
			],
			[
				'a page of Cloudflare',
				...([200, '<!doctype html><title>Just a moment...</title>'] as const),
				...(['protection against bots, such as Cloudflare', 'Try again later'] as const),
			],
			[
				'a page of Cloudflare that refuses',
				...([403, '<!doctype html><title>Attention Required! | Cloudflare</title>'] as const),
				...(['protection against bots, such as Cloudflare', 'Try again later'] as const),
			],
		])('names the cause and the step: %s', async (_, status, page, ...words) => {
			const { server, origin } = await serve((_request, response) => {
				response.writeHead(status, { 'content-type': 'text/html' }).end(page);
			});
			const text = await failWith({ accessToken: SECRET, baseUrl: `${origin}/api/v1` });
			server.close();
			for (const one of words) expect(text).toContain(one);
			expect(text).not.toContain("'Base URL'");
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
			[
				'first',
				[{ email: '' }, { email: 'ann@example.com' }, { email: 'bob@example.com' }],
				0,
				'1st',
			],
			['last', [{ email: 'ann@example.com' }, { email: 'bob@example.com' }, {}], 2, '3rd'],
		])(
			'prevent all other items from being sent when the %s one is bad',
			async (_, items, bad, place) => {
				const { error } = await runSupercast({
					parameters: deleteByEmail(),
					credential: credentialOf(sandbox.current),
					items,
				});
				expect(error?.message).toBe(`'Subscriber' is empty [item ${bad}, the ${place} of 3]`);
				expect(error?.description).toMatch(/No other item was completed\.$/);
				expect(sandbox.current.stats().requests).toBe(0);
			},
		);

		const broken: Array<[string, INodeParameters, string]> = [
			['an option', deleteByEmail({ parallelRequests: 'many' }), 'Parallel Requests'],
			['an operation', { resource: 'subscriber', operation: 'rename' }, 'does not exist'],
			[
				'the expression for the authentication',
				{ ...deleteByEmail(), authentication: "={{ $('No Such Node').first().json.kind }}" },
				"node doesn't exist",
			],
		];
		it.each(broken)(
			'all fail, none is passed on, if %s is broken',
			async (_, parameters, words) => {
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
			},
		);

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
});

/** What a newcomer stumbled over: silent outcomes, and messages that did not say where to go. */
describe('after the run', () => {
	const sandbox = useSandbox();
	const byEmail = { __rl: true, mode: 'email', value: '={{ $json.who }}' };

	async function run(
		parameters: INodeParameters,
		items: IDataObject[] = [{}],
		more: Partial<RunOptions> = {},
	) {
		const credential = credentialOf(sandbox.current);
		const result = await runSupercast({ parameters, credential, items, ...more });
		return { ...result, records: result.output.map(({ json }) => json), hints: hintsOf(result) };
	}

	const someone = () => sandbox.current.state.subscribers[0]!;

	async function setFeed(operation: string): Promise<void> {
		await run({ resource: 'feed', operation, subscriber: byEmail }, [{ who: someone().email }]);
	}

	describe('Create or Update of a returning member', () => {
		const upsert = (options: INodeParameters = {}) =>
			run({ resource: 'subscriber', operation: 'upsert', email: someone().email, options });

		it.each([
			['deactivate', 'deactivated', "add the option 'Reactivate'"],
			['suspend', 'suspended', 'Feed: Activate'],
		])('after %s says that the feeds stay closed, and how to open them', async (...tried) => {
			const [operation, state, remedy] = tried;
			await setFeed(operation);
			const { records, hints } = await upsert();
			expect(records).toMatchObject([{ action: 'unchanged', state }]);
			expect(records[0]).not.toHaveProperty('reactivated');
			expect(hints).toContain('stay closed');
			expect(hints).toContain(remedy);
		});

		it('says so beside the action when it has opened the feeds, and then gives no hint', async () => {
			await setFeed('deactivate');
			const { records, hints } = await upsert({ reactivate: true });
			expect(records).toMatchObject([{ action: 'updated', reactivated: true, state: 'available' }]);
			expect(hints).toBe('');
			expect(await feedStatus(sandbox.current.state.feedUrl(someone().email))).toBe(200);
			const again = await upsert({ reactivate: true });
			expect(again.records[0]).not.toHaveProperty('reactivated');
		});

		it('says nothing about feeds that are open', async () => {
			expect((await upsert()).hints).toBe('');
		});
	});

	describe('Set Access', () => {
		const close = (email: string) =>
			run({ resource: 'subscriber', operation: 'setAccess', access: 'close', email });

		it('says beside the output why a feed stays open, and what to do', async () => {
			Object.assign(someone(), { plan_id: 42 });
			const { records, hints } = await close(someone().email);
			expect(records).toMatchObject([{ action: 'kept', attention: hints }]);
			expect(hints).toContain('the feed stays open. If the plan has ended too');
		});

		it('says nothing when it has closed the feed', async () => {
			const [member] = addMembers(sandbox.current, 1, () => ({}));
			const { records, hints } = await close(member!.email);
			expect(records).toMatchObject([{ action: 'closed', attention: null }]);
			expect(hints).toBe('');
		});
	});

	describe('a UUID in By Email, where n8n puts a dragged field', () => {
		it.each([
			['subscriber', 'get'],
			['feed', 'get'],
		])('is accepted: %s, %s', async (resource, operation) => {
			const { uuid, email } = someone();
			const items = [{ who: ` ${uuid} ` }, { who: email }];
			const { records, error } = await run({ resource, operation, subscriber: byEmail }, items);
			expect(error).toBeUndefined();
			expect(records).toHaveLength(2);
			expect(records[0]).toEqual(records[1]);
		});
	});

	describe('the message for one failed item', () => {
		const parameters = {
			resource: 'subscriber',
			operation: 'get',
			subscriber: byEmail,
			options: { maxWaitSeconds: 0, parallelRequests: 1 },
		};

		it.each([
			[1, 'The other item was completed.'],
			[4, 'All other items were completed.'],
		])('says that all %d others were completed', async (count, words) => {
			const others = sandbox.current.state.subscribers.slice(0, count);
			const items = [...others.map(({ email }) => ({ who: email })), { who: 'no@example.com' }];
			const { error } = await run(parameters, items);
			expect(error?.description).toMatch(new RegExp(` ${words.replace('./', '\\.')}$`));
		});

		it.each([
			['subscriber', 'get', undefined],
			['subscriber', 'delete', 'Succeed'],
			['feed', 'deactivate', 'Succeed'],
			['feed', 'activate', 'Succeed'],
		])('of a missing person has two sentences at most: %s, %s', async (...tried) => {
			const [resource, operation, option] = tried;
			const { error } = await run({ ...parameters, resource, operation }, [
				{ who: 'no@example.com' },
			]);
			const sentences = error!.description!.split(/(?<=\.) /);
			expect(error?.message).toMatch(/^Supercast has no .*"no@example\.com"$/);
			expect(sentences).toHaveLength(option === undefined ? 1 : 2);
			if (option) expect(sentences[1]).toMatch(/'Add Option'.*'If Missing'.*'Succeed'/);
		});
	});

	describe('the output begins with what is worth knowing', () => {
		const personal = { email: '={{ $json.who }}', subscriber: byEmail };
		it.each([
			['subscriber', 'get', ['email', 'state']],
			['subscriber', 'upsert', ['action', 'email', 'state']],
			['subscriber', 'setAccess', ['access', 'action', 'email', 'state']],
		])('%s: %s', async (resource, operation, first) => {
			const { records } = await run({ resource, operation, ...personal }, [
				{ who: someone().email },
			]);
			expect(Object.keys(records[0]!).slice(0, first.length)).toEqual(first);
		});

		it('usageAlert: dismiss', async () => {
			const id = String(sandbox.current.state.usageAlerts[0]!.id);
			const usageAlert = { __rl: true, mode: 'id', value: id };
			const { records } = await run({ resource: 'usageAlert', operation: 'dismiss', usageAlert });
			expect(Object.entries(records[0]!)[0]).toEqual(['action', 'dismissed']);
		});
	});
});
