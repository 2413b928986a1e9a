import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { command } from '../../probe/command';
import { readProbeFlags } from '../../probe/flags';
import { createSandbox, type Sandbox } from '../../sandbox';
import { someOf } from '../support/deep';
import { EMAIL, recordsOf, writesOf } from './support';

const ROOT = join(__dirname, '..', '..');

// A separate process takes a while on a busy machine.
jest.setTimeout(60_000);

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
	const child = spawn(process.execPath, ['--import', 'tsx', 'probe/cli.ts', ...flags], {
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

/** Runs the command to its end, here and without its waits. */
async function run(args: string[], input = ''): Promise<Ended> {
	const screen = new PassThrough();
	let output = '';
	screen.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const world = { fetch, now: () => Date.now(), sleep: async () => await sleep(0) };
	const { signal } = new AbortController();
	const terminal = { input: Readable.from([input]), output: screen, errors: screen, world, signal };
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
		expect(output).toMatch(/A list is a bare array/);
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

	it.each(someOf(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 1))(
		'deletes what it created when it gets %s in the middle of writing',
		async (signal) => {
			const before = recordsOf(sandbox);
			const { child, ended } = start(['--write', EMAIL, '--yes']);
			await until(() => writesOf(sandbox).length >= 3);
			expect(sandbox.state.subscriber(EMAIL)).toBeDefined();
			child.kill(signal);
			child.kill(signal);
			const { code, output } = await ended;
			expect(code).toBe(130);
			expect(output).toContain('The probe deleted everything that it created.');
			expect(recordsOf(sandbox)).toBe(before);
		},
	);

	it('refuses a file that it cannot write before it sends anything', async () => {
		const { code, output } = await run(['--json', join(folder, 'none', 'probe.json')]);
		expect([code, output]).toEqual([2, expect.stringMatching(/--json: .* cannot be written/)]);
		expect(sandbox.stats().requests).toBe(0);
	});

	it('says last what is left, even if the file cannot be written any more', async () => {
		sandbox.controls.changeSettings({ deleted: 'kept' });
		const file = join(folder, 'gone', 'probe.json');
		mkdirSync(join(folder, 'gone'));
		const ended = run(['--write', EMAIL, '--yes', '--json', file]);
		await until(() => writesOf(sandbox).length > 0);
		rmSync(join(folder, 'gone'), { recursive: true });
		const { code, output } = await ended;
		expect(code).toBe(1);
		expect(output).toMatch(/probe\.json was not written: ENOENT/);
		expect(output.trim().split('\n').at(-1)).toMatch(/^A subscriber with that address is left/);
	});

	it('says in a sentence what is wrong with the token and with the address', async () => {
		const [wrong, nowhere, closed] = await Promise.all([
			run(['--token', 'nonsense']),
			run(['--base-url', `${sandbox.origin}/api/v9`]),
			run(['--base-url', 'http://127.0.0.1:9/api/v1']),
		]);
		expect(wrong).toEqual({
			code: 1,
			output: 'Reading (about a minute) …\nSupercast does not know this token (401).\n',
		});
		expect([nowhere.code, nowhere.output]).toEqual([1, expect.stringContaining('(404, JSON)')]);
		expect([closed.code, closed.output]).toEqual([
			1,
			expect.stringMatching(/could not be reached/),
		]);
	});
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
