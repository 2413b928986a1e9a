import fc from 'fast-check';

import { World, type Happening } from './world';

const habits = fc.record({
	order: fc.constantFrom('newest' as const, 'oldest' as const, 'none' as const),
	cap: fc.integer({ min: 1, max: 40 }),
	headers: fc.boolean(),
});

const share = fc.double({ min: 0, max: 0.999, noNaN: true });

const meanwhile = fc.record(
	{
		request: fc.integer({ min: 1, max: 6 }),
		raise: fc.integer({ min: 0, max: 3 }),
		dismiss: share,
	},
	{ requiredKeys: ['request', 'raise'] },
);

const poll = fc.record(
	{
		kind: fc.constant('poll' as const),
		meanwhile: fc.array(meanwhile, { maxLength: 3 }),
		failAt: fc.integer({ min: 1, max: 5 }),
		end: fc.constantFrom('saved' as const, 'saved' as const, 'crash before save' as const),
	},
	{ requiredKeys: ['kind', 'meanwhile', 'end'] },
);

const happening: fc.Arbitrary<Happening> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('raise' as const),
			count: fc.integer({ min: 1, max: 15 }),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('dismiss' as const), share }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('habits' as const), habits }) },
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.integer({ min: 1, max: 100_000 }),
		}),
	},
	{ weight: 4, arbitrary: poll },
	{ weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

const setup = fc.record({
	habits,
	ids: fc.constantFrom('number' as const, 'uuid' as const),
	dated: fc.boolean(),
	existing: fc.integer({ min: 0, max: 60 }),
});

const quietPoll: Happening = { kind: 'poll', meanwhile: [], end: 'saved' };

describe('detection, against a model of n8n and the service', () => {
	it('loses no alert, and doubles none but by a crash', async () => {
		await fc.assert(
			fc.asyncProperty(
				setup,
				fc.boolean(),
				fc.array(happening, { minLength: 1, maxLength: 40 }),
				async (given, includeExisting, happenings) => {
					const world = new World(given, { includeExisting, most: 10_000 });
					await world.activate();
					for (const event of happenings) {
						await world.happen(event);
						const isSure =
							event.kind === 'poll' &&
							event.end === 'saved' &&
							event.failAt === undefined &&
							event.meanwhile.length === 0;
						if (isSure) expect(world.lost()).toEqual([]);
						expect(world.needless()).toEqual([]);
					}
					await world.happen(quietPoll);
					expect(world.lost()).toEqual([]);
					expect(world.needless()).toEqual([]);
				},
			),
			{ numRuns: Number(process.env.RUNS ?? 1_000) },
		);
	}, 120_000);
});
