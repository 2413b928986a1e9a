import type { World } from '../../probe/service';
import type { ProbeOutcome } from '../../probe/run';
import type { SandboxOptions } from '../../sandbox';
import { isDeep, someOf } from '../support/deep';
import { edited, type Prepare } from './servers/edits';
import { pages } from './servers/pages';
import { EMAIL, recordsOf, runProbe, useBenches, writesOf, type Bench } from './support';

const start = useBenches();

const same: Prepare = (bench) => bench;

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

	it('when nobody can be looked up by email, and the create request returns nothing', async () => {
		const options = { subscribers: 0, usageAlerts: 0 };
		const before = recordsOf((await start(options)).sandbox);
		const bench = await start(options);
		const world = edited(bench.world, ({ method, url }) => {
			const isLookUp = method === 'GET' && /\/(subscribers|feeds)\/.*%40/.test(url.pathname);
			if (isLookUp) return Response.json({ message: 'Not found' }, { status: 404 });
			return method === 'POST' ? new Response(null, { status: 201 }) : undefined;
		});
		const { stopped, left } = await runProbe({ ...bench, world }, { write: EMAIL });
		expect(writesOf(bench.sandbox).some((write) => write.startsWith('POST'))).toBe(true);
		expect([stopped, left]).toEqual([expect.stringContaining('does not show'), undefined]);
		expect(recordsOf(bench.sandbox)).toBe(before);
	});

	const fromZero = pages.find(({ name }) => name === 'pages are counted from 0')?.prepare;

	it.each<[string, SandboxOptions, Prepare]>([
		['counts pages from 0', {}, fromZero ?? same],
		['has small pages without a total', { perPageMax: 2, headers: 'none' }, same],
	])('when only a list that %s shows the new subscriber', async (_name, options, prepare) => {
		const bench = await start({ subscribers: 5, usageAlerts: 0, ...options });
		const before = recordsOf(bench.sandbox);
		const { world } = prepare(bench);
		const hiding = edited(world, ({ method, url }) => {
			const isLookUp = /\/(subscribers|feeds)\/probe%40/i.test(url.pathname);
			if (isLookUp) return Response.json({ message: 'Not found' }, { status: 404 });
			return method === 'POST' ? new Response(null, { status: 201 }) : undefined;
		});
		const unwritten: World = {
			...hiding,
			fetch: async (url, init) =>
				init?.method === 'DELETE' && String(url).includes('%40')
					? Response.json({ message: 'Not found' }, { status: 404 })
					: await hiding.fetch(url, init),
		};
		const { left } = await runProbe({ ...bench, world: unwritten }, { write: EMAIL });
		expect(writesOf(bench.sandbox)).toContainEqual(expect.stringContaining('POST'));
		expect([left, recordsOf(bench.sandbox) === before]).toEqual([undefined, true]);
	});

	it('reports that it cannot delete', async () => {
		const bench = await start();
		bench.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'DELETE', share: 1 });
		const { left } = await runProbe(bench, { write: EMAIL });
		expect(left).toMatch(/^A subscriber with that address is left \(\w+\)\.$/);
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
