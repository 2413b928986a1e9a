import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { readFlags } from '../../sandbox/flags';
import { fetchAnswer } from './helpers';

const ROOT = join(__dirname, '..', '..');

interface Run {
	child: ChildProcess;
	ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
	line: Promise<string>;
}

function run(...args: string[]): Run {
	const command = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'sandbox/cli.ts', ...args];
	const child = spawn(process.execPath, command, { cwd: ROOT });
	let [stdout, stderr] = ['', ''];
	child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
	const line = new Promise<string>((resolve) => {
		child.stdout.on('data', (chunk: Buffer) => {
			stdout += chunk.toString();
			if (stdout.includes('\n')) resolve(stdout);
		});
	});
	const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
		child.on('close', (code) => resolve({ code, stdout, stderr }));
	});
	return { child, ended, line };
}

// A separate process takes a while on a busy machine.
jest.setTimeout(30_000);

describe('the command line', () => {
	it('prints one line of JSON, responds, and ends on SIGTERM', async () => {
		const { child, ended, line } = run('--port', '0', '--subscribers', '3');
		const ready = JSON.parse(await line) as Record<string, string>;
		expect(Object.keys(ready)).toEqual(
			expect.arrayContaining([
				'baseUrl',
				'authUrl',
				'accessTokenUrl',
				'accessToken',
				'clientId',
				'clientSecret',
			]),
		);
		expect(ready.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
		const headers = { authorization: `Bearer ${ready.accessToken}` };
		const answer = await fetchAnswer<unknown[]>(`${ready.baseUrl}/subscribers`, { headers });
		expect(answer.body).toHaveLength(3);
		child.kill('SIGTERM');
		const { code, stdout, stderr } = await ended;
		expect([code, stderr]).toEqual([0, '']);
		expect(stdout.trim().split('\n')).toHaveLength(1);
	});

	it('ends with 2 and one sentence on a wrong flag', async () => {
		const { code, stdout, stderr } = await run('--port', 'many').ended;
		expect([code, stdout]).toEqual([2, '']);
		expect(stderr).toBe('--port takes a whole number, not "many"\n');
	});

	it.each([
		[['--rate-limit', '-1'], /rate-limit/],
		[['--port', '70000'], /--port is invalid/],
		[['--order', 'random'], /--order is invalid/],
		[['--nonsense'], /--nonsense/],
		[['positional'], /positional/],
		[['--per-page-max', '0'], /--per-page-max is invalid/],
	])('refuses %j', (args, problem) => {
		expect(() => readFlags(args)).toThrow(problem);
	});

	it('reads every flag of the contract', () => {
		const flags = {
			'--port': 'port',
			'--rate-limit': 'rateLimit',
			'--rate-window-ms': 'rateWindowMs',
			'--token-ttl-s': 'tokenTtlS',
			'--per-page-max': 'perPageMax',
			'--latency-ms': 'latencyMs',
			'--subscribers': 'subscribers',
			'--episodes': 'episodes',
			'--usage-alerts': 'usageAlerts',
		};
		const args = Object.keys(flags).flatMap((flag, index) => [flag, String(index + 1)]);
		const expected = Object.values(flags).map((option, index) => [option, index + 1]);
		expect(readFlags(args)).toEqual(Object.fromEntries(expected));
		expect(readFlags(['--no-paging-headers', '--redirect-uri', 'https://a.example/cb'])).toEqual({
			headers: false,
			redirectUris: ['https://a.example/cb'],
		});
	});
});
