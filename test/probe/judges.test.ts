import type { Answer } from '../../tools/probe/answer';
import type { ListName } from '../../tools/probe/evidence/reading';
import { facts, judges, rows, type FactId } from '../../tools/probe/facts';
import type { Evidence } from '../../tools/probe/finding';
import type { Fields } from '../../tools/probe/shapes';
import { EMAIL, runProbe, startBench } from './support';

type Whole = Required<Evidence>;

/** What the probe learns about a service that behaves as FACTS.md says. */
let documented: Whole;

beforeAll(async () => {
	const bench = await startBench();
	const { evidence } = await runProbe(bench, { write: EMAIL, limit: true });
	const { headers, json, form } = evidence.reading.channel;
	evidence.reading.otherHost = { status: 200, headers, json, form };
	documented = evidence as Whole;
	await bench.sandbox.close();
});

it('every fact holds for a service that behaves as the table says', () => {
	const others = facts
		.map(({ id, judge }) => ({ id, ...judge(documented) }))
		.filter(({ verdict }) => verdict !== 'holds');
	expect(others).toEqual([]);
});

it.each(rows.filter(({ checkedBy }) => checkedBy === 'write').map(({ id }) => id as FactId))(
	'%s stays unknown if the probe has only read',
	(id) => {
		const { verdict, seen } = judges[id]({ reading: documented.reading });
		expect([verdict, seen]).toEqual(['unknown', 'not tried (needs --write)']);
	},
);

const GONE: Answer = { status: 404, headers: {}, json: { message: 'Not found' }, form: 'JSON' };
const PAGE: Answer = { status: 404, headers: {}, json: undefined, form: 'a web page' };
const NO_BODY: Answer = { status: 204, headers: {}, json: undefined, form: 'no body' };
const OUTAGE: Answer = { status: 503, headers: {}, json: {}, form: 'JSON' };

const json = (answer: Answer | undefined) => answer?.json as Fields;

/** Changes every record of a list. */
const everyRow =
	(list: ListName, change: Fields): Edit =>
	({ reading }) =>
		reading.lists[list]?.rows.forEach((row) => Object.assign(row, change));

/** Changes the record of the probe's own subscriber, as it was first read. */
const first =
	(change: Fields): Edit =>
	({ writing }) =>
		Object.assign(writing.first ?? {}, change);

type Edit = (evidence: Whole) => void;

