import type { World } from '../../probe/service';
import type { ProbeOutcome } from '../../probe/run';
import type { SandboxOptions } from '../../sandbox';
import { isDeep, someOf } from '../support/deep';
import { edited } from './servers/edits';
import { EMAIL, recordsOf, runProbe, useBenches, writesOf, type Bench } from './support';

const start = useBenches();

describe('nothing is left', () => {
	/** The requests at which a run is stopped: a few while it only reads, and every one after that. */
	async function steps(options: SandboxOptions): Promise<number[]> {
		const reading = (await runProbe(await start(options))).requests;
		const all = (await runProbe(await start(options), { write: EMAIL })).requests;
		const writing = Array.from({ length: all - reading }, (_, index) => reading + index + 1);
		const few = writing.filter((step) => isDeep || step % 5 === 0);
		return [1, Math.floor(reading / 2), reading, ...few];
	}

	async function interruptedAt(
		step: number,
		options: SandboxOptions,
	): Promise<[Bench, ProbeOutcome?]> {
		const bench = await start(options);
		const stop = new AbortController();
		let sent = 0;
		const world: World = {
			...bench.world,
			fetch: async (url, init) => {
				if (++sent === step) stop.abort();
				return await fetch(url, init);
			},
		};
		const running = runProbe({ ...bench, world }, { write: EMAIL, signal: stop.signal });
		return [bench, await running.catch(() => undefined)];
	}

	it.each([{}, { personality: 'hostile' }] as SandboxOptions[])(
		'when it is interrupted at any request: %j',
		async (options) => {
			const small = { subscribers: 5, ...options };
			const before = recordsOf((await start(small)).sandbox);
			let cleaned = 0;
			for (const step of await steps(small)) {
				const [bench, outcome] = await interruptedAt(step, small);
				expect([step, recordsOf(bench.sandbox)]).toEqual([step, before]);
				const isStopped = outcome?.stopped === 'You stopped the probe.';
				const hasWritten = writesOf(bench.sandbox).length > 0;
				if (isStopped && hasWritten) cleaned++;
				await bench.sandbox.close();
			}
			expect(cleaned).toBeGreaterThan(isDeep ? 15 : 3);
		},
		120_000,
	);

	const faults = [
		{ kind: 'status', status: 500, when: 'before' },
		{ kind: 'status', status: 500, when: 'after' },
		{ kind: 'reset', when: 'after' },
		{ kind: 'html', when: 'after' },
		{ kind: 'truncated', when: 'after' },
	] as const;

	it.each(faults)(
		'when any write meets %j',
		async (fault) => {
			const before = recordsOf((await start({ subscribers: 5 })).sandbox);
			for (const skip of someOf([1, 4, 0, 2, 3, 5], 2)) {
				for (const method of ['POST', 'PATCH', 'DELETE']) {
					const bench = await start({ subscribers: 5 });
					bench.sandbox.controls.addFaults({ ...fault, method, skip });
					const { left } = await runProbe(bench, { write: EMAIL });
					expect([method, skip, left]).toEqual([method, skip, undefined]);
					expect(recordsOf(bench.sandbox)).toBe(before);
					await bench.sandbox.close();
				}
			}
		},
		120_000,
	);

	it.each([1, 2, 3])('when create %i is lost, and processed seconds later', async (lost) => {
		const bench = await start({ subscribers: 5, onExistingEmail: 'duplicate' });
		const before = recordsOf(bench.sandbox);
		const { now } = bench.world;
		let creates = 0;
		let late: (() => Promise<unknown>) | undefined;
		let due = Infinity;
		const world: World = {
			...bench.world,
			fetch: async (url, init) => {
				if (now() >= due) {
					due = Infinity;
					await late?.();
				}
				if (init?.method !== 'POST' || ++creates !== lost) return await fetch(url, init);
				due = now() + 9_000;
				late = async () => await fetch(url, init);
				throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
			},
		};
		const { stopped, left } = await runProbe({ ...bench, world }, { write: EMAIL });
		expect([stopped, left]).toEqual(['Supercast could not be reached (ECONNRESET).', undefined]);
		expect(writesOf(bench.sandbox).some((write) => write.startsWith('POST'))).toBe(true);
		expect(recordsOf(bench.sandbox)).toBe(before);
	});

	it('reports that it cannot delete', async () => {
		const bench = await start();
		bench.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'DELETE', share: 1 });
		const { left } = await runProbe(bench, { write: EMAIL });
		expect(left).toMatch(/^A subscriber with that address is left \(\w+\)\.$/);
	});
});

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

describe('the first response', () => {
	const page = (status: number): Response =>
		new Response('<html></html>', { status, headers: { 'content-type': 'text/html' } });

	it.each([
		[() => page(503), /^Supercast is not available at the moment \(503, a web page\)\. .*later$/],
		[() => Response.json({}, { status: 500 }), /not available at the moment \(500, JSON\)/],
		[() => page(200), /^The base URL does not lead to .* \(200, a web page\)\. Enter the whole/],
		[() => page(403), /^The base URL does not lead to .* \(403, a web page\)/],
		[() => Response.json({}, { status: 403 }), /^This token is not allowed to read the channel/],
		[() => Response.json({}, { status: 401 }), /^Supercast does not know this token \(401\)$/],
		[() => Response.json({}, { status: 404 }), /^The base URL does not lead to .*\(404, JSON\)/],
		[
			() => new Response(null, { status: 301, headers: { location: 'https://b.example/api/v1' } }),
			/^The base URL does not lead to .*\(301, to https:\/\/b\.example\/api\/v1\)/,
		],
	])('%s: the advice fits', async (answer, advice) => {
		const bench = await start();
		const world = edited(bench.world, answer);
		await expect(runProbe({ ...bench, world })).rejects.toThrow(advice);
	});

	it('may lack the channel, when another list can be read', async () => {
		const bench = await start();
		const world = edited(bench.world, ({ url }) =>
			url.pathname.endsWith('/channel') ? Response.json({}, { status: 404 }) : undefined,
		);
		const { evidence } = await runProbe({ ...bench, world });
		expect(evidence.reading.lists.subscribers?.rows.length).toBeGreaterThan(0);
	});

	it('may break off once', async () => {
		const bench = await start();
		bench.sandbox.controls.addFaults({ kind: 'reset', path: '/channel' });
		expect((await runProbe(bench)).evidence.reading.channel.status).toBe(200);
	});
});
