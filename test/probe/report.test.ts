import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { facts } from '../../probe/facts';
import { findings, reportOf, summaryOf, tableOf } from '../../probe/report';
import { PERSONALITIES, type PersonalityName, type Sandbox } from '../../sandbox';
import { EMAIL, runProbe, useBenches } from './support';

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
	it.each(personalities)('holds no personal data: %s', async (personality) => {
		const bench = await start({ personality });
		const { sandbox, world } = bench;
		const outcome = await runProbe(bench, { write: EMAIL, limit: true });
		const text = JSON.stringify(reportOf(outcome, sandbox.baseUrl, world.now()));
		const secrets = secretsOf(sandbox);
		expect(secrets.length).toBeGreaterThan(500);
		const words = new Set(text.split(/[^\w@.:/-]+/));
		const found = secrets.filter((secret) =>
			/^\w+$/.test(secret) ? words.has(secret) : text.includes(secret),
		);
		expect(found).toEqual([]);
	});

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

	it('hides names that are no field names', async () => {
		const bench = await start({ subscribers: 1 });
		const [only] = bench.sandbox.state.subscribers;
		Object.assign(only ?? {}, { 'ann@example.com': true, 'https://x.example': 1 });
		const outcome = await runProbe(bench);
		const { fields } = reportOf(outcome, bench.sandbox.baseUrl, bench.world.now());
		expect(fields.subscriber).toHaveProperty('(another name)');
		expect(JSON.stringify(fields)).not.toMatch(/@|\/\//);
	});
});

describe('the table', () => {
	it('has a row for every fact that the probe can check', async () => {
		const bench = await start();
		const rows = findings((await runProbe(bench)).evidence);
		const judged = Object.entries(facts).filter(([, { foundBy }]) => foundBy !== 'nothing');
		expect(rows.map(({ id }) => id)).toEqual(judged.map(([id]) => id));
		const table = tableOf(rows);
		for (const { seen } of rows) expect(table).toContain(seen.split(' ')[0]);
		const [holding, not, unclear] = summaryOf(rows).match(/\d+/g) ?? [];
		expect(Number(holding) + Number(not) + Number(unclear)).toBe(rows.length);
	});
});

describe('docs/service.md', () => {
	it('matches the list of facts; npm run docs writes it', () => {
		const args = ['--import', 'tsx', 'probe/document.ts', '--check'];
		const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
		expect([status, stderr]).toEqual([0, '']);
	});

	it('has a row for every fact', () => {
		const page = readFileSync(join(ROOT, 'docs', 'service.md'), 'utf8');
		for (const { fact } of Object.values(facts)) expect(page).toContain(`| ${fact} `);
	});
});
