import fc from 'fast-check';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import type { Sandbox } from '../../../simulators/supercast';
import { readFlags } from '../../../simulators/supercast/flags';
import { LimitCounter } from '../../../simulators/supercast/server/rateLimit';
import { isDeep } from '../../support/deep';
import { type Answer, ask, fetchAnswer, useSandboxes } from './helpers';

describe('controls', () => {
	const start = useSandboxes();

	const control = async <T = Record<string, unknown>>(
		sandbox: Sandbox,
		path: string,
		body?: unknown,
	): Promise<Answer<T>> => await fetchAnswer<T>(`${sandbox.origin}/_sandbox${path}`, { body });

	describe('the control API', () => {
		it('counts by status and by route, but not itself', async () => {
			const sandbox = await start();
			const [first, second] = sandbox.state.subscribers;
			await ask(sandbox, '/subscribers', { body: { email: 'x@example.com' } });
			await ask(sandbox, '/subscribers', { body: { email: 'x@example.com' } });
			await ask(sandbox, `/subscribers/${first?.uuid}`, { method: 'DELETE' });
			await ask(sandbox, `/subscribers/${second?.email}`, { method: 'DELETE' });
			await ask(sandbox, '/nowhere');
			await fetchAnswer(sandbox.state.feedUrl(sandbox.state.subscribers[0]?.uuid ?? '') ?? '');
			await control(sandbox, '/state');
			const { body } = await control(sandbox, '/stats');
			expect(body).toEqual({
				requests: 5,
				byStatus: { 200: 2, 201: 1, 404: 1, 422: 1 },
				byRoute: {
					'POST /subscribers': { 201: 1, 422: 1 },
					'DELETE /subscribers/:id': { 200: 2 },
					'GET (unknown)': { 404: 1 },
				},
			});
		});

		it('resets records, counters, faults and the rate window, but no token', async () => {
			const sandbox = await start({ rateLimit: 2 });
			const before = JSON.stringify((await control(sandbox, '/state')).body);
			const uuid = sandbox.state.subscribers[0]?.uuid;
			await ask(sandbox, `/subscribers/${uuid}`, { method: 'DELETE' });
			await ask(sandbox, '/subscribers', { body: { email: 'x@example.com' } });
			expect((await ask(sandbox, '/channel')).status).toBe(429);
			await control(sandbox, '/faults', { kind: 'status', share: 1 });
			expect(JSON.stringify((await control(sandbox, '/state')).body)).not.toBe(before);
			await control(sandbox, '/reset', {});
			expect(JSON.stringify((await control(sandbox, '/state')).body)).toBe(before);
			expect((await control(sandbox, '/stats')).body).toEqual({
				requests: 0,
				byStatus: {},
				byRoute: {},
			});
			expect((await ask(sandbox, '/channel')).status).toBe(200);
		});

		it('gives the same sandbox for the same seed, and another for another', async () => {
			const states = await Promise.all(
				[5, 5, 6].map(async (seed) => (await control(await start({ seed }), '/state')).text),
			);
			expect(states[1]).toBe(states[0]);
			expect(states[2]).not.toBe(states[0]);
		});

		it('adds alerts and records', async () => {
			const sandbox = await start();
			const alerts = await control(sandbox, '/usage-alerts', { count: 4 });
			expect(alerts.body).toEqual({ created: 4, ids: [4, 5, 6, 7] });
			expect((await ask<unknown[]>(sandbox, '/usage_alerts')).body).toHaveLength(7);
			const added = await control(sandbox, '/records', { resource: 'subscribers', count: 3 });
			expect(added.body).toEqual({ created: 3 });
			expect((await ask(sandbox, '/subscribers')).headers.get('x-total')).toBe('28');
		});

		it('changes settings while it runs, each without touching the others', async () => {
			const sandbox = await start({ perPageMax: 7 });
			await control(sandbox, '/settings', { order: 'newest', rateLimit: 0 });
			const { headers, body } = await ask<Array<{ uuid: string }>>(sandbox, '/subscribers');
			expect(headers.get('x-per-page')).toBe('7');
			expect(body[0]?.uuid).toBe(sandbox.state.subscribers.at(-1)?.uuid);
			await control(sandbox, '/settings', { headers: false });
			expect((await ask(sandbox, '/subscribers')).headers.get('x-total')).toBeNull();
		});

		it('revokes tokens immediately', async () => {
			const sandbox = await start();
			await control(sandbox, '/revoke-tokens', { which: 'manual' });
			const { status, body } = await ask(sandbox, '/channel');
			expect([status, body.message]).toEqual([401, 'The access token was revoked']);
			sandbox.reset();
			expect((await ask(sandbox, '/channel')).status).toBe(200);
		});

		it.each([
			['/usage-alerts', { count: 0 }, 'count'],
			['/usage-alerts', { count: 'many' }, 'count'],
			['/records', { resource: 'pigs' }, 'resource'],
			['/settings', { order: 'random' }, 'order'],
			['/faults', { kind: 'status', share: 2 }, 'share'],
			['/faults', { kind: 'status', shar: 1 }, 'shar'],
			['/faults', [{ kind: 'fire' }], 'kind'],
			['/revoke-tokens', { which: 'some' }, 'which'],
		])('%s refuses %j and names the field', async (path, body, field) => {
			const sandbox = await start();
			const answer = await control(sandbox, path, body);
			expect(answer.status).toBe(422);
			expect(JSON.stringify(answer.body)).toContain(field);
		});

		it('knows no other route', async () => {
			expect((await control(await start(), '/nothing')).status).toBe(404);
		});

		it('keeps a bounded log and unbounded counters', async () => {
			const sandbox = await start({ logSize: 2 });
			for (const page of [1, 2, 3]) await ask(sandbox, `/subscribers?page=${page}`);
			expect(sandbox.state.requests.map((entry) => entry.query.page)).toEqual(['2', '3']);
			expect(sandbox.stats().requests).toBe(3);
		});
	});

	const MANY = isDeep ? 100_000 : 10_000;
	/** Computing time in microseconds, which does not depend on other work on the machine. */
	const SECOND = 1_000_000;

	describe(`${MANY} subscribers`, () => {
		it('are created, found and listed with little computing time', async () => {
			const began = process.cpuUsage();
			const sandbox = await start({ subscribers: MANY, rateLimit: 0 });
			expect(process.cpuUsage(began).user).toBeLessThan(10 * SECOND);
			const last = sandbox.state.subscribers.at(-1);
			const reading = process.cpuUsage();
			const lastPages = Array.from({ length: 20 }, (_, index) => MANY / 100 - index).reverse();
			for (const page of lastPages) {
				const path = `/subscribers?page=${page}&per_page=100`;
				const { body } = await ask<Array<{ uuid: string }>>(sandbox, path);
				expect(body).toHaveLength(100);
				if (page === MANY / 100) expect(body.at(-1)?.uuid).toBe(last?.uuid);
			}
			for (let index = 0; index < 20; index++) {
				expect((await ask(sandbox, `/subscribers/${last?.email}`)).status).toBe(200);
			}
			expect(process.cpuUsage(reading).user).toBeLessThan(5 * SECOND);
		});
	});
});

