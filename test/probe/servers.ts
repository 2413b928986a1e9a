import type { FactId } from '../../probe/facts';
import type { Sandbox, SandboxOptions } from '../../sandbox';
import {
	edited,
	EMAIL,
	headers,
	records,
	refused,
	withJson,
	type Bench,
	type Edit,
} from './support';

/** What the probe must see of a fact; `?` before it if that decides nothing. */
export type Seen = Partial<Record<FactId, string>>;

/** A server that differs from the documented one in one point. */
export interface Server {
	name: string;
	options?: SandboxOptions;
	/** Changes the responses, or the requests before the sandbox gets them. */
	edit?: Edit;
	prepare?: (bench: Bench) => Bench;
	/** Whether the point shows only when the probe writes, or provokes the limit. */
	part?: 'limit' | 'write';
	/** What differs from the documented server, fact by fact. */
	seen: Seen;
	/** Whether a record stays behind, which the probe must say. */
	left?: RegExp;
	/** A record that stays behind is no difference to the sandbox's edits. */
	stopped?: RegExp;
}

const SUBSCRIBERS = /\/subscribers/;

type Unnamed = Omit<Server, 'name'>;

const switches = (
	[
		{ options: { perPageMax: 20 }, seen: { 'largest-page': '20 of 1,000' } },
		{
			options: { perPageMax: 50, perPageTooLarge: 'reject' },
			seen: { 'largest-page': '1,000 was refused (422), 100 was refused as well' },
		},
		{
			options: { headers: 'plain' },
			seen: {
				'paging-headers': 'link, page, per-page, total',
				'page-headers': '? no such headers',
				total: '? no total, or no records',
				'largest-page': '? the list is shorter than a page',
			},
		},
		{
			options: { headers: 'total' },
			seen: {
				'paging-headers': 'x-total',
				'page-headers': '? no such headers',
				'largest-page': '? the list is shorter than a page',
			},
		},
		{
			options: { headers: 'none' },
			seen: {
				'paging-headers': 'none',
				'page-headers': '? no such headers',
				total: '? no total, or no records',
				'largest-page': '? the list is shorter than a page',
			},
		},
		{ options: { order: 'unordered' }, seen: { order: 'no order' } },
		{
			options: { wrapLists: 'name' },
			seen: { 'list-form': 'an object with the list under its own name' },
		},
		{ options: { wrapLists: 'data' }, seen: { 'list-form': 'an object with "data"' } },
		{
			options: { wrapLists: 'each' },
			seen: { 'list-elements': 'each inside an object under its own name' },
		},
		{ options: { wrapRecords: 'name' }, seen: { 'record-form': 'an object inside another' } },
		{ options: { ids: 'uuid' }, seen: { ids: 'UUID' } },
		{ options: { ids: 'text' }, seen: { ids: 'digits as text' } },
		{ options: { dates: 'unix' }, seen: { times: 'seconds since 1970' } },
		{
			options: { allInFields: false },
			seen: { 'all-in-fields': 'missing: time_zone, plan_price_cents, plan_price_currency' },
		},
		{ options: { feedUrl: 'text' }, seen: { 'feed-url-list': 'address' } },
		{ options: { feedUrl: 'absent' }, seen: { 'feed-url-list': '? no subscriber has it' } },
		{ options: { emailLookup: 'exact' }, seen: { 'other-capitals': '404, JSON' } },
		{
			options: { webPages: 'unknownAddress' },
			seen: { 'wrong-address': '404, a web page' },
		},
		{
			options: { webPages: 'notFound' },
			seen: { 'wrong-address': '404, a web page', 'missing-record': '404, a web page' },
		},
		{
			options: { webPages: 'always' },
			seen: {
				'wrong-address': '404, a web page',
				'missing-record': '404, a web page',
				'error-message': '? no error had a JSON body',
			},
		},
		{ options: { errorBody: 'error' }, seen: { 'error-message': 'in 0 of 3' } },
		{ options: { errorBody: 'fields' }, seen: { 'error-message': 'in 0 of 3' } },
		{ options: { shortPath: false }, seen: { 'both-paths': '404, JSON under the other path' } },
		{ options: { tokenInfo: false }, seen: { 'token-scope': '404, JSON' } },
		{ options: { dateHeader: false }, seen: { 'date-header': 'no date' } },
	] as Unnamed[]
).map((server): Server => ({ ...server, name: JSON.stringify(server.options) }));

