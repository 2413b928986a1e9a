/**
 * Long measurements in a real n8n, at Supercast's own limit of 100 requests per minute.
 *
 * Usage: npm run measure [-- peak | burst | workers | pairs | nodes]
 */
import { loadavg } from 'node:os';

import { endOnSignals } from '../harness/system/ending';
import { measureNodes } from './nodes';
import { measurePairs } from './pairs';
import { measurePeak, type Peak } from './peak';

const FIVE_MINUTES = 5 * 60_000;
const TEN_SECONDS = 10_000;

/** Settings of n8n that limit its memory. */
const SETTINGS: Array<Record<string, string>> = [
	{ N8N_CONCURRENCY_PRODUCTION_LIMIT: '20' },
	{ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
];

type Measure = () => Promise<object>;

const peak =
	(variant: Peak): Measure =>
	async () => ({ ...variant, ...(await measurePeak(variant)) });

/** Each takes five to ten minutes for each variant. */
const MEASUREMENTS: Record<string, Measure[]> = {
	peak: [
		peak({ subscribers: 2_000, withinMs: FIVE_MINUTES }),
		peak({ subscribers: 2_000, withinMs: FIVE_MINUTES, hasSyncRun: true }),
		peak({ subscribers: 10_000, withinMs: FIVE_MINUTES }),
	],
	burst: [{}, ...SETTINGS].map((settings) =>
		peak({ subscribers: 2_000, withinMs: TEN_SECONDS, settings }),
	),
	// In queue mode.
	workers: [
		peak({ subscribers: 2_000, withinMs: FIVE_MINUTES, workers: 2 }),
		peak({ subscribers: 2_000, withinMs: FIVE_MINUTES, workers: 2, hasSyncRun: true }),
	],
	pairs: [false, true].map((waits) => async () => {
		const variant = { withinMs: 500, waits };
		return { ...variant, ...(await measurePairs(variant)) };
	}),
	nodes: [async () => await measureNodes('stripe.json', 10_000, 2)],
};

const ending = endOnSignals();

async function main([wanted]: readonly string[]): Promise<void> {
	const chosen = wanted === undefined ? Object.values(MEASUREMENTS).flat() : MEASUREMENTS[wanted];
	if (chosen === undefined) {
		process.stderr.write(`Unknown measurement. Use ${Object.keys(MEASUREMENTS).join(' or ')}\n`);
		process.exit(1);
	}
	for (const measure of chosen) {
		const outcome = { ...(await measure()), load: loadavg() };
		process.stdout.write(`${JSON.stringify(outcome, null, '\t')}\n`);
	}
	process.exit(0);
}

main(process.argv.slice(2)).catch(async (error: unknown) => await ending.failed(error, 1));
