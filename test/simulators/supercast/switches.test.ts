import { PROFILES, type Sandbox, type SandboxOptions } from '../../../simulators/supercast';
import { ask, fetchAnswer, useSandboxes, type Answer, type Ask } from './helpers';

const start = useSandboxes();

const EMAIL = 'New@example.com';
const ONE = `/subscribers/${EMAIL}`;
const body = { subscriber: { email: EMAIL } };
const inactive = { method: 'PATCH', body: { feed_token: { state: 'inactive' } } };

type Json = Record<string, unknown>;

interface Request extends Ask {
	path: string;
}

const create: Request = { path: '/subscribers', body };
const remove: Request = { path: ONE, method: 'DELETE' };
const read = (path: string): Request => ({ path });

/** Sends some requests, and returns what the last one got. */
async function last(sandbox: Sandbox, requests: Request[]): Promise<Answer> {
	let answer: Answer | undefined;
	for (const { path, ...rest } of requests) answer = await ask(sandbox, path, rest);
	return answer!;
}

type Look = (answer: Answer) => unknown;

const status: Look = (answer) => answer.status;
const text: Look = (answer) => answer.text;
const keys: Look = (answer) => Object.keys(answer.body);
const field =
	(name: string): Look =>
	(answer) =>
		answer.body[name];
const first =
	(name: string): Look =>
	(answer) =>
		(answer.body as unknown as Json[])[0]?.[name];
const isPage: Look = ({ headers }) => headers.get('content-type')?.startsWith('text/html');
const paging: Look = ({ headers }) =>
	[...headers.keys()].filter((name) => /page|total|link/.test(name)).sort();

/** Requests to a sandbox with these options, and what the last response differs in. */
const switches: Array<[SandboxOptions, Request[], Look, unknown]> = [
	[
		{ headers: 'plain' },
		[read('/episodes?per_page=5')],
		paging,
		['link', 'page', 'per-page', 'total'],
	],
	[{ headers: 'total' }, [read('/episodes')], paging, ['x-total']],
	[{ headers: 'none' }, [read('/episodes')], paging, []],
	[{ order: 'newest' }, [read('/episodes')], first('id'), 12],
	[{ order: 'unordered' }, [read('/episodes')], first('id'), 2],
	[{ perPageMax: 9, perPageTooLarge: 'reject' }, [read('/subscribers?per_page=11')], status, 422],
	[{ wrapLists: 'name' }, [read('/roles')], keys, ['roles']],
	[{ wrapLists: 'data' }, [read('/roles')], keys, ['data']],
	[{ wrapLists: 'each' }, [read('/roles')], first('role'), expect.objectContaining({ id: 1 })],
	[{ wrapRecords: 'name' }, [read('/channel')], keys, ['channel']],
	[{ ids: 'text' }, [read('/roles')], first('id'), '1'],
	[{ ids: 'uuid' }, [read('/roles')], first('id'), expect.stringMatching(/^[0-9a-f-]{36}$/)],
	[{ dates: 'unix' }, [read('/roles')], first('created_at'), expect.any(Number)],
	[{ dates: 'offset' }, [read('/roles')], first('created_at'), expect.stringMatching(/-05:00$/)],
	[{ allInFields: false }, [create], field('time_zone'), undefined],
	[{ feedUrl: 'text' }, [create], field('feed_url'), expect.stringContaining('/feeds/')],
	[{ feedUrl: 'absent' }, [create], field('feed_url'), undefined],
	[{ onExistingEmail: 'conflict' }, [create, create], status, 409],
	[{ onExistingEmail: 'reactivate' }, [create, create], status, 200],
	[{ onExistingEmail: 'duplicate' }, [create, create], status, 201],
	[{ emailLookup: 'exact' }, [create, read(ONE.toLowerCase())], status, 404],
	[{ storedEmails: 'lowered' }, [create], field('email'), EMAIL.toLowerCase()],
	[{ deleted: 'kept' }, [create, remove, read(ONE)], field('state'), 'deactivated'],
	[{ createdStatus: 200 }, [create], status, 200],
	[{ createdStatus: 204 }, [create], text, ''],
	[{ changedStatus: 204 }, [create, remove], status, 204],
	[{ writeBodies: false }, [create], text, ''],
	[{ flatBodies: 'reject' }, [{ ...create, body: { email: EMAIL } }], status, 422],
	[
		{ unknownFields: 'reject' },
		[{ ...create, body: { subscriber: { email: EMAIL, shoe_size: 42 } } }],
		status,
		422,
	],
	[{ createQuestions: false }, [{ path: '/questions', body: { title: 'Why?' } }], status, 404],
	[{ webPages: 'unknownAddress' }, [read('/nowhere')], isPage, true],
	[{ webPages: 'notFound' }, [read(ONE)], isPage, true],
	[{ webPages: 'always' }, [{ path: '/channel', token: 'none' }], isPage, true],
	[{ errorBody: 'error' }, [create, create], keys, ['error']],
	[{ errorBody: 'fields' }, [create, create], keys, ['email']],
	[{ dateHeader: false }, [read('/channel')], ({ headers }) => headers.get('date'), null],
	[
		{ honourIdempotencyKey: true },
		[1, 2].map(() => ({ ...create, headers: { 'idempotency-key': 'k-1' } })),
		status,
		201,
	],
];

