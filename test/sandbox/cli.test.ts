import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import { readFlags } from '../../sandbox/flags';
import { ask, fetchAnswer, useSandboxes } from './helpers';
import type { Sandbox } from '../../sandbox';

describe('the command', () => {
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
		const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>(
			(resolve) => {
				child.on('close', (code) => resolve({ code, stdout, stderr }));
			},
		);
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
});

describe('a client of the sandbox', () => {
	const start = useSandboxes();

	const EMAIL = 'client@example.com';

	/**
	 * Requests of the vendor's Ruby client, recorded by a sandbox. They have wrapped form fields and
	 * unencoded emails in the path. A delete or an action has a form without fields.
	 */
	const calls: Array<[string, string, string, (sandbox: Sandbox) => unknown, unknown]> = [
		[
			'POST',
			'/subscribers',
			`subscriber[email]=${encodeURIComponent(EMAIL)}&subscriber[first_name]=%C3%96+%26+x`,
			({ state }) => state.subscriber(EMAIL)?.first_name,
			'Ö & x',
		],
		[
			'PATCH',
			`/subscribers/${EMAIL}`,
			'subscriber[last_name]=Lee',
			({ state }) => state.subscriber(EMAIL)?.last_name,
			'Lee',
		],
		...[
			['suspended', 'suspended'],
			['inactive', 'deactivated'],
			['available', 'available'],
		].map(([sent, read]): (typeof calls)[number] => [
			'PATCH',
			`/feeds/${EMAIL}`,
			`feed_token[state]=${sent}`,
			({ state }) => state.subscriber(EMAIL)?.state,
			read,
		]),
		['DELETE', `/subscribers/${EMAIL}`, '', ({ state }) => state.subscriber(EMAIL), undefined],
		['POST', '/episodes', 'episode[title]=New', ({ state }) => state.episodes.at(-1)?.title, 'New'],
		[
			'POST',
			'/roles',
			'role[name]=Editor&role[permissions][]=a&role[permissions][]=b',
			({ state }) => state.roles.at(-1)?.permissions,
			['a', 'b'],
		],
		['PATCH', '/channel', 'channel[title]=Other', ({ state }) => state.channel.title, 'Other'],
		['PATCH', '/usage_alerts/1/dismiss', '', ({ state }) => state.usageAlerts.length, 2],
		['DELETE', '/invites/1', '', ({ state }) => state.invites.length, 1],
	];

	describe('the vendor’s client against the personality documented', () => {
		it('is understood in everything that it writes', async () => {
			const sandbox = await start({ personality: 'documented' });
			for (const [method, path, body, look, expected] of calls) {
				const { status } = await ask(sandbox, path, { method, body });
				expect([method, path, status]).toEqual([method, path, method === 'POST' ? 201 : 200]);
				expect(look(sandbox)).toEqual(expected);
			}
		});

		it('gets the page, the size and the total in the expected headers', async () => {
			const sandbox = await start({ personality: 'documented' });
			const { headers, body } = await ask<unknown[]>(sandbox, '/subscribers?page=3&per_page=10');
			const names = ['x-page', 'x-per-page', 'x-total'];
			expect(names.map((name) => headers.get(name))).toEqual(['3', '10', '25']);
			expect(body).toHaveLength(5);
		});

		it('gets the error in "message"', async () => {
			const sandbox = await start({ personality: 'documented' });
			const body = `subscriber[email]=${sandbox.state.subscribers[0]?.email}`;
			const answer = await ask(sandbox, '/subscribers', { body });
			expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(/taken/)]);
		});
	});
});
