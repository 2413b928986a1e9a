import fc from 'fast-check';

import { findings, type ReportRow, textOfRows } from '../../tools/probe/report';
import type { ProbeOutcome } from '../../tools/probe/run';
import type { ProbeRuntime } from '../../tools/probe/service';
import type { SandboxOptions } from '../../simulators/supercast';
import { isDeep, runs, seed, someOf } from '../support/deep';
import { servers } from './servers';
import { edited, type Prepare } from './servers/edits';
import { pages } from './servers/pages';
import type { Seen, Server } from './servers/server';
import {
	type Bench,
	EMAIL,
	recordsOf,
	runCommand,
	runProbe,
	useBenches,
	writesOf,
} from './support';

describe('other servers', () => {
	const start = useBenches();

	/** One subscriber has a customer ID, so that it can be looked up. */
	async function rowsOf(
		{ options, edit, prepare = (bench) => bench, left, stopped }: Partial<Server>,
		part?: Server['part'],
	): Promise<ReportRow[]> {
		const bench = await start(options);
		Object.assign(bench.sandbox.state.subscribers[0] ?? {}, { customer_id: 'c-7' });
		const before = recordsOf(bench.sandbox);
		const { sandbox, runtime } = prepare(bench);
		const task = { write: part === 'write' ? EMAIL : undefined, limit: part === 'limit' };
		const outcome = await runProbe(
			{ sandbox, runtime: edit ? edited(runtime, edit) : runtime },
			task,
		);
		expect(outcome.left).toEqual(left && expect.stringMatching(left));
		expect(outcome.stopped).toEqual(stopped && expect.stringMatching(stopped));
		if (left === undefined) expect(recordsOf(sandbox)).toBe(before);
		return findings(outcome.evidence);
	}

	const seenOf = (rows: readonly ReportRow[]): Map<string, string> =>
		new Map(rows.map(({ id, verdict, seen }) => [id, `${verdict}: ${seen}`]));

	const expectedOf = ({ seen }: Server): Record<string, string> =>
		Object.fromEntries(
			Object.entries(seen).map(([id, text]) => [
				id,
				text.startsWith('? ') ? `unknown: ${text.slice(2)}` : `does not hold: ${text}`,
			]),
		);

	describe('a server that differs in one point', () => {
		const documented = new Map<Server['part'], ReportRow[]>();
		beforeEach(async () => {
			// One at a time, because a bench ends with its test.
			for (const part of [undefined, 'write', 'limit'] as const) {
				if (!documented.has(part)) documented.set(part, await rowsOf({}, part));
			}
		});

		it.each(servers.map((server) => [server.name, server] as const))(
			'%s',
			async (_name, server) => {
				const rows = await rowsOf(server, server.part);
				const known = seenOf(documented.get(server.part) ?? []);
				const differing = [...seenOf(rows)].filter(
					([id, seen]) =>
						known.get(id) !== seen &&
						!seen.startsWith('holds') &&
						(id in server.seen || !(server.stopped && seen.startsWith('unknown'))),
				);
				expect(Object.fromEntries(differing)).toEqual(expectedOf(server));
				const off = rows.filter(
					({ verdict, id }) => verdict === 'does not hold' && id in server.seen,
				);
				for (const { fact, change } of off) {
					expect(change).toMatch(/\w/);
					expect(textOfRows(rows)).toContain(`${fact}\n`);
					expect(textOfRows(rows)).toContain(`change:   ${change}`);
				}
			},
		);

		it('covers 60 servers, and almost every fact', () => {
			expect(servers.length).toBeGreaterThanOrEqual(60);
			const covered = new Set(servers.flatMap(({ seen }: { seen: Seen }) => Object.keys(seen)));
			const all = [...documented.values()].flat().map(({ id }) => id);
			// These tests send the token to no other host. facts.test.ts covers that.
			expect([...new Set(all)].filter((id) => !covered.has(id))).toEqual(['both-hosts']);
		});
	});

	describe('the last line', () => {
		const start = useBenches();

		/** A bench of a server that has all these differences. */
		async function benchOf(differences: readonly Server[]): Promise<Bench> {
			const options = differences.reduce<SandboxOptions>(
				(all, one) => ({ ...all, ...one.options }),
				{
					subscribers: 5,
				},
			);
			const { sandbox, runtime } = await start(options);
			return differences.reduce<Bench>(
				(bench, { prepare = (same) => same, edit }) => {
					const { runtime: own } = prepare(bench);
					return { sandbox, runtime: edit === undefined ? own : edited(own, edit) };
				},
				{ sandbox, runtime },
			);
		}

		const NOTHING_LEFT = /^The probe (deleted everything that it created|created nothing)\.$/;
		const IS_LEFT = /^A subscriber with that address is left/;
		const MAY_BE_LEFT =
			/^The probe could not delete the subscriber|^Check the subscriber with that address/;

		/** What the last line says, and whether it is so. */
		async function truthOf(
			differences: readonly Server[],
			stopAt: number,
		): Promise<[string, boolean]> {
			const bench = await benchOf(differences);
			const before = recordsOf(bench.sandbox);
			const last = (await runCommand(bench, stopAt)).at(-1) ?? '';
			const isSame = recordsOf(bench.sandbox) === before;
			const hasCreated = writesOf(bench.sandbox).some((one) => one.startsWith('POST'));
			await bench.sandbox.close();
			if (IS_LEFT.test(last)) return [last, !isSame];
			if (MAY_BE_LEFT.test(last)) return [last, hasCreated];
			if (NOTHING_LEFT.test(last)) return [last, isSame];
			// The probe stopped before it wrote anything.
			return [last, isSame && !hasCreated];
		}

		const LAST_STEP = 110;

		describe('the last line that the probe prints is true', () => {
			const kinds = servers.map(
				(server, index) => [server.name, server, 48 + ((index * 7) % 45)] as const,
			);

			it.each(someOf(kinds, 6))(
				'for a server that differs in one point, interrupted: %s',
				async (_name, server, step) => {
					// In a deep run, each seed interrupts the probe at five other requests.
					const others = [0, 15, 30, 45, 60].map((after) => 40 + ((seed + step + after) % 75));
					const steps = isDeep ? others : [step];
					for (const stopAt of steps) {
						const [last, isTrue] = await truthOf([server], stopAt);
						expect({ stopAt, last, isTrue }).toEqual({ stopAt, last, isTrue: true });
					}
				},
			);

			it('for servers that differ in several points, interrupted at any request', async () => {
				const several = fc.uniqueArray(fc.constantFrom(...servers), { minLength: 2, maxLength: 5 });
				const stops = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: LAST_STEP }));
				await fc.assert(
					fc.asyncProperty(several, stops, async (differences, stopAt) => {
						const [last, isTrue] = await truthOf(differences, stopAt);
						const names = differences.map(({ name }) => name);
						expect({ names, stopAt, last, isTrue }).toEqual({ names, stopAt, last, isTrue: true });
					}),
					runs(4),
				);
			});
		});
	});
});

