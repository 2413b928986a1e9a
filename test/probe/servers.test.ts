import { findings, textOfRows, type ReportRow } from '../../probe/report';
import { servers } from './servers';
import { edited } from './servers/edits';
import type { Seen, Server } from './servers/server';
import { EMAIL, recordsOf, runProbe, useBenches } from './support';

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
