import { seededRandom } from '../../../../simulators/supercast/data/random';
import { constant, simulate, type Result, type LoadProfile, WINDOW } from './loadProfiles';

type Ways = LoadProfile['ways'];

/** Times at random, in milliseconds: there from a to b, and back from c to d. */
function random([a, b]: [number, number], [c, d]: [number, number]): Ways {
	const chance = seededRandom(7);
	return () => [a + chance() * (b - a), c + chance() * (d - c)];
}

/** The first requests get no response for ten minutes. */
function hanging(count: number): Ways {
	let started = 0;
	return () => [10, ++started <= count ? 600_000 : 190];
}

const inSeconds = (waitMs: number): number => Math.ceil(waitMs / 1000) * 1000;
const strays = [1, 101, 450, 501, 999];
const often = Array.from({ length: 20 }, (_, n) => (n + 1) * 60);
const one = { batches: [1000] };
const many = { ...one, atOnce: 32 };
const four = { batches: [500, 500, 500, 500] };

/** The most that each load profile may cost. */
const TABLE: Array<[string, LoadProfile, Partial<Result>]> = [
	['quick answers', { ...one, ways: constant(5) }, { time: 1.002, refused: 0 }],
	['one request at a time', { ...one, atOnce: 1, ways: constant(5) }, { time: 1.005, refused: 0 }],
	['answers after 2 s', { ...many, ways: constant(2000) }, { time: 1.021, refused: 0 }],
	[
		'answers after 0.2 to 3 s',
		{ ...many, ways: random([5, 5], [195, 2995]) },
		{ time: 1.04, refused: 0 },
	],
	[
		'0.2 to 3 s there, which the client does not know',
		{ ...many, ways: random([195, 2995], [5, 5]) },
		{ time: 1.044, refused: 0.002 },
	],
	[
		'no answers to 17 of 32',
		{ batches: [585], atOnce: 32, ways: hanging(17) },
		{ time: 1.06, refused: 0 },
	],
	[
		'a refusal by chance, and no answers to 17 of 32',
		{ batches: [585], atOnce: 32, ways: hanging(17), strays: [583] },
		{ time: 1.07, refused: 0.002 },
	],
	['timers that are late', { ...many, ways: constant(2000), late: 20 }, { time: 1.021 }],
	[
		'a Supercast whose clock is slower',
		{ ...one, window: WINDOW * 1.0005 },
		{ time: 1.008, refused: 0 },
	],
	['five refusals by chance', { ...one, strays }, { time: 1.019, refused: 0.006, tries: 2 }],
	[
		'five refusals by chance, and slow answers',
		{ ...many, strays, ways: constant(2000) },
		{ time: 1.045, refused: 0.006, tries: 2 },
	],
	[
		'five refusals by chance that say a second',
		{ ...one, strays, retryAfter: () => 1000 },
		{ time: 1.014, refused: 0.006, tries: 2 },
	],
	[
		'20 refusals in a burst of 1,400 executions',
		{ joins: 1400, each: 1, strays: often },
		{ time: 1.02, refused: 0.015, median: 0.25, tries: 2 },
	],
	['an app that takes 30 of 100', { batches: [700], others: 30 }, { time: 0.83, refused: 0.014 }],
	['an app that takes 90 of 100', { batches: [150], others: 90 }, { time: 1, refused: 0.05 }],
	[
		'an app that takes 80 of 100, and then ends',
		{ batches: [500], others: 80, until: 3 },
		{ time: 0.26, refused: 0.013 },
	],
	[
		'a limit that is used up',
		{ batches: [200], usedUp: 100 },
		{ time: 1.36, refused: 0.04, tries: 3 },
	],
	[
		'a limit that is used up, always told a second',
		{ batches: [200], usedUp: 100, retryAfter: () => 1000 },
		{ time: 1.6, refused: 0.045, tries: 3 },
	],
	[
		'a limit that is used up, told the time',
		{ batches: [200], usedUp: 100, retryAfter: inSeconds },
		{ time: 1.1, refused: 0.02, tries: 2 },
	],
	[
		'a limit that is used up by 60, and slow answers',
		{ batches: [200], usedUp: 60, atOnce: 32, ways: constant(2000) },
		{ time: 1.53, refused: 0.13, tries: 3 },
	],
	[
		'a limit that is used up by 60, and answers after 0.2 to 3 s',
		{ batches: [200], usedUp: 60, atOnce: 32, ways: random([5, 5], [195, 2995]) },
		{ time: 1.51, refused: 0.053, tries: 3 },
	],
	[
		'an urgent request while an app takes everything for four minutes',
		{ others: 120, until: 4, urgent: 1 },
		{ urgent: 3.1 },
	],
	['four processes', four, { time: 1.01, refused: 0.026 }],
	[
		'four processes that begin one after the other',
		{ ...four, stagger: 333 },
		{ time: 1.09, refused: 0.034 },
	],
	[
		'four processes, always told a minute',
		{ ...four, retryAfter: () => WINDOW },
		{ time: 1.07, refused: 0.024 },
	],
	[
		'four processes, told the time',
		{ ...four, retryAfter: inSeconds },
		{ time: 1.01, refused: 0.024 },
	],
	[
		'three processes with unequal work, and a limit of 600',
		{ batches: [1000, 1000, 400], limit: 600, atOnce: 160, ways: random([2, 7], [100, 120]) },
		{ time: 1.04, refused: 0.023 },
	],
	['an urgent request beside a batch', { ...one, urgent: 5 }, { urgent: 0.88 }],
	[
		'urgent requests of a workflow with 1,000 executions',
		{ joins: 1000, each: 1, urgent: 5, workflow: 'joins' },
		{ urgent: 0.88, median: 0.21 },
	],
	[
		'urgent requests of another workflow than 1,000 executions',
		{ joins: 1000, each: 1, urgent: 5 },
		{ urgent: 0.88, median: 0.21 },
	],
	[
		'executions that keep coming',
		{ joins: 900, each: 1, joinEvery: 200, urgent: 3 },
		{ time: 1.13, urgent: 0.88, median: 0.24 },
	],
	[
		'executions that keep coming, in the workflow of a batch',
		{ ...one, batchOf: 'joins', joins: 100, joinEvery: 1000, urgent: 5, workflow: 'joins' },
		{ urgent: 1.95, median: 0.09 },
	],
	[
		'a peak of joins',
		{ joins: 240, urgent: 3 },
		{ time: 1.06, refused: 0, urgent: 0.88, median: 0.26 },
	],
	[
		'a peak of joins beside a batch',
		{ batches: [300], joins: 240, urgent: 5 },
		{ time: 1.03, refused: 0, urgent: 0.88, median: 0.3 },
	],
];

describe('the time, the refusals, the wait of urgent requests, the median and the tries', () => {
	it.each(TABLE)('stay low with %s', async (_, profile, most) => {
		const result = await simulate(profile);
		const over = Object.entries(most).filter(
			([key, value]) => !(result[key as keyof Result] <= value),
		);
		expect({ over, result }).toEqual({ over: [], result });
	});
});
