/**
 * Long measurements in a real n8n, at Supercast's own limit of 100 requests per minute.
 *
 * Usage: npm run measure [-- launchDay | storm | life | sizes]
 */
import { loadavg } from 'node:os';

import { endOnSignals } from '../../harness/system/ending';
import { measureLaunchDay, type LaunchDay } from './launchDay';
import { measureLife } from './life';
import { measureSize } from './sizes';

const FIVE_MINUTES = 5 * 60_000;
const TEN_SECONDS = 10_000;

/** How many simulated minutes pass in a real one. A check then takes place every real minute. */
const LIFE_SPEED = 5;

/** Numbers of members. */
const SIZES = [500, 2_000, 5_000, 10_000];

/** Settings of n8n that limit its memory. */
const SETTINGS: Array<Record<string, string>> = [
	{ N8N_CONCURRENCY_PRODUCTION_LIMIT: '20' },
	{ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
];

/** Each measurement takes six to ten minutes for each variant. */
const MEASUREMENTS: Record<string, LaunchDay[]> = {
	launchDay: [
		{ subscribers: 2_000, withinMs: FIVE_MINUTES },
		{ subscribers: 2_000, withinMs: FIVE_MINUTES, hasCheck: true },
		{ subscribers: 10_000, withinMs: FIVE_MINUTES },
	],
	storm: [
		{ subscribers: 2_000, withinMs: TEN_SECONDS },
		...SETTINGS.map((settings) => ({ subscribers: 2_000, withinMs: TEN_SECONDS, settings })),
	],
};

const ending = endOnSignals();

/** The other measurements. */
const OTHERS: Record<string, () => AsyncGenerator<object>> = {
	life: async function* () {
		yield await measureLife(LIFE_SPEED);
	},
	sizes: async function* () {
		for (const members of SIZES) yield await measureSize(members);
	},
};

async function* outcomes(name: string): AsyncGenerator<object> {
	for (const variant of MEASUREMENTS[name] ?? []) {
		yield { ...variant, ...(await measureLaunchDay(variant)) };
	}
	yield* OTHERS[name]?.() ?? [];
}

async function main([wanted]: readonly string[]): Promise<void> {
	const names = [...Object.keys(MEASUREMENTS), ...Object.keys(OTHERS)];
	const chosen = names.filter((name) => wanted === undefined || name === wanted);
	if (chosen.length === 0) {
		process.stderr.write(`Unknown measurement. Use ${names.join(' or ')}\n`);
		process.exit(1);
	}
	for (const name of chosen) {
		for await (const outcome of outcomes(name)) {
			process.stdout.write(`${JSON.stringify({ ...outcome, load: loadavg() }, null, '\t')}\n`);
		}
	}
	process.exit(0);
}

main(process.argv.slice(2)).catch(async (error: unknown) => await ending.failed(error, 1));
