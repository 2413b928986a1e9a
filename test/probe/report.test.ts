import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { command } from '../../tools/probe/command';
import { facts, judges, rows } from '../../tools/probe/facts';
import { readProbeFlags } from '../../tools/probe/flags';
import { filesOf, NAME, sources } from '../../tools/probe/places';
import { findings, reportOf, textOfRows } from '../../tools/probe/report';
import { createSandbox, type Sandbox } from '../../simulators/supercast';
import { answering, EMAIL, recordsOf, runProbe, useBenches, writesOf } from './support';

const ROOT = join(__dirname, '..', '..');

describe('the report', () => {
	const start = useBenches();

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
		it.each(['documented', 'hostile'] as const)(
			'holds no personal data, and no record is left: %s',
			async (profile) => {
				const bench = await start({ profile });
				const { sandbox, runtime } = bench;
				const before = recordsOf(sandbox);
				const outcome = await runProbe(bench, { write: EMAIL, limit: true });
				expect([outcome.stopped, outcome.left, recordsOf(sandbox)]).toEqual([
					undefined,
					undefined,
					before,
				]);
				const text = JSON.stringify(reportOf(outcome, sandbox.baseUrl, runtime.now()));
				const secrets = secretsOf(sandbox);
				expect(secrets.length).toBeGreaterThan(200);
				const words = new Set(text.split(/[^\w@.:/-]+/));
				const found = secrets.filter((secret) =>
					/^\w+$/.test(secret) ? words.has(secret) : text.includes(secret),
				);
				expect(found).toEqual([]);
			},
		);

		it('leaves out names that may be data, and says which', async () => {
			const bench = await start({ subscribers: 3 });
			const odd = {
				'ann@example.com': true,
				ann_smith: 'x',
				metadata: { bob: 1 },
				plan_notes: 'x',
				custom_data: { ann_smith: { name: 'x' } },
			};
			const rows = bench.sandbox.state.subscribers.map((row) => ({ ...row, ...odd }));
			const keyed = answering(bench, (_method, path) => {
				if (path.endsWith('/invites')) return Response.json({ invites: [{ id: 1 }], ann_smith: 3 });
				if (path.endsWith('/roles')) return Response.json({ ann_smith: [{ id: 1 }] });
				if (path.endsWith('/channel')) return Response.json({ title: 'x', ...odd });
				return path.endsWith('/subscribers') ? Response.json(rows) : undefined;
			});
			const outcome = await runProbe(keyed);
			const hidden = new Set<string>();
			const report = reportOf(outcome, bench.sandbox.baseUrl, bench.runtime.now(), hidden);
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
		const named = facts.flatMap(({ change }) =>
			[...change.matchAll(NAME)].map(([, name = '']) => name),
		);

		it('has a row for each fact that the code judges, and no other row says that it is checked', () => {
			const checked = rows.filter(({ checkedBy }) => checkedBy !== '');
			expect(checked.map(({ id }) => id).sort()).toEqual(Object.keys(judges).sort());
			expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
			for (const row of checked) {
				expect(['reading', 'write', 'limit']).toContain(row.checkedBy);
				for (const cell of [row.fact, row.expected, row.certainty]) {
					expect([row.id, cell]).toEqual([row.id, expect.stringMatching(/\w/)]);
				}
			}
		});

		it.each([...new Set(named)])('says %s, which the package declares', (name) => {
			// If two files declare it, both have to change.
			expect([1, 2]).toContain(filesOf(name).length);
		});

		it('names parameters and pages that exist', () => {
			for (const { id, change } of facts) {
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

		it('lets the probe print what to change in which file if a fact does not hold', async () => {
			const bench = await start({ onExistingEmail: 'duplicate' });
			const outcome = await runProbe(bench, { write: EMAIL });
			const text = textOfRows(findings(outcome.evidence));
			expect(text).toMatch(
				/Supercast refuses a create request.*\n.*expected: 422; seen: 201, another subscriber\n +change: .*subscriber \(nodes\/[\w/]+\.ts\)/,
			);
		});
	});
});

describe('the command', () => {
	// A separate process takes a while on a busy machine.

	let sandbox: Sandbox;
	let folder: string;
	beforeEach(async () => {
		sandbox = await createSandbox({ rateLimit: 0 });
		folder = mkdtempSync(join(tmpdir(), 'probe-'));
	});
	afterEach(async () => {
		await sandbox.close();
		rmSync(folder, { recursive: true, force: true });
	});

	interface Ended {
		code: number | null;
		output: string;
	}

	const flagsOf = (args: string[], pace: string): string[] => [
		...['--base-url', sandbox.baseUrl, '--requests-per-minute', pace],
		...args,
	];

	/** Starts the command as npm does, in a separate process. */
	function start(args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
		const flags = flagsOf(args, '1200');
		const child = spawn(process.execPath, ['--import', 'tsx', 'tools/probe/cli.ts', ...flags], {
			cwd: ROOT,
			env: { ...process.env, SUPERCAST_TOKEN: sandbox.accessToken },
		});
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
		}
		const ended = new Promise<Ended>((resolve) => {
			child.on('close', (code) => resolve({ code, output }));
		});
		return { child, ended };
	}

	/** Runs the command to its end, in this process and without its waits. */
	async function run(args: string[], input = ''): Promise<Ended> {
		const screen = new PassThrough();
		let output = '';
		screen.on('data', (chunk: Buffer) => (output += chunk.toString()));
		const runtime = { fetch, now: () => Date.now(), sleep: async () => await sleep(0) };
		const { signal } = new AbortController();
		const terminal = {
			input: Readable.from([input]),
			output: screen,
			errors: screen,
			runtime,
			signal,
		};
		const environment = { SUPERCAST_TOKEN: sandbox.accessToken };
		const code = await command(flagsOf(args, '6000'), environment, terminal);
		return { code, output };
	}

	async function until(condition: () => boolean): Promise<void> {
		while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
	}

	describe('the command', () => {
		it('reads, prints the table, and writes the file', async () => {
			const file = join(folder, 'probe.json');
			const { code, output } = await run(['--json', file]);
			expect(code).toBe(0);
			expect(output).toMatch(/A response that contains a list is an array/);
			expect(output).toMatch(
				/These facts hold \(\d+\)[^]*do not hold.*\(\d+\)[^]*sent \d+ requests\./,
			);
			expect(writesOf(sandbox)).toEqual([]);
			const report = JSON.parse(readFileSync(file, 'utf8')) as { facts: unknown[] };
			expect(report.facts.length).toBeGreaterThan(40);
			expect(output + readFileSync(file, 'utf8')).not.toContain(sandbox.accessToken);
		});

		it.each([
			['y\n', 0, true],
			['n\n', 0, false],
			['', 0, false],
		])('asks before it writes: %j', async (input, expected, isWritten) => {
			const { code, output } = await run(['--write', EMAIL], input);
			expect(code).toBe(expected);
			expect(output).toContain('Continue? (y/N)');
			expect(writesOf(sandbox).length > 0).toBe(isWritten);
			expect(output.includes('The probe deleted everything that it created.')).toBe(isWritten);
		});

		it('deletes what it created when it gets SIGTERM in the middle of writing', async () => {
			const before = recordsOf(sandbox);
			const { child, ended } = start(['--write', EMAIL, '--yes']);
			await until(() => writesOf(sandbox).length >= 3);
			expect(sandbox.state.subscriber(EMAIL)).toBeDefined();
			child.kill('SIGTERM');
			child.kill('SIGTERM');
			const { code, output } = await ended;
			expect(code).toBe(130);
			expect(output).toContain('The probe deleted everything that it created.');
			expect(recordsOf(sandbox)).toBe(before);
		});

		it.each([
			['nonsense', '/api/v1', /^Supercast does not know this token \(401\)\.$/m],
			['', '/api/v9', /^The base URL does not lead to Supercast's API \(404, JSON\)/m],
		])(
			'says in a sentence what is wrong with the token or the address',
			async (token, path, text) => {
				const own = ['--token', token || sandbox.accessToken, '--base-url', sandbox.origin + path];
				const { code, output } = await run(own);
				expect([code, output]).toEqual([1, expect.stringMatching(text)]);
			},
		);
	});

	describe('flags', () => {
		const read = (...args: string[]) =>
			readProbeFlags(['--base-url', 'https://supercast.tech/api/v1/', '--token', 't', ...args], {});

		it('have defaults', () => {
			expect(read()).toEqual({
				baseUrl: 'https://supercast.tech/api/v1',
				token: 't',
				limit: false,
				yes: false,
				requestsPerMinute: 45,
			});
			expect(read('--write', ' Ann@Example.com ').write).toBe('ann@example.com');
		});

		it.each([
			[['--base-url', 'supercast'], /--base-url must be the address/],
			[['--base-url', 'http://supercast.tech/api/v1'], /unencrypted/],
			[['--token', ' '], /--token is missing/],
			[['--write', 'nobody'], /--write needs an email/],
			[['--requests-per-minute', '51'], /whole number from 1 to 50/],
			[['--requests-per-minute', 'many'], /whole number from 1 to 50/],
			[['--nonsense'], /--nonsense/],
		])('refuse %j', (args, problem) => {
			expect(() => read(...args)).toThrow(problem);
		});
	});
});
