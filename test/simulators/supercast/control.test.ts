import fc from 'fast-check';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import type { Sandbox, SandboxOptions } from '../../../simulators/supercast';
import { readFlags } from '../../../simulators/supercast/flags';
import { LimitCounter } from '../../../simulators/supercast/server/rateLimit';
import { ask, fetchAnswer, useSandboxes } from './helpers';

const start = useSandboxes();

describe('the rate limit', () => {
	const withClock = async (options: SandboxOptions = {}) => {
		const clock = { now: Date.UTC(2026, 0, 1) };
		const sandbox = await start({ rateLimit: 3, now: () => clock.now, ...options });
		return { clock, sandbox, ask: async () => (await ask(sandbox, '/channel')).status };
	};

	it('is 100 requests in any minute, as specified', async () => {
		const { clock, ask: status } = await withClock({ rateLimit: undefined });
		const some = async (count: number) =>
			new Set(await Promise.all(Array.from({ length: count }, status)));
		expect(await some(60)).toEqual(new Set([200]));
		clock.now += 30_000;
		expect(await some(40)).toEqual(new Set([200]));
		expect(await status()).toBe(429);
		clock.now += 29_999;
		expect(await status()).toBe(429);
		clock.now += 1;
		expect(await some(60)).toEqual(new Set([200]));
		expect(await status()).toBe(429);
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
		expect(sandbox.state.subscribers).toHaveLength(25);
		expect(sandbox.stats().byStatus).toEqual({ 400: 1, 401: 1, 404: 1, 429: 2 });
	});

	it.each([
		['seconds', '18'],
		['date', 'Thu, 01 Jan 2026 00:01:00 GMT'],
		['absent', null],
	] as const)('says when to try again: %s', async (retryAfter, expected) => {
		const { clock, sandbox } = await withClock({ rateLimit: 1, retryAfter });
		await ask(sandbox, '/channel');
		clock.now += 42_500;
		const { status, headers } = await ask(sandbox, '/channel');
		expect([status, headers.get('retry-after')]).toEqual([429, expected]);
	});

	it('does not count a 429 of a fault, unless refused requests count', async () => {
		for (const [countRefused, statuses] of [
			[false, [429, 200, 429]],
			[true, [429, 429, 429]],
		] as const) {
			const { sandbox, ask: status } = await withClock({ rateLimit: 1, countRefused });
			sandbox.controls.addFaults({ kind: 'status', status: 429 });
			expect([await status(), await status(), await status()]).toEqual(statuses);
		}
	});

	it('never admits more than the limit in any window, and is right about waiting times', () => {
		const steps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
		const limit = fc.integer({ min: 1, max: 8 });
		fc.assert(
			fc.property(steps, limit, fc.boolean(), (gaps, rateLimit, countRefused) => {
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
			}),
		);
	});
});

describe('the control API', () => {
	const control = async (sandbox: Sandbox, path: string, body?: unknown) =>
		await fetchAnswer(`${sandbox.origin}/_sandbox${path}`, { body });

	it('counts by status and by route, and starts again after a reset', async () => {
		const sandbox = await start();
		const before = (await control(sandbox, '/state')).text;
		const body = { email: 'x@example.com' };
		await ask(sandbox, '/subscribers', { body });
		await ask(sandbox, '/subscribers', { body });
		await ask(sandbox, '/nowhere');
		await control(sandbox, '/faults', { kind: 'status', share: 1 });
		expect((await control(sandbox, '/stats')).body).toEqual({
			requests: 3,
			byStatus: { 201: 1, 404: 1, 422: 1 },
			byRoute: { 'POST /subscribers': { 201: 1, 422: 1 }, 'GET (unknown)': { 404: 1 } },
		});
		await control(sandbox, '/reset', {});
		expect((await control(sandbox, '/state')).text).toBe(before);
		expect((await control(sandbox, '/stats')).body).toMatchObject({ requests: 0, byRoute: {} });
		expect((await ask(sandbox, '/channel')).status).toBe(200);
	});

	it.each([
		['/usage-alerts', { count: 2 }, ({ usageAlerts }: Sandbox['state']) => usageAlerts.length],
		[
			'/records',
			{ resource: 'subscribers', count: 3 },
			({ subscribers }: Sandbox['state']) => subscribers.length,
		],
	] as const)('%s adds %j', async (path, body, count) => {
		const sandbox = await start();
		const before = count(sandbox.state);
		await control(sandbox, path, body);
		expect(count(sandbox.state)).toBe(before + body.count);
	});
});

describe('the command line', () => {
	const ROOT = join(__dirname, '..', '..', '..');

	/** Starts the command. Resolves with the first line that it prints, or with its error. */
	async function run(...args: string[]): Promise<{ child: ChildProcess; line: string }> {
		const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
		const command = [tsx, 'simulators/supercast/cli.ts', ...args];
		const child = spawn(process.execPath, command, { cwd: ROOT });
		const line = await new Promise<string>((resolve) => {
			for (const stream of [child.stdout, child.stderr])
				stream.on('data', (chunk: Buffer) => resolve(chunk.toString()));
		});
		return { child, line };
	}

	const ended = async (child: ChildProcess) =>
		child.exitCode ?? (await new Promise((resolve) => child.on('close', resolve)));

	it('prints one line of JSON, responds, and ends on SIGTERM', async () => {
		const { child, line } = await run('--port', '0', '--subscribers', '3');
		const { baseUrl, accessToken } = JSON.parse(line) as Record<string, string>;
		expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
		const headers = { authorization: `Bearer ${accessToken}` };
		expect((await fetchAnswer(`${baseUrl}/subscribers`, { headers })).body).toHaveLength(3);
		child.kill('SIGTERM');
		expect(await ended(child)).toBe(0);
	});

	it('ends with 2 and one sentence on a wrong flag', async () => {
		const { child, line } = await run('--port', 'many');
		expect(line).toBe('--port takes a whole number, not "many"\n');
		expect(await ended(child)).toBe(2);
	});

	it('reads numbers, words, and switches that are off or on', () => {
		const numbers = ['--rate-limit', '0', '--usage-alerts', '9'];
		const others = ['--order', 'newest', '--no-paging-headers', '--count-refused'];
		expect(readFlags([...numbers, ...others, '--redirect-uri', 'https://a.example/cb'])).toEqual({
			rateLimit: 0,
			usageAlerts: 9,
			order: 'newest',
			headers: false,
			countRefused: true,
			redirectUris: ['https://a.example/cb'],
		});
		expect(() => readFlags(['--order', 'random'])).toThrow(/--order is invalid/);
		expect(() => readFlags(['--nonsense'])).toThrow(/--nonsense/);
	});
});
