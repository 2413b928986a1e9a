/**
 * Long measurements in a real n8n, at Supercast's own limit of 100 requests per minute.
 *
 * Usage: npm run measure [-- launchDay [number of subscribers] [check]]
 */
import { loadavg } from 'node:os';

import { endOnSignals } from '../../harness/system/ending';
import { measureLaunchDay, type LaunchDay } from './launchDay';

const ALL: LaunchDay[] = [
	{ subscribers: 2_000, hasCheck: false },
	{ subscribers: 2_000, hasCheck: true },
	{ subscribers: 10_000, hasCheck: false },
];

const ending = endOnSignals();

async function main([name = 'launchDay', subscribers, check]: readonly string[]): Promise<void> {
	if (name !== 'launchDay') {
		process.stderr.write('Name a measurement: npm run measure -- launchDay\n');
		process.exit(1);
	}
	const one = { subscribers: Number(subscribers), hasCheck: check === 'check' };
	for (const variant of subscribers === undefined ? ALL : [one]) {
		const outcome = await measureLaunchDay(variant);
		process.stdout.write(`${JSON.stringify({ ...variant, ...outcome, load: loadavg() })}\n`);
	}
	process.exit(0);
}

main(process.argv.slice(2)).catch(async (error: unknown) => await ending.failed(error, 1));