describe('the rate limit', () => {
	const start = useSandboxes();

	describe('the rate limit', () => {
		const withClock = async (options = {}) => {
			const clock = { now: Date.UTC(2026, 0, 1) };
			const sandbox = await start({ rateLimit: 3, now: () => clock.now, ...options });
			return { clock, sandbox, ask: async () => (await ask(sandbox, '/channel')).status };
		};

		it('is a sliding window: room comes back as requests leave it', async () => {
			const { clock, ask: status } = await withClock();
			expect(await status()).toBe(200);
			clock.now += 30_000;
			expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
			clock.now += 29_999;
			expect(await status()).toBe(429);
			clock.now += 1;
			expect([await status(), await status()]).toEqual([200, 429]);
		});

		it('counts every request, whatever its token and address, and processes none above it', async () => {
			const { sandbox } = await withClock();
			expect((await ask(sandbox, '/channel', { token: null })).status).toBe(401);
			expect((await ask(sandbox, '/nothing')).status).toBe(404);
			expect((await ask(sandbox, '/subscribers/%zz')).status).toBe(400);
			const path = `/subscribers/${sandbox.state.subscribers[0]?.uuid}`;
			const refused = await ask(sandbox, path, { method: 'DELETE', token: 'nonsense' });
			expect([refused.status, refused.body.message]).toEqual([429, 'Too many requests']);
			expect((await ask(sandbox, path, { method: 'DELETE' })).status).toBe(429);
			expect((await ask(sandbox, '/subscribers/%zz')).status).toBe(429);
			expect(sandbox.state.subscribers).toHaveLength(25);
			expect(sandbox.stats().byStatus).toEqual({ 400: 1, 401: 1, 404: 1, 429: 3 });
		});

		it('does not apply to feeds, tokens and control', async () => {
			const { sandbox, ask: status } = await withClock({ rateLimit: 1 });
			const feed = sandbox.state.feedUrl(sandbox.state.subscribers[0]?.uuid ?? '') ?? '';
			for (let round = 0; round < 3; round++) {
				expect((await fetchAnswer(feed)).status).toBe(200);
				expect((await fetchAnswer(`${sandbox.origin}/_sandbox/stats`)).status).toBe(200);
				expect((await fetchAnswer(sandbox.accessTokenUrl, { body: 'x=1' })).status).toBe(401);
			}
			expect([await status(), await status()]).toEqual([200, 429]);
		});

		it.each([
			['seconds', '18'],
			['date', 'Thu, 01 Jan 2026 00:01:00 GMT'],
			['absent', null],
		])('says when to try again: %s', async (retryAfter, expected) => {
			const { clock, sandbox } = await withClock({ rateLimit: 1, retryAfter });
			await ask(sandbox, '/channel');
			clock.now += 42_500;
			const { status, headers } = await ask(sandbox, '/channel');
			expect([status, headers.get('retry-after')]).toEqual([429, expected]);
		});

		it('is off at 0', async () => {
			const { ask: status } = await withClock({ rateLimit: 0 });
			const answers = await Promise.all(Array.from({ length: 120 }, status));
			expect(new Set(answers)).toEqual(new Set([200]));
		});

		it('never admits more than the limit in any window, and is right about waiting times', () => {
			const steps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
			fc.assert(
				fc.property(
					steps,
					fc.integer({ min: 1, max: 8 }),
					fc.boolean(),
					(gaps, rateLimit, countRefused) => {
						let now = 0;
						const limits = { rateLimit, rateWindowMs: 1_000, countRefused };
						const limiter = new LimitCounter(limits, () => now);
						const admitted: number[] = [];
						for (const gap of gaps) {
							now += gap;
							const verdict = limiter.admit();
							const inWindow = admitted.filter((time) => time > now - 1_000).length;
							if (verdict.admitted) admitted.push(now);
							if (!countRefused) expect(verdict.admitted).toBe(inWindow < rateLimit);
							if (verdict.admitted) expect(inWindow).toBeLessThan(rateLimit);
							else expect(verdict.waitMs).toBeGreaterThan(0);
						}
						const last = limiter.admit();
						if (last.admitted) return;
						now += last.waitMs;
						expect(limiter.admit().admitted).toBe(true);
					},
				),
			);
		});
	});
});

