import fc from 'fast-check';

import { InputError } from '../../../nodes/Supercast/api/errors/errors';
import { runs } from '../../support/deep';
import { play, setupOf, stepsOf, type Played } from './sequences';

/** IDs that should have been announced, and those that were wrongly announced. */
function mistakes({ model, existing, either }: Played): { lost: string[]; needless: string[] } {
	const times = new Map<string, number>();
	for (const { id } of model.announced) times.set(id, (times.get(id) ?? 0) + 1);
	const isOld = (id: string): boolean => existing.has(id) && !model.setup.includeExisting;
	const isOpen = (id: string): boolean => either.has(id) || model.excused.has(id);
	const needless = [...times.keys()].filter((id) => (times.get(id) ?? 0) > 1 || isOld(id));
	return {
		lost: model.ids.filter((id) => !times.has(id) && !isOld(id) && !either.has(id)),
		needless: needless.filter((id) => !isOpen(id)),
	};
}

const nothing = { lost: [], needless: [] };

describe('a record that is created', () => {
	it('is announced once, whatever happens', async () => {
		const property = fc.asyncProperty(
			setupOf('usageAlertCreated'),
			stepsOf(['create', 'remove', 'habits', 'wait', 'poll', 'restart', 'access']),
			async (setup, steps) => {
				expect(mistakes(await play(setup, steps))).toEqual(nothing);
			},
		);
		await fc.assert(property, runs(300));
	});

	it('is announced by the next poll that works, unless others went at the same time', async () => {
		const property = fc.asyncProperty(
			setupOf('subscriberCreated').filter(
				({ habits: { order, headers } }) => order !== 'anew' && headers !== 'short',
			),
			stepsOf(['create', 'wait', 'poll', 'restart']),
			async (setup, steps) => {
				// A poll whose time is over continues in the next one.
				fc.pre(steps.every((step) => step.kind !== 'poll' || step.timeUpAt === undefined));
				await play(setup, steps, (played, step) => {
					const isQuiet = step.kind === 'poll' && step.during.length === 0;
					if (isQuiet && step.end === 'saved') expect(mistakes(played)).toEqual(nothing);
				});
			},
		);
		await fc.assert(property, runs(100));
	});

	it('is announced once when there is no room left for deleted records', async () => {
		const property = fc.asyncProperty(
			setupOf('episodeCreated'),
			fc.integer({ min: 30, max: 50 }),
			stepsOf(['create', 'remove', 'remove', 'wait', 'poll']),
			async (setup, most, steps) => {
				const played = await play({ ...setup, most }, steps).catch((error: unknown) => {
					if (!(error instanceof InputError)) throw error;
				});
				if (played !== undefined) expect(mistakes(played)).toEqual(nothing);
			},
		);
		await fc.assert(property, runs(60));
	});
});
