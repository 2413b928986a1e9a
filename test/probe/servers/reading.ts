import { broken, edited, records, refused, renamed, withJson, type Edit } from './edits';
import { SUBSCRIBERS, type Server } from './server';

const without = (list: string, field: string): Edit =>
	records(new RegExp(`/${list}`), (row) => ({ ...row, [field]: undefined }));

let looks = 0;

export const reading: Server[] = [
	{
		name: 'a look-up changes updated_at',
		edit: records(/\/subscribers\/./, (row) => ({ ...row, updated_at: `${++looks}` })),
		seen: { 'quiet-reads': 'another time after each look-up' },
	},
	{
		name: 'a state that may be the name of a person',
		edit: records(SUBSCRIBERS, (row) => ({ ...row, state: row.id === 1 ? 'ann' : row.state })),
		seen: { states: 'another state, available' },
	},
	{
		name: 'records are under "result"',
		edit: async (seen) =>
			/\/(subscribers|episodes|channel)(\/[^/]+)?$/.test(seen.url.pathname) &&
			seen.response.status === 200
				? await withJson(seen, (json) => (Array.isArray(json) ? json : { result: json }))
				: undefined,
		part: 'write',
		seen: { 'record-form': 'an object inside another' },
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
			'largest-page': '25 of 100',
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
			'quiet-reads': '? no subscriber has a uuid and updated_at',
			'feed-by-uuid': '? no subscriber was read',
		},
	},
	{
		name: 'uuids of another form',
		prepare: ({ sandbox, runtime }) => ({
			sandbox,
			runtime: edited(
				{
					...runtime,
					fetch: async (url, init) =>
						await runtime.fetch(
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
		name: 'another state',
		edit: records(SUBSCRIBERS, (row) => ({ ...row, state: row.id === 1 ? 'paused' : row.state })),
		seen: { states: 'available, paused' },
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
		name: 'a look-up by email finds someone else',
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
		seen: {
			'found-by-uuid': '404, JSON',
			'quiet-reads': '? no subscriber has a uuid and updated_at',
		},
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
		seen: { times: 'another form' },
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
		] as const
	).map(([list, field, id]) => ({
		name: `${list} without ${field}`,
		edit: without(list, field),
		seen: { [id]: `missing: ${field}` },
	})),
	{
		name: 'invites without id',
		edit: without('invites', 'id'),
		seen: { 'invite-fields': 'missing: id' },
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
		name: 'an outage of the other path',
		edit: refused('GET', /^\/v1\/channel/, 503),
		seen: { 'both-paths': '? 503, JSON' },
	},
];