describe('the command', () => {
	const ROOT = join(__dirname, '..', '..', '..');

	interface Run {
		child: ChildProcess;
		ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
		line: Promise<string>;
	}

	function run(...args: string[]): Run {
		const command = [
			join(ROOT, 'node_modules/tsx/dist/cli.mjs'),
			'simulators/supercast/cli.ts',
			...args,
		];
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

	describe('the vendor’s client against the profile documented', () => {
		it('is understood in everything that it writes', async () => {
			const sandbox = await start({ profile: 'documented' });
			for (const [method, path, body, look, expected] of calls) {
				const { status } = await ask(sandbox, path, { method, body });
				expect([method, path, status]).toEqual([method, path, method === 'POST' ? 201 : 200]);
				expect(look(sandbox)).toEqual(expected);
			}
		});

		it('gets the page, the size and the total in the expected headers', async () => {
			const sandbox = await start({ profile: 'documented' });
			const { headers, body } = await ask<unknown[]>(sandbox, '/subscribers?page=3&per_page=10');
			const names = ['x-page', 'x-per-page', 'x-total'];
			expect(names.map((name) => headers.get(name))).toEqual(['3', '10', '25']);
			expect(body).toHaveLength(5);
		});

		it('gets the error in "message"', async () => {
			const sandbox = await start({ profile: 'documented' });
			const body = `subscriber[email]=${sandbox.state.subscribers[0]?.email}`;
			const answer = await ask(sandbox, '/subscribers', { body });
			expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(/taken/)]);
		});
	});
});
