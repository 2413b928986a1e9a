import fc from 'fast-check';

import { type ReportRow, findings, textOfRows } from '../../probe/report';
import { servers } from './servers';
import { edited } from './servers/edits';
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
import type { SandboxOptions } from '../../sandbox';
import { isDeep, runs } from '../support/deep';

const start = useBenches();

/** One subscriber has a customer ID, so that it can be looked up. */
async function rowsOf(
	{ options, edit, prepare = (bench) => bench, left, stopped }: Partial<Server>,
	part?: Server['part'],
): Promise<ReportRow[]> {
	const bench = await start(options);
	Object.assign(bench.sandbox.state.subscribers[0] ?? {}, { customer_id: 'c-7' });
	const before = recordsOf(bench.sandbox);
	const { sandbox, world } = prepare(bench);
	const task = { write: part === 'write' ? EMAIL : undefined, limit: part === 'limit' };
	const outcome = await runProbe({ sandbox, world: edit ? edited(world, edit) : world }, task);
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

	it.each(servers.map((server) => [server.name, server] as const))('%s', async (_name, server) => {
		const rows = await rowsOf(server, server.part);
		const known = seenOf(documented.get(server.part) ?? []);
		const differing = [...seenOf(rows)].filter(
			([id, seen]) =>
				known.get(id) !== seen &&
				!seen.startsWith('holds') &&
				(id in server.seen || !(server.stopped && seen.startsWith('unknown'))),
		);
		expect(Object.fromEntries(differing)).toEqual(expectedOf(server));
		const off = rows.filter(({ verdict, id }) => verdict === 'does not hold' && id in server.seen);
		for (const { fact, change } of off) {
			expect(change).toMatch(/\w/);
			expect(textOfRows(rows)).toContain(`${fact}\n`);
			expect(textOfRows(rows)).toContain(`change:   ${change}`);
		}
	});

	it('covers 60 servers, and almost every fact', () => {
		expect(servers.length).toBeGreaterThanOrEqual(60);
		const covered = new Set(servers.flatMap(({ seen }: { seen: Seen }) => Object.keys(seen)));
		const all = [...documented.values()].flat().map(({ id }) => id);
		// The token goes to no other host from here; safety.test.ts covers that.
		expect([...new Set(all)].filter((id) => !covered.has(id))).toEqual(['both-hosts']);
	});
});

describe('the last line', () => {
	const start = useBenches();

	/** A bench of a server that has all these differences. */
	async function benchOf(differences: readonly Server[]): Promise<Bench> {
		const options = differences.reduce<SandboxOptions>((all, one) => ({ ...all, ...one.options }), {
			subscribers: 5,
		});
		const { sandbox, world } = await start(options);
		return differences.reduce<Bench>(
			(bench, { prepare = (same) => same, edit }) => {
				const { world: own } = prepare(bench);
				return { sandbox, world: edit === undefined ? own : edited(own, edit) };
			},
			{ sandbox, world },
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
		// The probe has stopped before it wrote.
		return [last, isSame && !hasCreated];
	}

	const LAST_STEP = 110;

	describe('the last line that the probe prints is true', () => {
		const kinds = servers.map(
			(server, index) => [server.name, server, 48 + ((index * 7) % 45)] as const,
		);

		it.each(kinds)(
			'for a server that differs in one point, interrupted: %s',
			async (_name, server, step) => {
				// Another five of its requests with each seed.
				const { seed } = runs(1);
				const others = [0, 15, 30, 45, 60].map((after) => 40 + ((seed + step + after) % 75));
				const steps = isDeep ? others : [step];
				for (const stopAt of steps) {
					const [last, isTrue] = await truthOf([server], stopAt);
					expect({ stopAt, last, isTrue }).toEqual({ stopAt, last, isTrue: true });
				}
			},
			180_000,
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
				runs(40),
			);
		}, 600_000);
	});
});