/** What a service does otherwise, and what the judge says. A leading `?` means unknown. */
const differences: Array<[FactId, string, Edit]> = [
	['token-required', '403, JSON', ({ reading }) => (reading.withoutToken.status = 403)],
	['both-paths', '404, JSON under the other path', ({ reading }) => (reading.otherPath = GONE)],
	['both-paths', '? 503, JSON', ({ reading }) => (reading.otherPath = OUTAGE)],
	['both-hosts', '404, JSON on the other host', ({ reading }) => (reading.otherHost = GONE)],
	[
		'rate-limit',
		'no 429 in 158 requests within a minute',
		(evidence) => (evidence.limit = { taken: 158, others: 0 }),
	],
	[
		'rate-limit',
		'? 429 after 60, perhaps because of other apps',
		({ limit }) => (limit.taken = 60),
	],
	['retry-after', 'no Retry-After', ({ limit }) => (limit.refusal = {})],
	['date-header', 'no date', ({ reading }) => delete reading.channel.headers.date],
	['missing-record', '404, a web page', ({ reading }) => (reading.missingRecord = PAGE)],
	['wrong-address', '404, a web page', ({ reading }) => (reading.wrongAddress = PAGE)],
	['error-message', 'in 2 of 3', ({ reading }) => delete json(reading.wrongAddress).message],
	[
		'list-form',
		'an array; an object with the list under its own name',
		({ reading }) => (reading.lists.roles!.form = 'an object with "roles"'),
	],
	[
		'list-elements',
		'each inside an object under its own name',
		({ reading }) => (reading.lists.roles!.areBare = false),
	],
	[
		'paging-headers',
		'link, x-total',
		({ reading }) => (reading.pages.first.headers = { link: 'x', 'x-total': '30' }),
	],
	['page-headers', '1 and 2', ({ reading }) => (reading.pages.second.headers['x-page'] = '1')],
	[
		'total',
		'records after the last page',
		({ reading: { pages } }) => (pages.last!.after = pages.first),
	],
	[
		'paging',
		'the same records on the next page',
		({ reading: { pages } }) => (pages.second = pages.first),
	],
	[
		'largest-page',
		'20 of 100',
		({ reading: { pages } }) => (pages.hundred.headers['x-per-page'] = '20'),
	],
	['past-the-end', 'records', ({ reading: { pages } }) => (pages.pastEnd = pages.first)],
	[
		'record-form',
		'an object inside another',
		({ reading: { channel } }) => (channel.json = { channel: channel.json }),
	],
	['found-by-email', '404, JSON', ({ reading }) => (reading.lookups.byEmail = GONE)],
	['found-by-uuid', '404, JSON', ({ reading }) => (reading.lookups.byUuid = GONE)],
	['other-capitals', '404, JSON', ({ reading }) => (reading.lookups.inCapitals = GONE)],
	['feed-by-uuid', '404, JSON', ({ reading }) => (reading.lookups.feedByUuid = GONE)],
	['feed-by-email', '404, JSON', ({ reading }) => (reading.lookups.feedByEmail = GONE)],
	['uuids', 'text', everyRow('subscribers', { uuid: 'u1' })],
	['episode-by-id', '404, JSON', ({ reading }) => (reading.episode = GONE)],
	['times', 'ISO 8601, with Z; another form', everyRow('episodes', { created_at: '1 January' })],
	['states', 'paused', everyRow('subscribers', { state: 'paused' })],
	['states', 'another state', everyRow('subscribers', { state: 'ann' })],
	[
		'quiet-reads',
		'another time after each look-up',
		({ reading }) => (json(reading.lookups.byUuidAgain).updated_at = '2026-01-01T00:00:00Z'),
	],
	[
		'subscription-address',
		'an address in rss_url',
		everyRow('subscribers', { subscriptions: [{ rss_url: 'https://feeds.example/x' }] }),
	],
	...(
		[
			['subscriber-fields', 'subscribers', 'plan_name'],
			['episode-fields', 'episodes', 'summary'],
			['creator-fields', 'creators', 'first_name'],
			['question-fields', 'questions', 'body'],
			['role-fields', 'roles', 'permissions'],
			['invite-fields', 'invites', 'id'],
		] as const
	).map(([id, list, field]): [FactId, string, Edit] => [
		id,
		`missing: ${field}`,
		({ reading }) => reading.lists[list]?.rows.forEach((row) => delete row[field]),
	]),
	['usage-alert-fields', 'missing: subscriber.email', everyRow('usage_alerts', { subscriber: {} })],
	['wrapped-json', '422, JSON', ({ writing }) => (writing.created!.status = 422)],
	['created', '200, the record', ({ writing }) => (writing.created!.status = 200)],
	['new-is-open', 'pending, an address', first({ state: 'pending' })],
	['new-has-no-plan', 'a plan', first({ plan_id: 3 })],
	['customer-id-kept', 'another value (string)', first({ customer_id: 'supercast-probe' })],
	['names-kept', 'a name that was not sent', first({ last_name: 'Listener' })],
	['visible-at-once', 'after 6 s', ({ writing }) => (writing.visibleAfterMs = 5_500)],
	['known-email', '409, JSON', ({ writing }) => (writing.createdAgain!.status = 409)],
	[
		'known-email',
		'201, another subscriber',
		({ writing }) => (writing.createdAgain = { ...writing.created!, json: { uuid: 'x' } }),
	],
	['changed', '204, no body', ({ writing }) => (writing.changed = NO_BODY)],
	[
		'ignore-usage-alerts',
		'200, JSON, unchanged',
		({ writing }) => (writing.afterChange!.ignore_usage_alerts = false),
	],
	['time-zone', '200, JSON, unchanged', ({ writing }) => (writing.afterChange!.time_zone = 'UTC')],
	['time-zone', '? 503, JSON', ({ writing }) => (writing.changed = OUTAGE)],
	[
		'suspended',
		'200, JSON, then paused',
		({ writing }) => (writing.feeds.suspended!.after!.state = 'paused'),
	],
	[
		'suspended',
		'200, JSON, then suspended, with a podcast that is still open',
		({ writing: { feeds } }) => (feeds.suspended!.after!.subscriptions = [{ state: 'available' }]),
	],
	[
		'activated',
		'500, JSON, then available',
		({ writing }) => (writing.feeds.available!.answer.status = 500),
	],
	[
		'activated',
		'? it was available before',
		({ writing }) => (writing.feeds.available!.before!.state = 'available'),
	],
	[
		'deactivated',
		'200, JSON, then deactivated after 22 s',
		({ writing }) => (writing.feeds.inactive!.afterMs = 22_000),
	],
	[
		'same-address',
		'another address',
		({ writing }) =>
			(writing.feeds.available!.after!.subscriptions = [{ feed_url: 'https://b.example' }]),
	],
	[
		'deleted',
		'200, then 200, deactivated',
		({ writing }) => {
			writing.afterDelete = { ...GONE, status: 200, json: { state: 'deactivated' } };
		},
	],
	['deleted-again', '200, JSON', ({ writing }) => (writing.deletedAgain!.status = 200)],
	['new-uuid', 'the same uuid', ({ writing }) => (writing.second = writing.first)],
	['new-address', 'the same feed address', ({ writing }) => (writing.second = writing.first)],
];

it.each(differences)('%s: %s', (id, expected, edit) => {
	const evidence = structuredClone(documented);
	edit(evidence);
	const { verdict, seen } = judges[id](evidence);
	expect(`${verdict}: ${seen}`).toBe(
		expected.startsWith('? ') ? `unknown: ${expected.slice(2)}` : `does not hold: ${expected}`,
	);
});

it('each judge has a difference that it finds', () => {
	const found = differences.filter(([, seen]) => !seen.startsWith('?')).map(([id]) => id);
	expect(new Set(found)).toEqual(new Set(Object.keys(judges)));
});
