import fc from 'fast-check';

import {
	FairQueue,
	FEW_REQUESTS,
	type Client,
} from '../../../../nodes/Supercast/api/rate-limit/fairQueue';
import { runs } from '../../../support/deep';

interface Work {
	client: Client;
	deadline: number;
	arrival: number;
	isShort: boolean;
}

/** Executions of one workflow: short ones with a few requests, one after the other, and long ones. */
const executions = fc.array(
	fc.record({
		requests: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 11, max: 40 })),
		/** How many turns pass before the next execution comes. */
		gap: fc.integer({ min: 0, max: 6 }),
	}),
	{ minLength: 1, maxLength: 60 },
);

/** Which execution each turn goes to, and which ones waited then. */
function play(plan: ReadonlyArray<{ requests: number; gap: number }>) {
	const queue = new FairQueue<Work>();
	const waiting = new Map<Client, Work>();
	const rest = new Map<Client, number>();
	const turns: Array<{ taken: Work; waited: Work[] }> = [];
	const turn = (): boolean => {
		const waited = [...waiting.values()];
		const taken = queue.next();
		if (taken === undefined) return false;
		turns.push({ taken, waited });
		const left = (rest.get(taken.client) ?? 0) - 1;
		rest.set(taken.client, left);
		if (left === 0) waiting.delete(taken.client);
		// A short execution sends its next request after the response.
		else if (taken.isShort) queue.add(taken);
		return true;
	};
	for (const [arrival, { requests, gap }] of plan.entries()) {
		const isShort = requests <= FEW_REQUESTS;
		const work: Work = { client: { workflow: 'w' }, deadline: Infinity, arrival, isShort };
		waiting.set(work.client, work);
		rest.set(work.client, requests);
		for (let n = 0; n < (isShort ? 1 : requests); n++) queue.add({ ...work });
		for (let n = 0; n < gap; n++) turn();
	}
	while (turn());
	return turns;
}

const requestsOf = (plan: ReadonlyArray<{ requests: number }>): number =>
	plan.reduce((sum, { requests }) => sum + requests, 0);

it('every request gets its turn', () => {
	fc.assert(
		fc.property(executions, (plan) => expect(play(plan)).toHaveLength(requestsOf(plan))),
		runs(40),
	);
});

it('short executions go in the order in which they came, except in one of eight turns', () => {
	fc.assert(
		fc.property(executions, (plan) => {
			const short = play(plan).filter(({ taken }) => taken.isShort);
			const outOfOrder = short.filter(({ taken, waited }) =>
				waited.some(({ isShort, arrival }) => isShort && arrival < taken.arrival),
			);
			expect(outOfOrder.length).toBeLessThanOrEqual(Math.ceil(short.length / 8));
		}),
		runs(40),
	);
});

it('while both wait, every second turn goes to a long execution, and they go round', () => {
	fc.assert(
		fc.property(executions, (plan) => {
			const turns = play(plan);
			const mostLong = plan.filter(({ requests }) => requests > FEW_REQUESTS).length;
			let [shortInARow, mostShort, mostOthers] = [0, 0, 0];
			const roundsSince = new Map<Client, number>();
			for (const { taken, waited } of turns) {
				const long = waited.filter(({ isShort }) => !isShort);
				shortInARow = taken.isShort && long.length > 0 ? shortInARow + 1 : 0;
				mostShort = Math.max(mostShort, shortInARow);
				for (const { client } of taken.isShort ? [] : long) {
					const others = (roundsSince.get(client) ?? 0) + 1;
					roundsSince.set(client, client === taken.client ? 0 : others);
					mostOthers = Math.max(mostOthers, others);
				}
			}
			expect(mostShort).toBeLessThanOrEqual(1);
			expect(mostOthers).toBeLessThanOrEqual(mostLong);
		}),
		runs(40),
	);
});
