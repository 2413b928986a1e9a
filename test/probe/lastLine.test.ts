import fc from 'fast-check';

import type { SandboxOptions } from '../../sandbox';
import { isDeep, runs } from '../support/deep';
import { servers } from './servers';
import { edited } from './servers/edits';
import type { Server } from './servers/server';
import { recordsOf, runCommand, useBenches, writesOf, type Bench } from './support';

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
async function truthOf(differences: readonly Server[], stopAt: number): Promise<[string, boolean]> {
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