const writeSwitches = (
	[
		{
			options: { onExistingEmail: 'conflict' },
			seen: { 'known-email': '409, JSON', 'create-reactivates': '409, JSON, then deactivated' },
		},
		{
			options: { onExistingEmail: 'reactivate' },
			seen: { 'known-email': '200, the same subscriber' },
		},
		{
			options: { onExistingEmail: 'duplicate' },
			seen: {
				'known-email': '201, another subscriber',
				'create-reactivates': '201, JSON, then deactivated',
			},
		},
		{ options: { visibleAfterMs: 5_000 }, seen: { 'visible-at-once': 'after 6 s' } },
		{
			options: { recreated: 'same' },
			seen: { 'new-uuid': 'the same uuid', 'new-address': 'the same feed address' },
		},
		{ options: { honourIdempotencyKey: false }, seen: { 'idempotency-key': '422, JSON' } },
		{ options: { createdStatus: 200 }, seen: { created: '200, the record' } },
		{ options: { createdStatus: 204 }, seen: { created: '204, no body' } },
		{ options: { changedStatus: 204 }, seen: { changed: '204, no body' } },
		{
			options: { writeBodies: false },
			seen: { created: '201, no body', changed: '200, no body' },
		},
		{
			options: { deleted: 'kept' },
			seen: {
				deleted: '200, then 200, deactivated',
				'deleted-again': '? the probe did not get this far',
				'new-uuid': '? the probe did not get this far',
				'new-address': '? the probe did not get this far',
			},
			left: /is left \(deactivated\)/,
		},
	] as Unnamed[]
).map((server): Server => ({ ...server, name: JSON.stringify(server.options), part: 'write' }));

const without = (list: string, field: string): Edit =>
	records(new RegExp(`/${list}`), ({ [field]: _, ...rest }) => rest);

