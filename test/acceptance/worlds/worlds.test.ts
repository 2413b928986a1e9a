/** What holds in random lives of channels, whatever goes wrong with their lists. */

import { runs, seed, shareOf } from '../../support/deep';
import { live, type LifeOptions } from './life';
import { PROMISES, type Promised } from './promises';
import { sum, type Numbers } from './tally';
import { WRONG_LISTS, wrongList, type Kind } from './wrongLists';

/** How many lives of each kind. */
const { numRuns: LIVES } = runs(1);

const TIMEOUT_MS = LIVES * 10 * 60_000;

/** Small channels, so that `npm test` stays quick. */
const members = LIVES === 1 ? 12 : undefined;
const days = LIVES === 1 ? 1 : undefined;

async function lives(options: Partial<LifeOptions>, count = LIVES, kind = 99): Promise<Numbers[]> {
	const all: Numbers[] = [];
	for (let life = 0; life < count; life++) {
		all.push(await live({ members, ...options, seed: (seed * 1_000 + life) * 100 + kind }));
	}
	return all;
}

/** In `npm test`, a third of the kinds, and all of them each night. */
const kinds = shareOf(Object.keys(WRONG_LISTS) as Kind[], seed, 3);
const wrong = new Map<string, Numbers>();

beforeAll(async () => {
	for (const [index, kind] of kinds.entries()) {
		wrong.set(wrongList(kind).text, sum(await lives({ kind, days }, LIVES, index)));
	}
}, TIMEOUT_MS);

/** The kinds of lists for which a number is not 0. */
function kindsWith(number: (numbers: Numbers) => number | undefined): string[] {
	return [...wrong].filter(([, numbers]) => (number(numbers) ?? 0) > 0).map(([text]) => text);
}

describe(`whatever goes wrong with a list, in ${kinds.length} ways`, () => {
	const promises = (Object.keys(PROMISES) as Promised[]).map(
		(promise) => [PROMISES[promise], promise] as const,
	);

	it.each(promises)('%s', (_, promise) => {
		expect(kindsWith(({ broken }) => broken[promise])).toEqual([]);
	});

	it('is healed by right lists: everyone who pays can listen again', () => {
		expect(kindsWith(({ unhealed }) => unhealed)).toEqual([]);
	});

	it('gives no open feed the email of another person', () => {
		expect(kindsWith(({ givenAway }) => givenAway)).toEqual([]);
	});
});

/** In the others, so many members left within a day that the limit stopped Sync. */
const isCalm = ({ failed }: Numbers): boolean => failed === 0;

describe('as long as all lists are right', () => {
	it(
		'closes nobody who pays, everyone who has left, and opens nobody else',
		async () => {
			const all = await lives({}, 3 * LIVES);
			const { payersHit, strangers, givenAway, untold } = sum(all);
			expect({ payersHit, strangers, givenAway, untold }).toEqual({
				...{ payersHit: 0, strangers: 0, givenAway: 0, untold: 0 },
			});
			const { leavers, late } = sum(all.filter(isCalm));
			expect(leavers).toBeGreaterThan(2);
			expect(late).toBe(0);
		},
		TIMEOUT_MS,
	);

	it(
		'closes everyone who has left, if Set Access works beside Sync',
		async () => {
			const all = await lives({ hasEvents: true }, 3 * LIVES);
			expect(sum(all.filter(isCalm)).late).toBe(0);
			const { untold, broken } = sum(all);
			expect({ untold, deletes: broken.deletes }).toEqual({ untold: 0 });
		},
		TIMEOUT_MS,
	);

	it(
		'closes nobody who pays in another system for more than one interval',
		async () => {
			const all = await lives({ hasTwoSyncs: true }, 3 * LIVES);
			const { payersHit, payerMinutes, strangers } = sum(all);
			expect(payerMinutes).toBeLessThanOrEqual(5 * payersHit);
			expect(strangers).toBe(0);
		},
		TIMEOUT_MS,
	);
});
