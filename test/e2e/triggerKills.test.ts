import { killAgainAndAgain } from './support/triggerKills';

/** `KILLS=30 npm run test:e2e -- triggerKills` takes a quarter of an hour. */
const kills = Number(process.env.KILLS ?? 5);

const perKill = 60_000;

it(
	'loses no alert when n8n is killed at random moments',
	async () => {
		const said: string[] = [];
		const outcome = await killAgainAndAgain({
			kills,
			seed: 11,
			aimed: false,
			say: (text) => said.push(text),
		});
		expect(said.filter((text) => text.startsWith('kill '))).toHaveLength(kills);
		expect(outcome.raised).toBeGreaterThan(kills);
		expect(outcome.lost).toEqual([]);
		expect(outcome.announcedThoughExisting).toBe(0);
	},
	180_000 + kills * perKill,
);
