import { EMAIL } from '../support';
import {
	ignored,
	records,
	refused,
	refusedBefore,
	withJson,
	type Edit,
	type Prepare,
} from './edits';
import { SUBSCRIBERS, type Server } from './server';

const probed = (url: URL): boolean => decodeURIComponent(url.pathname).includes(EMAIL);

/** Changes the record of the probe's own subscriber only. */
const ofProbe = (change: (record: Record<string, unknown>) => Record<string, unknown>): Edit =>
	records(SUBSCRIBERS, (row) => (row.email === EMAIL ? change(row) : row));

/** The sandbox gets a feed change late. */
const lateBy =
	(ms: number): Prepare =>
	({ sandbox, runtime }) => {
		const due: Array<{ at: number; send: () => Promise<unknown> }> = [];
		return {
			sandbox,
			runtime: {
				...runtime,
				fetch: async (input, init) => {
					for (const one of due.splice(0)) {
						if (runtime.now() < one.at) due.push(one);
						else await one.send();
					}
					if (init?.method !== 'PATCH' || !String(input).includes('/feeds/')) {
						return await runtime.fetch(input, init);
					}
					due.push({ at: runtime.now() + ms, send: async () => await runtime.fetch(input, init) });
					return new Response(null, { status: 202 });
				},
			},
		};
	};

export const writing = (
	[
		{
			name: 'feed changes take effect after 20 s',
			prepare: lateBy(20_000),
			seen: {
				suspended: '202, no body, then suspended after 22 s',
				activated: '202, no body, then available after 22 s',
				deactivated: '202, no body, then deactivated after 22 s',
			},
		},
		{
			name: 'customer IDs are stored in lower case',
			edit: ofProbe((row) => ({ ...row, customer_id: String(row.customer_id).toLowerCase() })),
			seen: { 'customer-id-kept': 'another value (string)' },
		},
		{
			name: 'one of two podcasts stays open',
			edit: ofProbe((row) => ({
				...row,
				subscriptions: [
					...(row.subscriptions as object[]),
					{ feed_url: 'https://feeds.example/2', state: 'available' },
				],
			})),
			seen: {
				suspended: '200, JSON, then suspended, with a podcast that is still open',
				deactivated: '200, JSON, then deactivated, with a podcast that is still open',
			},
		},
		{
			name: 'times have no zone, and are local times west of UTC',
			edit: ofProbe((row) => ({
				...row,
				created_at: new Date(Date.parse(String(row.created_at)) - 8 * 3_600_000)
					.toISOString()
					.replace('Z', ''),
			})),
			seen: {},
		},
		{
			name: 'nobody is found by email, and a create request returns nothing',
			edit: async (seen) => {
				const isLookUp =
					seen.method === 'GET' && /\/(subscribers|feeds)\/.*(@|%40)/.test(seen.url.href);
				if (isLookUp) return Response.json({ message: 'Not found' }, { status: 404 });
				return seen.method === 'POST' ? new Response(null, { status: 201 }) : undefined;
			},
			stopped: /^The probe stopped early\. It wrote nothing/,
			seen: {
				'found-by-email': '404, JSON',
				'other-capitals': '404, JSON',
				'feed-by-email': '404, JSON',
			},
		},
		{
			name: 'a missing record gets 410',
			edit: ({ response }) =>
				response.status === 404 ? Response.json({ message: 'Gone' }, { status: 410 }) : undefined,
			seen: {
				'missing-record': '410, JSON',
				'wrong-address': '410, JSON',
				deleted: '200, then 410',
				'deleted-again': '410, JSON',
			},
		},
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
				suspended: '200, JSON, then paused',
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
				changed: '? 422, JSON',
				'ignore-usage-alerts': '? 422, JSON',
				'time-zone': '? 422, JSON',
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
			seen: { 'wrapped-json': '400, JSON', created: '? 400, JSON' },
			stopped: /Supercast answered a create with 400/,
		},
		{
			name: 'wrapped JSON is an invalid subscriber',
			prepare: refusedBefore('POST', /\/subscribers$/, 422),
			seen: { 'wrapped-json': '422, JSON', created: '? 422, JSON' },
			stopped: /needs another body/,
		},
		{
			name: 'wrapped JSON makes a subscriber without an email',
			edit: async (seen) => {
				if (seen.method === 'POST') {
					return await withJson(seen, (row) => ({ ...(row as object), email: null }));
				}
				const isLookUp = seen.method === 'GET' && probed(seen.url);
				return isLookUp ? Response.json({ message: 'Not found' }, { status: 404 }) : undefined;
			},
			stopped: /does not show the new subscriber/,
			seen: {
				'wrapped-json': '201, a record without the email',
				'visible-at-once': 'not within 30 s',
			},
		},
	] as Server[]
).map((server): Server => ({ ...server, part: 'write' }));
