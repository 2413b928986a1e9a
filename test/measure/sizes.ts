/** What a sync run with `stripe.json` costs with more and more members, if nothing has changed. */

import { ready, startFixture, until, type Fixture } from '../e2e/workflows/fixture';
import { addMembers, listStarts, PER_MINUTE } from './soak';
import { watchMemory } from './memory';

const EVERY_S = 120;
const SYNC_RUNS = 2;
/** In sync runs of an unchanged list, no pause between requests is longer. */
const QUIET_MS = 20_000;

/** What was measured with one number of members. */
export interface SizeOutcome {
	members: number;
	/** Requests to Supercast by each sync run. */
	requestsPerSyncRun: number;
	/** From the first request to Stripe until the last one to Supercast, of the slowest sync run. */
	seconds: number;
	refusedBySupercast: number;
	/** The most memory of n8n, with the processes that it started, since the first sync run. In MB. */
	memoryMb: number;
}

/** Measures two sync runs by schedule in a real n8n with its default settings. Takes five minutes. */
export async function measureSize(members: number): Promise<SizeOutcome> {
	const fixture = await startFixture({ rateLimit: PER_MINUTE, subscribers: 0, logSize: 20_000 });
	try {
		addMembers(fixture, members);
		await fixture.use('stripe.json', ready({ every: EVERY_S, newEvery: 60, closeAfter: 2 }));
		// While n8n starts, it needs more memory than in any run.
		await until(
			'a sync run begins',
			() => listStarts(fixture.senders).length > 0,
			2 * EVERY_S * 1000,
		);
		const memory = watchMemory(() => [fixture.pid()]);
		await until('the sync runs end', () => haveEnded(fixture), 900_000);
		const starts = listStarts(fixture.senders).slice(0, SYNC_RUNS);
		const asked = fixture.sandbox.state.requests.map(({ time }) => Date.parse(time));
		const took = starts.map((start, index) => {
			const own = asked.filter((at) => at >= start && at < (starts[index + 1] ?? Infinity));
			return Math.max(...own) - start;
		});
		return {
			members,
			requestsPerSyncRun: Math.round(asked.length / SYNC_RUNS),
			seconds: Math.round(Math.max(...took) / 1000),
			refusedBySupercast: fixture.sandbox.stats().byStatus['429'] ?? 0,
			memoryMb: memory(),
		};
	} finally {
		await fixture.stop();
	}
}

function haveEnded(fixture: Fixture): boolean {
	const last = fixture.sandbox.state.requests.at(-1);
	const isQuiet = last !== undefined && Date.now() - Date.parse(last.time) > QUIET_MS;
	const start = listStarts(fixture.senders)[SYNC_RUNS - 1];
	return isQuiet && start !== undefined && Date.parse(last.time) > start;
}