const reading: Server[] = [
	{
		name: 'X-Total counts the page',
		edit: headers(SUBSCRIBERS, (own) => own.has('x-total') && own.set('x-total', '2')),
		seen: { total: 'records after the last page' },
	},
	{
		name: 'X-Total counts people who are not listed',
		edit: headers(SUBSCRIBERS, (own) => own.has('x-total') && own.set('x-total', '37')),
		seen: { total: 'fewer records' },
	},
	{
		name: 'X-Page is always 1',
		edit: headers(SUBSCRIBERS, (own) => own.has('x-page') && own.set('x-page', '1')),
		seen: { 'page-headers': '1 and 2' },
	},
	{
		name: 'X-Per-Page is the largest size',
		edit: headers(SUBSCRIBERS, (own) => own.has('x-per-page') && own.set('x-per-page', '100')),
		seen: { 'page-headers': '2 and 100' },
	},
	{
		name: 'the page number has another name',
		prepare: renamed('page'),
		seen: {
			paging: 'the same records on the next page',
			'page-headers': '1 and 2',
			'past-the-end': 'records',
			total: 'records after the last page',
		},
	},
	{
		name: 'the page size has another name',
		prepare: renamed('per_page'),
		seen: {
			paging: '25 records instead of the 2 requested',
			'page-headers': '2 and 25',
			'largest-page': '25 of 1,000',
		},
	},
	{
		name: 'a page after the end is an error',
		edit: async (seen) => {
			const isPast =
				seen.response.headers.has('x-total') && (await seen.response.clone().text()) === '[]';
			return isPast ? Response.json({ message: 'No such page' }, { status: 404 }) : undefined;
		},
		seen: { 'past-the-end': '404, JSON', total: '? 200, JSON' },
	},
	{
		name: 'an unknown token gets 403',
		edit: ({ response }) =>
			response.status === 401 ? Response.json({ message: 'No' }, { status: 403 }) : undefined,
		seen: { 'token-required': '403, JSON' },
	},
	{
		name: 'no uuid',
		edit: without('subscribers', 'uuid'),
		seen: {
			uuids: 'undefined',
			'subscriber-fields': 'missing: uuid',
			'found-by-uuid': '? no subscriber has a uuid',
			'feed-by-uuid': '? no subscriber was read',
		},
	},
	{
		name: 'uuids of another form',
		prepare: ({ sandbox, world }) => ({
			sandbox,
			world: edited(
				{
					...world,
					fetch: async (url, init) =>
						await world.fetch(
							String(url).replace(/\/u(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/, '/$1-$2-$3-$4-$5'),
							init,
						),
				},
				records(SUBSCRIBERS, (row) => ({
					...row,
					uuid: `u${String(row.uuid).replaceAll('-', '')}`,
				})),
			),
		}),
		seen: { uuids: 'text' },
	},
	{
		name: 'a customer ID finds the subscriber',
		edit: ({ url, response }) =>
			url.pathname.endsWith('/c-7') && response.status === 404
				? Response.json({ id: 1 })
				: undefined,
		seen: { 'customer-id-names-nobody': '200, JSON' },
	},
	{
		name: 'another state',
		edit: records(SUBSCRIBERS, (row) => ({ ...row, state: row.id === 1 ? 'paused' : row.state })),
		seen: { states: 'available, another' },
	},
	{
		name: 'no plan_name',
		edit: without('subscribers', 'plan_name'),
		seen: { 'subscriber-fields': 'missing: plan_name' },
	},
	{
		name: 'the address of a subscription has another name',
		edit: records(SUBSCRIBERS, (row) => ({
			...row,
			subscriptions: [{ rss_url: 'https://feeds.example/x' }],
		})),
		seen: { 'subscription-address': 'an address in rss_url' },
	},
	{
		name: 'a feed has other states',
		edit: records(/\/feeds/, (row) => ({ ...row, state: 'open' })),
		seen: { 'feed-state': 'another state' },
	},
	{
		name: 'a feed is not found by uuid',
		edit: refused('GET', /\/feeds\/[0-9a-f-]{36}$/, 404),
		seen: { 'feed-by-uuid': '404, JSON' },
	},
	{
		name: 'a feed is not found by email',
		edit: refused('GET', /\/feeds\/.*@/, 404),
		seen: { 'feed-by-email': '404, JSON' },
	},
	{
		name: 'nobody is found by email',
		edit: refused('GET', /\/subscribers\/.*@/, 404),
		seen: { 'found-by-email': '404, JSON', 'other-capitals': '404, JSON' },
	},
	{
		name: 'a look-up by email finds somebody else',
		edit: async (seen) =>
			/\/subscribers\/.*%40/.test(seen.url.pathname)
				? await withJson(seen, (json) => ({ ...(json as object), uuid: 'x' }))
				: undefined,
		seen: {
			'found-by-email': 'another subscriber, or an odd record',
			'other-capitals': 'another subscriber, or an odd record',
		},
	},
	{
		name: 'nobody is found by uuid',
		edit: refused('GET', /\/subscribers\/[0-9a-f-]{36}$/, 404),
		seen: { 'found-by-uuid': '404, JSON' },
	},
	{
		name: 'no episode is found by ID',
		edit: refused('GET', /\/episodes\/1$/, 404),
		seen: { 'episode-by-id': '404, JSON' },
	},
	{
		name: 'times in words',
		edit: records(/\/(subscribers|episodes|creators|questions)$/, (row) => ({
			...row,
			created_at: '1 January',
		})),
		seen: { times: 'another form', order: '? too few records have a time' },
	},
	{
		name: 'times in milliseconds',
		edit: records(/\/(subscribers|episodes|creators|questions)$/, (row) => ({
			...row,
			created_at: Date.parse(String(row.created_at)),
		})),
		seen: { times: 'milliseconds since 1970' },
	},
	...(
		[
			['episodes', 'summary', 'episode-fields'],
			['creators', 'first_name', 'creator-fields'],
			['questions', 'body', 'question-fields'],
			['roles', 'permissions', 'role-fields'],
			['channel', 'title', 'channel-fields'],
		] as const
	).map(([list, field, id]) => ({
		name: `${list} without ${field}`,
		edit: without(list, field),
		seen: { [id]: `missing: ${field}` },
	})),
	{
		name: 'invites without id',
		edit: without('invites', 'id'),
		seen: { 'invite-fields': 'missing: id', ids: 'number, undefined' },
	},
	{
		name: 'usage alerts without the email',
		edit: records(/\/usage_alerts/, (row) => ({ ...row, subscriber: { id: 1 } })),
		seen: { 'usage-alert-fields': 'missing: subscriber.email' },
	},
	{
		name: 'one list is not there',
		edit: refused('GET', /\/invites$/, 404),
		seen: { 'invite-fields': '? no record was read' },
	},
	{
		name: 'one list is no list',
		edit: ({ url }) => (url.pathname.endsWith('/roles') ? Response.json({ roles: 3 }) : undefined),
		seen: { 'list-form': 'an array; no list (JSON)', 'role-fields': '? no record was read' },
	},
	{
		name: 'a list that always breaks off',
		prepare: broken(/\/creators$/),
		seen: { 'creator-fields': '? no record was read' },
	},
	{
		name: 'an outage of the token info',
		edit: refused('GET', /token\/info/, 503),
		seen: { 'token-scope': '? 503, JSON' },
	},
];

const probed = (url: URL): boolean => decodeURIComponent(url.pathname).includes(EMAIL);

/** Changes the record of the probe's own subscriber only. */
const ofProbe = (change: (record: Record<string, unknown>) => Record<string, unknown>): Edit =>
	records(SUBSCRIBERS, (row) => (row.email === EMAIL ? change(row) : row));

const writing = (
	[
		{
			name: 'feed changes are ignored',
			prepare: ignored(/\/feeds\//),
			seen: {
				suspended: '200, JSON, then available',
				activated: '? it was available before',
				deactivated: '200, JSON, then available',
				'same-address': '? the feed was not closed and opened',
				'create-reactivates': '? the feed was not closed (available)',
			},
		},
		{
			name: 'feed changes fail',
			edit: refused('PATCH', /\/feeds\//, 500),
			seen: {
				suspended: '500, JSON, then suspended',
				activated: '500, JSON, then available',
				deactivated: '500, JSON, then deactivated',
			},
		},
		{
			name: 'a gateway fails while feeds change',
			edit: refused('PATCH', /\/feeds\//, 502),
			seen: { suspended: '? 502, JSON', activated: '? 502, JSON', deactivated: '? 502, JSON' },
		},
		{
			name: 'a suspended feed has another word',
			edit: ofProbe((row) => ({ ...row, state: row.state === 'suspended' ? 'paused' : row.state })),
			seen: {
				suspended: '200, JSON, then another state',
				'same-address': '? the feed was not closed and opened',
			},
		},
		{
			name: 'a closed feed shows as suspended',
			edit: ofProbe((row) => ({
				...row,
				state: row.state === 'deactivated' ? 'suspended' : row.state,
			})),
			seen: {
				deactivated: '200, JSON, then suspended',
				'create-reactivates': '? the feed was not closed (suspended)',
			},
		},
		{
			name: 'a new subscriber has no feed yet',
			edit: ofProbe((row) => ({
				...row,
				state: row.updated_at === row.created_at ? 'pending' : row.state,
			})),
			seen: { 'new-is-open': 'pending, an address' },
		},
		{
			name: 'a new subscriber has a plan',
			edit: ofProbe((row) => ({ ...row, plan_id: 3 })),
			seen: { 'new-has-no-plan': 'a plan' },
		},
		{
			name: 'the customer ID is dropped',
			edit: ofProbe((row) => ({ ...row, customer_id: null })),
			seen: { 'customer-id-kept': 'another value (object)' },
		},
		{
			name: 'a name is filled in',
			edit: ofProbe((row) => ({
				...row,
				first_name: row.first_name ?? 'probe',
				last_name: 'Listener',
			})),
			seen: { 'names-kept': 'a name that was not sent' },
		},
		{
			name: 'usage alerts cannot be ignored',
			edit: ofProbe((row) => ({ ...row, ignore_usage_alerts: false })),
			seen: { 'ignore-usage-alerts': '200, JSON, unchanged' },
		},
		{
			name: 'the time zone cannot be changed',
			edit: ofProbe((row) => ({ ...row, time_zone: 'UTC' })),
			seen: { 'time-zone': '200, JSON, unchanged' },
		},
		{
			name: 'updates are refused',
			prepare: refusedBefore('PATCH', /\/subscribers\//, 422),
			seen: {
				changed: '422, JSON',
				'ignore-usage-alerts': '422, JSON, unchanged',
				'time-zone': '422, JSON, unchanged',
			},
		},
		{
			name: 'an opened feed has a new address',
			edit: ofProbe((row) =>
				row.updated_at === row.created_at
					? row
					: { ...row, subscriptions: [{ feed_url: 'https://b.example' }] },
			),
			seen: { 'same-address': 'another address' },
		},
		{
			name: 'a delete always succeeds',
			edit: ({ method, response }) =>
				method === 'DELETE' && response.status === 404 ? Response.json({}) : undefined,
			seen: { 'deleted-again': '200, JSON' },
		},
		{
			name: 'deletes fail but happen',
			edit: ({ method, url, response }) =>
				method === 'DELETE' && !probed(url) && response.status === 200
					? Response.json({}, { status: 500 })
					: undefined,
			seen: { deleted: '500, then 404', 'deleted-again': '? the first delete failed' },
		},
		{
			name: 'wrapped JSON is refused',
			prepare: refusedBefore('POST', /\/subscribers$/, 400),
			seen: { 'wrapped-json': '400, JSON', created: '400, JSON' },
			stopped: /Supercast answered a create with 400/,
		},
	] as Server[]
).map((server): Server => ({ ...server, part: 'write' }));

const limits = (
	[
		{
			name: 'no limit',
			options: { rateLimit: 0 },
			seen: {
				'rate-limit': 'no 429 in 158 requests within a minute',
				'retry-after': '? there was no 429',
			},
		},
		{
			name: 'a lower limit',
			options: { rateLimit: 60 },
			seen: { 'rate-limit': '? 429 after 61, perhaps because of other apps' },
		},
		{
			name: 'a slow server without a limit',
			options: { rateLimit: 0 },
			prepare: ({ sandbox, world }) => ({
				sandbox,
				world: {
					...world,
					fetch: async (url, init) => {
						await world.sleep(900);
						return await world.fetch(url, init);
					},
				},
			}),
			seen: {
				'rate-limit': '? no 429 in 66 requests within a minute, too few to tell',
				'retry-after': '? there was no 429',
			},
		},
		{
			name: 'no Retry-After',
			options: { retryAfter: 'absent' },
			seen: { 'retry-after': 'no Retry-After' },
		},
		{
			name: 'an odd Retry-After',
			edit: headers(/./, (own) => own.has('retry-after') && own.set('retry-after', 'soon')),
			seen: { 'retry-after': 'another form' },
		},
	] as Server[]
).map((server): Server => ({ ...server, part: 'limit' }));

export const servers: Server[] = [...switches, ...reading, ...writeSwitches, ...writing, ...limits];

/** The server gets a parameter under a name that it does not know. */
function renamed(parameter: string): Server['prepare'] {
	return ({ sandbox, world }) => ({
		sandbox,
		world: {
			...world,
			fetch: async (input, init) => {
				const url = new URL(String(input));
				url.searchParams.delete(parameter);
				return await world.fetch(url, init);
			},
		},
	});
}

function instead(
	matches: (method: string, path: string) => boolean,
	answer: (sandbox: Sandbox, path: string) => Promise<Response> | Response,
): Server['prepare'] {
	return ({ sandbox, world }) => ({
		sandbox,
		world: {
			...world,
			fetch: async (input, init) => {
				const { pathname } = new URL(String(input));
				const isIt = matches(init?.method ?? 'GET', pathname);
				return isIt ? await answer(sandbox, pathname) : await world.fetch(input, init);
			},
		},
	});
}

function broken(path: RegExp): Server['prepare'] {
	return instead(
		(_method, url) => path.test(url),
		() => {
			throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
		},
	);
}

function ignored(path: RegExp): Server['prepare'] {
	return instead(
		(method, url) => method === 'PATCH' && path.test(url),
		() => Response.json({ state: 'available' }),
	);
}

function refusedBefore(method: string, path: RegExp, status: number): Server['prepare'] {
	return instead(
		(asked, url) => asked === method && path.test(url),
		() => Response.json({ message: 'Not today' }, { status }),
	);
}
