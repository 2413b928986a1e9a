/**
 * Long measurements in a real n8n, at Supercast's own limit of 100 requests per minute.
 *
 * Usage: npm run measure [-- launchDay | storm | life]
 */
import { loadavg } from 'node:os';

import { endOnSignals } from '../../harness/system/ending';
import { measureLaunchDay, type LaunchDay } from './launchDay';
import { measureLife } from './life';

const FIVE_MINUTES = 5 * 60_000;
const TEN_SECONDS = 10_000;

/** How many simulated minutes pass in one. Each check then takes place every minute. */
const LIFE_SPEED = 5;

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

async function main([name]: readonly string[]): Promise<void> {
	const hasLife = name === undefined || name === 'life';
	const all = name === undefined ? Object.values(MEASUREMENTS).flat() : MEASUREMENTS[name];
	const chosen = all ?? (hasLife ? [] : undefined);
	if (chosen === undefined) {
		const names = [...Object.keys(MEASUREMENTS), 'life'].join(' or ');
		process.stderr.write(`Unknown measurement. Use ${names}\n`);
		process.exit(1);
	}
	for (const variant of chosen) {
		const outcome = await measureLaunchDay(variant);
		process.stdout.write(`${JSON.stringify({ ...variant, ...outcome, load: loadavg() })}\n`);
	}
	if (hasLife) {
		const outcome = await measureLife(LIFE_SPEED);
		process.stdout.write(`${JSON.stringify({ ...outcome, load: loadavg() }, null, '\t')}\n`);
	}
	process.exit(0);
}

main(process.argv.slice(2)).catch(async (error: unknown) => await ending.failed(error, 1));
