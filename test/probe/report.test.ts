import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { judges, rows } from '../../probe/facts';
import { filesOf, NAME, sources } from '../../probe/places';
import { findings, reportOf, textOfRows } from '../../probe/report';
import { PERSONALITIES, type PersonalityName, type Sandbox } from '../../sandbox';
import { edited, records } from './servers/edits';
import { EMAIL, recordsOf, runProbe, useBenches } from './support';

const start = useBenches();
const ROOT = join(__dirname, '..', '..');
const personalities = Object.keys(PERSONALITIES) as PersonalityName[];

/** All personal data and secrets in a sandbox. */
function secretsOf({ state, accessToken, readOnlyToken, origin }: Sandbox): string[] {
	const people = [...state.subscribers, ...state.creators, ...state.invites];
	const names = [...state.subscribers, ...state.creators].flatMap((person) => [
		person.first_name,
		person.last_name,
		person.uuid,
	]);
	const feeds = state.subscribers.flatMap((row) => [row.feed_token, state.feedUrl(row.uuid)]);
	const texts = [...state.episodes, ...state.questions].map(({ title }) => title);
	const { title, description, website_url: website } = state.channel;
	const own = [accessToken, readOnlyToken, ...state.secrets, origin, EMAIL, 'supercast-probe'];
	const all = [...people.map(({ email }) => email), ...names, ...feeds, ...texts, ...own];
	return [...all, title, description, website, '127.0.0.1'].filter(
		(secret): secret is string => typeof secret === 'string' && secret !== '',
	);
}

describe('the file for an issue', () => {
	it.each(personalities)(
		'holds no personal data, and no record is left: %s',
		async (personality) => {
			const bench = await start({ personality });
			const { sandbox, world } = bench;
			const before = recordsOf(sandbox);
			const outcome = await runProbe(bench, { write: EMAIL, limit: true });
			expect([outcome.stopped, outcome.left, recordsOf(sandbox)]).toEqual([
				undefined,
				undefined,
				before,
			]);
			const text = JSON.stringify(reportOf(outcome, sandbox.baseUrl, world.now()));
			const secrets = secretsOf(sandbox);
			expect(secrets.length).toBeGreaterThan(200);
			const words = new Set(text.split(/[^\w@.:/-]+/));
			const found = secrets.filter((secret) =>
				/^\w+$/.test(secret) ? words.has(secret) : text.includes(secret),
			);
			expect(found).toEqual([]);
		},
	);

	it('names fields and types of values', async () => {
		const bench = await start();
		const outcome = await runProbe(bench);
		const { fields, host, path } = reportOf(outcome, bench.sandbox.baseUrl, bench.world.now());
		expect([host, path]).toEqual(['other', '/api/v1']);
		expect(fields.subscriber).toMatchObject({
			uuid: 'UUID',
			email: 'email',
			customer_id: 'null',
			created_at: 'time',
			subscriptions: 'list',
			'subscriptions[].feed_url': 'address',
			'avatar_data.width': 'number',
		});
		expect(fields.role).toEqual({
			id: 'number',
			name: 'text',
			description: 'null',
			permissions: 'list',
			created_at: 'time',
			updated_at: 'time',
		});
	});

	it('leaves out names that may be data, and says which', async () => {
		const bench = await start({ subscribers: 3 });
		const odd = {
			'ann@example.com': true,
			ann_smith: 'x',
			metadata: { bob: 1 },
			plan_notes: 'x',
			custom_data: { ann_smith: { name: 'x' } },
		};
		const keyed = { invites: [{ id: 1 }], ann_smith: 3 };
		const world = edited(bench.world, async (seen) => {
			const { pathname } = seen.url;
			if (pathname.endsWith('/invites')) return Response.json(keyed);
			if (pathname.endsWith('/roles')) return Response.json({ ann_smith: [{ id: 1 }] });
			return await records(/\/(subscribers|channel)/, (row) => ({ ...row, ...odd }))(seen);
		});
		const outcome = await runProbe({ ...bench, world });
		const hidden = new Set<string>();
		const report = reportOf(outcome, bench.sandbox.baseUrl, bench.world.now(), hidden);
		expect(JSON.stringify(report)).not.toMatch(/ann_|bob|@|:\/\//);
		expect(report.fields.subscriber).toMatchObject({
			plan_notes: 'text',
			'(another name)': 'boolean or object or text',
			'custom_data.(another name)': 'object',
		});
		expect([...hidden].filter((name) => name.startsWith('channel'))).toEqual([
			'channel.ann@example.com',
			'channel.ann_smith',
			'channel.metadata',
			'channel.(another name).bob',
			'channel.custom_data.ann_smith',
		]);
	});
});

describe('FACTS.md', () => {
	const named = rows.flatMap(({ change }) =>
		[...change.matchAll(NAME)].map(([, name = '']) => name),
	);

	it('has a row for each fact that the code judges, and no other row says that it is checked', () => {
		const checked = rows.filter(({ checkedBy }) => checkedBy !== '');
		expect(checked.map(({ id }) => id).sort()).toEqual(Object.keys(judges).sort());
		expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
		for (const row of checked) {
			expect(['reading', 'write', 'limit']).toContain(row.checkedBy);
			for (const cell of [row.fact, row.expected, row.certainty, row.change]) {
				expect([row.id, cell]).toEqual([row.id, expect.stringMatching(/\w/)]);
			}
		}
	});

	it.each([...new Set(named)])('says %s, which the package declares', (name) => {
		// Two, where both have to change.
		expect([1, 2]).toContain(filesOf(name).length);
	});

	it('names parameters and pages that exist', () => {
		for (const { id, change } of rows) {
			for (const [, label = ''] of change.matchAll(/\*\*([^*]+)\*\*/g)) {
				expect([id, label, sources().some(([, code]) => code.includes(`'${label}'`))]).toEqual([
					id,
					label,
					true,
				]);
			}
			for (const [, page = ''] of change.matchAll(/`([\w/]+\.(?:md|ts))`/g)) {
				expect([id, page, existsSync(join(ROOT, page))]).toEqual([id, page, true]);
			}
		}
	});

	it('says what each row is that does not hold, with the file, when the probe prints it', async () => {
		const bench = await start({ onExistingEmail: 'duplicate' });
		const outcome = await runProbe(bench, { write: EMAIL });
		const text = textOfRows(findings(outcome.evidence));
		expect(text).toMatch(
			/Supercast refuses a create request.*\n.*expected: 422; seen: 201, another subscriber\n +change: .*subscriber \(nodes\/[\w/]+\.ts\)/,
		);
	});
});

describe('docs/service.md', () => {
	it('leads to the table', () => {
		const page = readFileSync(join(ROOT, 'docs', 'service.md'), 'utf8');
		expect(page).toContain('](../probe/FACTS.md)');
	});
});
