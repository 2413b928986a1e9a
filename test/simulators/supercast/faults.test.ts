import type { FaultSpec, Sandbox } from '../../../simulators/supercast';
import { ask, fetchAnswer, useSandboxes, type Answer } from './helpers';

const start = useSandboxes();

const arm = async (sandbox: Sandbox, body: FaultSpec | FaultSpec[]): Promise<Answer> =>
	await fetchAnswer(`${sandbox.origin}/_sandbox/faults`, { body });

/** An attempt to delete the first subscriber. Returns the status, or that there was none. */
async function remove(sandbox: Sandbox, uuid: string): Promise<number | 'broken'> {
	try {
		const { status } = await ask(sandbox, `/subscribers/${uuid}`, { method: 'DELETE' });
		return status;
	} catch {
		return 'broken';
	}
}

const firstUuid = (sandbox: Sandbox): string => sandbox.state.subscribers[0]?.uuid ?? '';

describe('faults', () => {
	it.each([
		['status', {}, 503],
		['status', { status: 500 }, 500],
		['reset', {}, 'broken'],
		['truncated', {}, 'broken'],
		['stall', { stallMs: 50 }, 'broken'],
		['html', {}, 502],
	] as const)(
		'%s %j applies once, before the sandbox processed it or after',
		async (kind, more, seen) => {
			const sandbox = await start();
			const uuid = firstUuid(sandbox);
			await arm(sandbox, { kind, when: 'before', ...more });
			expect(await remove(sandbox, uuid)).toBe(seen);
			expect(sandbox.state.subscriber(uuid)).toBeDefined();
			await arm(sandbox, { kind, when: 'after', ...more });
			expect(await remove(sandbox, uuid)).toBe(seen);
			expect(sandbox.state.subscriber(uuid)).toBeUndefined();
			expect(await remove(sandbox, uuid)).toBe(404);
			expect(sandbox.state.requests.map((entry) => entry.fault)).toEqual([
				{ kind, when: 'before' },
				{ kind, when: 'after' },
				undefined,
			]);
		},
	);

	it('sends the head and half of a truncated answer', async () => {
		const sandbox = await start();
		await arm(sandbox, { kind: 'truncated', when: 'after' });
		const headers = { authorization: `Bearer ${sandbox.accessToken}` };
		const response = await fetch(`${sandbox.baseUrl}/channel`, { headers });
		expect(response.status).toBe(200);
		const whole = JSON.stringify(sandbox.state.channel);
		expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)));
		let got = '';
		const reading = async () => {
			for await (const chunk of response.body ?? []) got += Buffer.from(chunk).toString();
		};
		await expect(reading()).rejects.toThrow();
		expect(got).toBe(whole.slice(0, whole.length >> 1));
	});

	it('sends a web page instead of JSON', async () => {
		const sandbox = await start();
		await arm(sandbox, { kind: 'html', status: 200, when: 'after' });
		const answer = await ask(sandbox, '/subscribers');
		expect([answer.status, answer.headers.get('content-type')]).toEqual([
			200,
			'text/html; charset=utf-8',
		]);
		expect(answer.text).toContain('<h1>');
		expect(answer.headers.get('x-total')).toBeNull();
	});

	it.each([
		[null, null],
		['7', '7'],
		['soon', 'soon'],
		['date', 'Thu, 01 Jan 2026 00:00:01 GMT'],
	])('sends Retry-After %j', async (retryAfter, expected) => {
		const sandbox = await start({ now: () => Date.UTC(2026, 0, 1) });
		await arm(sandbox, { kind: 'status', status: 429, retryAfter });
		const { status, headers } = await ask(sandbox, '/channel');
		expect([status, headers.get('retry-after')]).toEqual([429, expected]);
	});

	it('accepts Retry-After as a number, too', async () => {
		const sandbox = await start();
		await arm(sandbox, { kind: 'status', status: 503, retryAfter: 5 });
		expect((await ask(sandbox, '/channel')).headers.get('retry-after')).toBe('5');
	});

	it.each([
		['an error with 200', { body: { error: 'busy' } }, 200, '{"error":"busy"}', null],
		[
			'text that is not JSON',
			{ body: 'OK', headers: { 'X-Total': '7', 'Content-Type': 'text/plain' } },
			200,
			'OK',
			'7',
		],
		['another status', { status: 207, body: null }, 207, 'null', null],
		['an empty page with the total', { when: 'after', body: [] }, 200, '[]', '25'],
		['another total', { when: 'after', keep: 0, headers: { 'X-Total': '500' } }, 200, '[]', '500'],
		['no total', { when: 'after', keep: 0, headers: { 'X-Total': null } }, 200, '[]', null],
	] as const)('sends %s', async (_name, fault, status, text, total) => {
		const sandbox = await start();
		await arm(sandbox, { kind: 'answer', ...fault });
		const answer = await ask(sandbox, '/subscribers');
		expect([answer.status, answer.text, answer.headers.get('x-total')]).toEqual([
			status,
			text,
			total,
		]);
		expect(sandbox.stats().byStatus).toEqual({ [status]: 1 });
	});

	it('shortens one page of a list, in any wrapper, and only that page', async () => {
		const sandbox = await start({ wrapLists: 'name', perPageMax: 10 });
		await arm(sandbox, { kind: 'answer', when: 'after', keep: 3, query: { page: '2' }, times: 9 });
		const page = async (number: number): Promise<number> => {
			const path = `/subscribers?page=${number}`;
			return (await ask<{ subscribers: unknown[] }>(sandbox, path)).body.subscribers.length;
		};
		expect([await page(1), await page(2), await page(3)]).toEqual([10, 3, 5]);
	});

	it('does not keep the sandbox from closing', async () => {
		const sandbox = await start({ latencyMs: 60_000 });
		await arm(sandbox, { kind: 'stall' });
		const pending = [remove(sandbox, 'a'), remove(sandbox, 'b')];
		while (sandbox.state.requests.length < 2) await new Promise(setImmediate);
		const began = performance.now();
		await sandbox.close();
		expect(await Promise.all(pending)).toEqual(['broken', 'broken']);
		expect(performance.now() - began).toBeLessThan(3_000);
	});

	it('applies to the given requests, as often as the fault says', async () => {
		const sandbox = await start({ rateLimit: 0 });
		await arm(sandbox, [
			{ kind: 'status', times: 2, skip: 1, method: 'get', path: '/subscribers' },
			{ kind: 'status', status: 500, times: 1, path: '/episodes' },
		]);
		const get = async (path: string) => (await ask(sandbox, path)).status;
		expect(await get('/channel')).toBe(200);
		const body = { email: 'x@example.com' };
		expect((await ask(sandbox, '/subscribers', { body })).status).toBe(201);
		expect([await get('/subscribers'), await get('/subscribers')]).toEqual([200, 503]);
		expect([await get('/subscribers?page=2'), await get('/subscribers')]).toEqual([503, 200]);
		expect([await get('/episodes/1'), await get('/episodes/1')]).toEqual([500, 200]);
	});

	it('hits a share of the requests, the same ones for the same seed', async () => {
		const hits = async (seed: number) => {
			const sandbox = await start({ rateLimit: 0 });
			await arm(sandbox, { kind: 'status', share: 0.2, seed });
			const statuses: number[] = [];
			for (let index = 0; index < 100; index++) {
				statuses.push((await ask(sandbox, '/channel')).status);
			}
			return statuses;
		};
		const [first, same, other] = [await hits(7), await hits(7), await hits(8)];
		const struck = first.filter((status) => status === 503).length;
		expect(struck).toBeGreaterThan(8);
		expect(struck).toBeLessThan(35);
		expect(same).toEqual(first);
		expect(other).not.toEqual(first);
	});

	it('is gone when cleared, and never applies to the control API or the feeds', async () => {
		const sandbox = await start();
		await arm(sandbox, { kind: 'status', share: 1 });
		const feed = sandbox.state.feedUrl(firstUuid(sandbox)) ?? '';
		expect((await fetchAnswer(feed)).status).toBe(200);
		expect((await fetchAnswer(sandbox.accessTokenUrl, { body: 'x=1' })).status).toBe(401);
		expect((await ask(sandbox, '/channel')).status).toBe(503);
		await fetchAnswer(`${sandbox.origin}/_sandbox/faults`, { method: 'DELETE' });
		expect((await ask(sandbox, '/channel')).status).toBe(200);
	});

	it('applies to the token endpoint if it names it', async () => {
		const sandbox = await start();
		await arm(sandbox, { kind: 'status', path: '/oauth/token' });
		expect((await ask(sandbox, '/channel')).status).toBe(200);
		expect((await fetchAnswer(sandbox.accessTokenUrl, { body: 'x=1' })).status).toBe(503);
	});

	it('does not count a 429 for the limit, unless refused requests count', async () => {
		for (const [countRefused, statuses] of [
			[false, [429, 200, 429]],
			[true, [429, 429, 429]],
		] as const) {
			const sandbox = await start({ rateLimit: 1, countRefused });
			await arm(sandbox, { kind: 'status', status: 429 });
			const seen: number[] = [];
			for (let n = 0; n < 3; n++) seen.push((await ask(sandbox, '/channel')).status);
			expect(seen).toEqual(statuses);
		}
	});

	it('takes a time between two latencies, at random', async () => {
		const sandbox = await start({ latencyMs: 20, latencyMaxMs: 320, seed: 3 });
		const times: number[] = [];
		for (let n = 0; n < 6; n++) {
			const began = performance.now();
			await ask(sandbox, '/channel');
			times.push(performance.now() - began);
		}
		expect(Math.min(...times)).toBeGreaterThan(19);
		expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(100);
	});

	it('refuses immediately, whatever the latency', async () => {
		const sandbox = await start({ latencyMs: 60_000, rateLimit: 1 });
		const answered = ask(sandbox, '/channel').catch(() => 'broken');
		while (sandbox.state.requests.length < 1) await new Promise(setImmediate);
		expect((await ask(sandbox, '/channel')).status).toBe(429);
		await sandbox.close();
		expect(await answered).toBe('broken');
	});
});

describe('requests that are processed late', () => {
	it('land after the answer of the fault, and count once', async () => {
		const sandbox = await start();
		const uuid = firstUuid(sandbox);
		await arm(sandbox, { kind: 'status', status: 504, method: 'DELETE', lateMs: 30 });
		expect(await remove(sandbox, uuid)).toBe(504);
		expect(sandbox.state.subscriber(uuid)).toBeDefined();
		await new Promise((resolve) => setTimeout(resolve, 120));
		expect(sandbox.state.subscriber(uuid)).toBeUndefined();
		expect(sandbox.state.requests).toHaveLength(1);
	});

	it('also with a body', async () => {
		const sandbox = await start();
		const uuid = firstUuid(sandbox);
		await arm(sandbox, { kind: 'reset', method: 'PATCH', lateMs: 30 });
		const body = { feed_token: { state: 'inactive' } };
		await expect(ask(sandbox, `/feeds/${uuid}`, { method: 'PATCH', body })).rejects.toThrow();
		expect(sandbox.state.subscriber(uuid)?.state).toBe('available');
		await new Promise((resolve) => setTimeout(resolve, 120));
		expect(sandbox.state.subscriber(uuid)?.state).toBe('deactivated');
	});
});