it.each(switches)('%j changes a response', async (options, requests, look, expected) => {
	// A switch without an effect would let tests of the package pass for nothing.
	expect(look(await last(await start(), requests))).not.toEqual(expected);
	expect(look(await last(await start(options), requests))).toEqual(expected);
});

it.each([
	[{ shortPath: false }, '/v1/channel'],
	[{ tokenInfo: false }, '/oauth/token/info'],
])('%j takes away %s', async (options, path) => {
	const answered = async (sandbox: Sandbox) => {
		const headers = { authorization: `Bearer ${sandbox.accessToken}` };
		return (await fetchAnswer(`${sandbox.origin}${path}`, { headers })).status;
	};
	expect([await answered(await start()), await answered(await start(options))]).toEqual([200, 404]);
});

it.each([
	['new', false],
	['same', true],
] as const)('a subscriber who was deleted and created again is %s', async (recreated, isSame) => {
	const sandbox = await start({ recreated });
	const before = await last(sandbox, [create]);
	const feed = sandbox.state.feedUrl(EMAIL) ?? '';
	const after = await last(sandbox, [remove, create]);
	expect(after.body.uuid === before.body.uuid).toBe(isSame);
	expect((await fetchAnswer(feed)).status).toBe(isSame ? 200 : 403);
});

it('new records show after a while, and old ones are stale for a while', async () => {
	let now = Date.UTC(2026, 0, 1);
	const sandbox = await start({ visibleAfterMs: 2_000, staleForMs: 2_000, now: () => now });
	const { uuid = '' } = sandbox.state.subscribers[0] ?? {};
	await last(sandbox, [create, { path: `/feeds/${uuid}`, ...inactive }]);
	const seen = async () => [
		status(await last(sandbox, [read(ONE)])),
		(await last(sandbox, [read('/subscribers')])).headers.get('x-total'),
		field('state')(await last(sandbox, [read(`/subscribers/${uuid}`)])),
		first('state')(await last(sandbox, [read('/subscribers')])),
	];
	expect(await seen()).toEqual([404, '25', 'available', 'available']);
	now += 2_000;
	expect(await seen()).toEqual([200, '26', 'deactivated', 'deactivated']);
});

it.each([
	['all', ['deactivated', 'deactivated']],
	['first', ['deactivated', 'available']],
] as const)('a change of a feed concerns %s of several podcasts', async (feedChanges, states) => {
	const sandbox = await start({ feedChanges });
	const { uuid = '' } = sandbox.state.subscribers[0] ?? {};
	sandbox.controls.addSubscriptions(uuid, ['available']);
	await last(sandbox, [{ path: `/feeds/${uuid}`, ...inactive }]);
	const { body: shown } = await last(sandbox, [read(`/subscribers/${uuid}`)]);
	const { subscriptions } = shown as { subscriptions: Json[] };
	expect(subscriptions.map(({ state }) => state)).toEqual(states);
});

it('a profile sets switches, which others beside it and later changes override', async () => {
	const sandbox = await start({ profile: 'hostile', order: 'oldest' });
	expect(sandbox.settings).toEqual(
		expect.objectContaining({ ...PROFILES.hostile, order: 'oldest' }),
	);
	sandbox.controls.changeSettings({ rateLimit: 7 }, 'rails');
	const fresh = await start({ profile: 'rails', rateLimit: 7 });
	expect(sandbox.settings).toEqual(fresh.settings);
});
