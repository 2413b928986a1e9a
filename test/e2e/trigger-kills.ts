/**
 * The longer search for alerts that a killed trigger loses.
 *
 * npx tsx test/e2e/trigger-kills.ts [--kills 30] [--seed 1] [--aimed]
 *
 * By default the times of the kills are random, including those while n8n starts. With `--aimed`,
 * every other kill comes within a fraction of a second after a poll got new alerts. That is when
 * n8n stores the trigger's memory and the execution. The others wait until n8n is idle.
 */
import { parseArgs } from 'node:util';

import { killAgainAndAgain } from './support/triggerKills';

const { values } = parseArgs({
	options: {
		kills: { type: 'string', default: '30' },
		seed: { type: 'string', default: '1' },
		aimed: { type: 'boolean', default: false },
	},
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

killAgainAndAgain({
	kills: Number(values.kills),
	seed: Number(values.seed),
	aimed: values.aimed,
	say,
})
	.then((outcome) => {
		say(JSON.stringify({ ...outcome, lost: outcome.lost.length }));
		if (outcome.lost.length > 0 || outcome.announcedThoughExisting > 0) process.exitCode = 1;
	})
	.catch((error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
		process.exitCode = 1;
	});
