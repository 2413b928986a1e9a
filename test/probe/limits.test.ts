import { findings } from '../../probe/report';
import type { World } from '../../probe/service';
import { edited } from './servers/edits';
import { EMAIL, runProbe, useBenches, writesOf } from './support';

const start = useBenches();

describe('limits', () => {
	it('stays under half of the limit from the first request to the last', async () => {
		const bench = await start();
		await runProbe(bench, { write: EMAIL });
		const times = bench.sandbox.state.requests.map(({ time }) => Date.parse(time));
		for (const time of times) {
			const inMinute = times.filter((other) => other >= time && other < time + 60_000);
			expect(inMinute.length).toBeLessThan(50);
		}
		expect(times.length).toBeGreaterThan(50);
	});

	it('provokes a 429 only with the flag, and only after a yes', async () => {
		const bench = await start();
		const mayProvoke = async (): Promise<boolean> => false;
		await runProbe(bench, { limit: true, mayProvoke });
		expect(bench.sandbox.stats().byStatus[429]).toBeUndefined();
		await runProbe(bench, { limit: true });
		expect(bench.sandbox.stats().byStatus[429]).toBeLessThanOrEqual(5);
	});

	it('are still found out after the writing part has stopped early', async () => {
		const bench = await start();
		bench.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'POST', share: 1 });
		const { stopped, evidence } = await runProbe(bench, { write: EMAIL, limit: true });
		expect(stopped).toContain('stopped early');
		expect(evidence.limit?.refusal).toBeDefined();
	});

	it('are not judged by responses that only refuse the token', async () => {
		const bench = await start({ rateLimit: 0 });
		let sent = 0;
		const world = edited(bench.world, () =>
			++sent > 60 ? Response.json({ message: 'Access denied' }, { status: 403 }) : undefined,
		);
		const { evidence } = await runProbe({ ...bench, world }, { limit: true });
		const row = findings(evidence).find(({ id }) => id === 'rate-limit');
		expect(row).toMatchObject({ verdict: 'unknown', seen: expect.stringContaining('no 429, but') });
	});

	it('stops provoking at Ctrl+C, and keeps what it found', async () => {
		const bench = await start({ rateLimit: 0 });
		const stop = new AbortController();
		let sent = 0;
		const world = edited(bench.world, () => {
			if (++sent === 60) stop.abort();
			return undefined;
		});
		const outcome = await runProbe({ ...bench, world }, { limit: true, signal: stop.signal });
		expect(outcome.stopped).toBe('You stopped the probe.');
		expect(outcome.requests).toBeLessThan(66);
		expect(outcome.evidence.reading.channel.status).toBe(200);
	});

	it('gives up provoking when nothing responds any more', async () => {
		const bench = await start({ rateLimit: 0 });
		let sent = 0;
		const fetchUntil: World['fetch'] = async (url, init) => {
			if (++sent > 60) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
			return await bench.world.fetch(url, init);
		};
		const world = { ...bench.world, fetch: fetchUntil };
		const { requests } = await runProbe({ ...bench, world }, { limit: true });
		expect(requests).toBeLessThan(70);
	});

	it('waits when others have used up the limit, and reads the 429', async () => {
		const bench = await start({ retryAfter: 'date' });
		const { baseUrl, accessToken } = bench.sandbox;
		const headers = { authorization: `Bearer ${accessToken}` };
		for (let sent = 0; sent < 100; sent++) await fetch(`${baseUrl}/channel`, { headers });
		const { evidence } = await runProbe(bench);
		expect(evidence.reading.refusals).toHaveLength(1);
		expect(evidence.reading.channel.status).toBe(200);
	});

	it('writes nothing when the answer is no', async () => {
		const bench = await start();
		await runProbe(bench, { write: EMAIL, mayWrite: async () => false });
		expect(writesOf(bench.sandbox)).toEqual([]);
	});

	it('stops when the token may only read', async () => {
		const bench = await start();
		const token = bench.sandbox.readOnlyToken;
		const { stopped, left } = await runProbe(bench, { write: EMAIL, token });
		expect(stopped).toBe('The probe stopped early. Supercast answered a create with 403.');
		expect(left).toBeUndefined();
	});

	it("sends the token only to Supercast's hosts", async () => {
		const bench = await start();
		const { sandbox } = bench;
		const asked: string[] = [];
		const world: World = {
			...bench.world,
			fetch: async (url, init) => {
				const address = new URL(String(url));
				asked.push(address.host);
				return await fetch(`${sandbox.origin}${address.pathname}${address.search}`, init);
			},
		};
		await runProbe({ ...bench, world }, { baseUrl: 'https://supercast.tech/api/v1' });
		expect([...new Set(asked)].sort()).toEqual(['demo.supercast.tech', 'supercast.tech']);
		asked.length = 0;
		await runProbe({ ...bench, world }, { baseUrl: 'https://another.example/api/v1' });
		expect([...new Set(asked)]).toEqual(['another.example']);
	});
});
