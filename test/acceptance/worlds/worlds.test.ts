/** What holds in random lives of channels, whatever goes wrong with their lists. */

import { runs, seed } from '../../support/deep';
import { live, type LifeOptions } from './life';
import { PROMISES, type Promised } from './promises';
import { tree } from './settings';
import { sum, type Numbers } from './tally';
import { WRONG_LISTS, wrongList, type Kind } from './wrongLists';

/** How many lives of each kind. */
const { numRuns: LIVES } = runs(1);

const TIMEOUT_MS = LIVES * 10 * 60_000;

/** Small channels, so that `npm test` stays quick. */
const members = LIVES === 1 ? 12 : undefined;

async function lives(options: Partial<LifeOptions>, count = LIVES, kind = 99): Promise<Numbers> {
	const all: Numbers[] = [];
	for (let life = 0; life < count; life++) {
		all.push(await live({ members, ...options, seed: (seed * 1_000 + life) * 100 + kind }));
	}
	return sum(all);
}

const kinds = Object.keys(WRONG_LISTS) as Kind[];
const wrong = new Map<string, Numbers>();

beforeAll(async () => {
	for (const [index, kind] of kinds.entries()) {
		wrong.set(wrongList(kind).text, await lives({ kind }, LIVES, index));
	}
}, TIMEOUT_MS);

/** The kinds of lists for which a number is not 0. */
function kindsWith(number: (numbers: Numbers) => number | undefined): string[] {
	return [...wrong].filter(([, numbers]) => (number(numbers) ?? 0) > 0).map(([text]) => text);
}

describe(`whatever goes wrong with a list, in ${kinds.length} ways`, () => {
	const promises = (Object.keys(PROMISES) as Promised[]).filter(
		(promise) => !tree.breaks.includes(promise),
	);

	it.each(promises)('%s', (promise) => {
		expect(kindsWith(({ broken }) => broken[promise])).toEqual([]);
	});

	it('is healed by right lists: whoever pays can listen again', () => {
		expect(kindsWith(({ unhealed }) => unhealed)).toEqual([]);
	});

	it('gives no open feed the email of another person', () => {
		expect(kindsWith(({ givenAway }) => givenAway)).toEqual([]);
	});
});

describe('as long as all lists are right', () => {
	it(
		'closes nobody who pays, everybody who has left, and opens nobody else',
		async () => {
			const { payersHit, late, strangers, failed, leavers } = await lives({}, 3 * LIVES);
			expect({ payersHit, late, strangers, failed }).toEqual({
				...{ payersHit: 0, late: 0, strangers: 0, failed: 0 },
			});
			expect(leavers).toBeGreaterThan(2);
		},
		TIMEOUT_MS,
	);

	it(
		'closes everybody who has left, if Set Access works beside Sync',
		async () => {
			const { late, untold, broken } = await lives({ hasEvents: true }, 3 * LIVES);
			expect({ late, untold, deletes: broken.deletes }).toEqual({ late: 0, untold: 0 });
		},
		TIMEOUT_MS,
	);

	it(
		'closes nobody who pays in another system for more than one interval',
		async () => {
			const { payersHit, payerMinutes, strangers } = await lives({ hasTwoSyncs: true }, 3 * LIVES);
			expect(payerMinutes).toBeLessThanOrEqual(5 * payersHit);
			expect(strangers).toBe(0);
		},
		TIMEOUT_MS,
	);
});