describe('safety', () => {
	const start = useBenches();

	const same: Prepare = (bench) => bench;

	describe('nothing is left', () => {
		/** The requests at which a run is stopped: a few while it only reads, and every one after that. */
		async function steps(options: SandboxOptions): Promise<number[]> {
			const reading = (await runProbe(await start(options))).requests;
			const all = (await runProbe(await start(options), { write: EMAIL })).requests;
			const writing = Array.from({ length: all - reading }, (_, index) => reading + index + 1);
			const few = writing.filter((step) => isDeep || step % 10 === 0);
			return [1, Math.floor(reading / 2), reading, ...few];
		}

		async function interruptedAt(
			step: number,
			options: SandboxOptions,
		): Promise<[Bench, ProbeOutcome?]> {
			const bench = await start(options);
			const stop = new AbortController();
			let sent = 0;
			const runtime: ProbeRuntime = {
				...bench.runtime,
				fetch: async (url, init) => {
					if (++sent === step) stop.abort();
					return await fetch(url, init);
				},
			};
			const running = runProbe({ ...bench, runtime }, { write: EMAIL, signal: stop.signal });
			return [bench, await running.catch(() => undefined)];
		}

		it.each([{}, { profile: 'hostile' }] as SandboxOptions[])(
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
				expect(cleaned).toBeGreaterThan(isDeep ? 15 : 1);
			},
		);

		const faults = [
			{ kind: 'status', status: 500, when: 'before' },
			{ kind: 'status', status: 500, when: 'after' },
			{ kind: 'reset', when: 'after' },
			{ kind: 'html', when: 'after' },
			{ kind: 'truncated', when: 'after' },
		] as const;

		it.each(faults)('when any write meets %j', async (fault) => {
			const before = recordsOf((await start({ subscribers: 5 })).sandbox);
			for (const skip of someOf([1, 4, 0, 2, 3, 5], 1)) {
				for (const method of ['POST', 'PATCH', 'DELETE']) {
					const bench = await start({ subscribers: 5 });
					bench.sandbox.controls.addFaults({ ...fault, method, skip });
					const { left } = await runProbe(bench, { write: EMAIL });
					expect([method, skip, left]).toEqual([method, skip, undefined]);
					expect(recordsOf(bench.sandbox)).toBe(before);
					await bench.sandbox.close();
				}
			}
		});

		it.each([1, 2, 3])('when create %i is lost, and processed seconds later', async (lost) => {
			const bench = await start({ subscribers: 5, onExistingEmail: 'duplicate' });
			const before = recordsOf(bench.sandbox);
			const { now } = bench.runtime;
			let creates = 0;
			let late: (() => Promise<unknown>) | undefined;
			let due = Infinity;
			const runtime: ProbeRuntime = {
				...bench.runtime,
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
			const { stopped, left } = await runProbe({ ...bench, runtime }, { write: EMAIL });
			expect([stopped, left]).toEqual(['Supercast could not be reached (ECONNRESET).', undefined]);
			expect(writesOf(bench.sandbox).some((write) => write.startsWith('POST'))).toBe(true);
			expect(recordsOf(bench.sandbox)).toBe(before);
		});

		it('when nobody can be looked up by email, and the create request returns nothing', async () => {
			const options = { subscribers: 0, usageAlerts: 0 };
			const before = recordsOf((await start(options)).sandbox);
			const bench = await start(options);
			const runtime = edited(bench.runtime, ({ method, url }) => {
				const isLookUp = method === 'GET' && /\/(subscribers|feeds)\/.*%40/.test(url.pathname);
				if (isLookUp) return Response.json({ message: 'Not found' }, { status: 404 });
				return method === 'POST' ? new Response(null, { status: 201 }) : undefined;
			});
			const { stopped, left } = await runProbe({ ...bench, runtime }, { write: EMAIL });
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
			const { runtime } = prepare(bench);
			const hiding = edited(runtime, ({ method, url }) => {
				const isLookUp = /\/(subscribers|feeds)\/probe%40/i.test(url.pathname);
				if (isLookUp) return Response.json({ message: 'Not found' }, { status: 404 });
				return method === 'POST' ? new Response(null, { status: 201 }) : undefined;
			});
			const unwritten: ProbeRuntime = {
				...hiding,
				fetch: async (url, init) =>
					init?.method === 'DELETE' && String(url).includes('%40')
						? Response.json({ message: 'Not found' }, { status: 404 })
						: await hiding.fetch(url, init),
			};
			const { left } = await runProbe({ ...bench, runtime: unwritten }, { write: EMAIL });
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
				() =>
					new Response(null, { status: 301, headers: { location: 'https://b.example/api/v1' } }),
				/^The base URL does not lead to .*\(301, to https:\/\/b\.example\/api\/v1\)/,
			],
		])('%s: the advice fits', async (answer, advice) => {
			const bench = await start();
			const runtime = edited(bench.runtime, answer);
			await expect(runProbe({ ...bench, runtime })).rejects.toThrow(advice);
		});

		it('may lack the channel, when another list can be read', async () => {
			const bench = await start();
			const runtime = edited(bench.runtime, ({ url }) =>
				url.pathname.endsWith('/channel') ? Response.json({}, { status: 404 }) : undefined,
			);
			const { evidence } = await runProbe({ ...bench, runtime });
			expect(evidence.reading.lists.subscribers?.rows.length).toBeGreaterThan(0);
		});

		it('may break off once', async () => {
			const bench = await start();
			bench.sandbox.controls.addFaults({ kind: 'reset', path: '/channel' });
			expect((await runProbe(bench)).evidence.reading.channel.status).toBe(200);
		});
	});
});
