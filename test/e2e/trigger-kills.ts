/**
 * The longer search: how a trigger lives through being killed.
 *
 * npx tsx test/e2e/trigger-kills.ts [--kills 30] [--seed 1] [--aimed]
 *
 * By default the moments are random, those while n8n starts included. With `--aimed`, every other kill
 * falls within a fraction of a second after a poll got new alerts, which is when n8n writes its memory
 * and the execution; the lives in between last until n8n has polled and written.
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
