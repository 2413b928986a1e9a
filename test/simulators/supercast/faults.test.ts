import type { FaultSpec, Sandbox } from '../../../simulators/supercast';
import { ask, fetchAnswer, useSandboxes } from './helpers';

const start = useSandboxes();

const arm = async (sandbox: Sandbox, body: FaultSpec | FaultSpec[]) =>
	await fetchAnswer(`${sandbox.origin}/_sandbox/faults`, { body });

/** An attempt to delete a subscriber. Returns the status, or that there was none. */
async function remove(sandbox: Sandbox, uuid: string): Promise<number | 'broken'> {
	try {
		return (await ask(sandbox, `/subscribers/${uuid}`, { method: 'DELETE' })).status;
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
		let got = '';
		const reading = async () => {
			for await (const chunk of response.body ?? []) got += Buffer.from(chunk).toString();
		};
		await expect(reading()).rejects.toThrow();
		const whole = JSON.stringify(sandbox.state.channel);
		expect(got).toBe(whole.slice(0, whole.length >> 1));
	});

	it.each([
		[null, null],
		['7', '7'],
		['date', 'Thu, 01 Jan 2026 00:00:01 GMT'],
	])('sends Retry-After %j', async (retryAfter, expected) => {
		const sandbox = await start({ now: () => Date.UTC(2026, 0, 1) });
		await arm(sandbox, { kind: 'status', status: 429, retryAfter });
		const { status, headers } = await ask(sandbox, '/channel');
		expect([status, headers.get('retry-after')]).toEqual([429, expected]);
	});

	it.each([
		['an error with 200', { body: { error: 'busy' } }, 200, '{"error":"busy"}', null],
		['another status', { status: 207, body: null }, 207, 'null', null],
		['an empty page with the total', { when: 'after', body: [] }, 200, '[]', '25'],
		['another total', { when: 'after', keep: 0, headers: { 'X-Total': '500' } }, 200, '[]', '500'],
		['no total', { when: 'after', keep: 0, headers: { 'X-Total': null } }, 200, '[]', null],
	] as const)('sends %s', async (_name, fault, status, text, total) => {
		const sandbox = await start();
		await arm(sandbox, { kind: 'answer', ...fault });
		const answer = await ask(sandbox, '/subscribers');
		const seen = [answer.status, answer.text, answer.headers.get('x-total')];
		expect(seen).toEqual([status, text, total]);
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
			await arm(sandbox, { kind: 'status', share: 0.3, seed });
			const statuses: number[] = [];
			for (let index = 0; index < 50; index++) {
				statuses.push((await ask(sandbox, '/channel')).status);
			}
			return statuses;
		};
		const [first, same, other] = [await hits(7), await hits(7), await hits(8)];
		expect(new Set(first)).toEqual(new Set([200, 503]));
		expect(same).toEqual(first);
		expect(other).not.toEqual(first);
	});

	it('is gone when cleared, and reaches the token endpoint only by name', async () => {
		const sandbox = await start();
		await arm(sandbox, { kind: 'status', share: 1 });
		const tokens = async () => (await fetchAnswer(sandbox.accessTokenUrl, { body: 'x=1' })).status;
		expect([await tokens(), (await ask(sandbox, '/channel')).status]).toEqual([401, 503]);
		await fetchAnswer(`${sandbox.origin}/_sandbox/faults`, { method: 'DELETE' });
		expect((await ask(sandbox, '/channel')).status).toBe(200);
		await arm(sandbox, { kind: 'status', path: '/oauth/token' });
		expect([(await ask(sandbox, '/channel')).status, await tokens()]).toEqual([200, 503]);
	});

	it('may let a request land after its answer, which counts once', async () => {
		const sandbox = await start();
		const uuid = firstUuid(sandbox);
		await arm(sandbox, { kind: 'reset', method: 'PATCH', lateMs: 30 });
		const body = { feed_token: { state: 'inactive' } };
		await expect(ask(sandbox, `/feeds/${uuid}`, { method: 'PATCH', body })).rejects.toThrow();
		expect(sandbox.state.subscriber(uuid)?.state).toBe('available');
		while (sandbox.state.subscriber(uuid)?.state === 'available') await new Promise(setImmediate);
		expect(sandbox.state.requests).toHaveLength(1);
	});
});
