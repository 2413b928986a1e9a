import fc from 'fast-check';
import { LimitCounter } from '../../sandbox/server/rateLimit';
import { ask, fetchAnswer, useSandboxes } from './helpers';

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

	it('counts every request, whatever its token and address, and processes none above', async () => {
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
