import { EMAIL } from '../support';
import { headers, ignored, records, refused, refusedBefore, type Edit } from './edits';
import { SUBSCRIBERS, type Server } from './server';

const probed = (url: URL): boolean => decodeURIComponent(url.pathname).includes(EMAIL);

/** Changes the record of the probe's own subscriber only. */
const ofProbe = (change: (record: Record<string, unknown>) => Record<string, unknown>): Edit =>
	records(SUBSCRIBERS, (row) => (row.email === EMAIL ? change(row) : row));

export const writing = (
	[
		{
			name: 'feed changes are ignored',
			prepare: ignored(/\/feeds\//),
			seen: {
				suspended: '200, JSON, then available',
				activated: '? it was available before',
				deactivated: '200, JSON, then available',
				'same-address': '? the feed was not closed and opened',
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

export const limits = (
	[
		{
			name: 'no limit',
			options: { rateLimit: 0 },
			seen: {
				'rate-limit': 'no 429 in 156 requests within a minute',
				'retry-after': '? there was no 429',
			},
		},
		{
			name: 'a lower limit',
			options: { rateLimit: 60 },
			seen: { 'rate-limit': '? 429 after 60, perhaps because of other apps' },
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
