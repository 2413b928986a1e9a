import fc from 'fast-check';

import { InputError } from '../../../nodes/Supercast/api/errors/errors';
import { runs } from '../../support/deep';
import { play, setupOf, stepsOf, type Played } from './sequences';
import type { Habits } from './simulatedList';
import type { ModelledTrigger } from './modelledTrigger';
import type { Setup, Step } from './steps';

/** IDs that should have been announced, and those that were wrongly announced. */
function mistakes({ model, existing, either }: Played): { lost: string[]; needless: string[] } {
	const all = model.triggers.map((trigger) => mistakesOf(trigger, { model, existing, either }));
	return { lost: all.flatMap(({ lost }) => lost), needless: all.flatMap((one) => one.needless) };
}

function mistakesOf(
	{ announced, excused }: ModelledTrigger,
	{ model, existing, either }: Played,
): { lost: string[]; needless: string[] } {
	const times = new Map<string, number>();
	for (const { id } of announced) times.set(id, (times.get(id) ?? 0) + 1);
	const isOld = (id: string): boolean => existing.has(id) && !model.setup.includeExisting;
	const isOpen = (id: string): boolean => either.has(id) || excused.has(id);
	const needless = [...times.keys()].filter((id) => (times.get(id) ?? 0) > 1 || isOld(id));
	return {
		lost: model.ids.filter((id) => !times.has(id) && !isOld(id) && !either.has(id)),
		needless: needless.filter((id) => !isOpen(id)),
	};
}

const nothing = { lost: [], needless: [] };

/** One of two triggers reads the first record of the list, and then the credential changes. */
const knownToOne: [Setup, Step[]] = [
	{
		event: 'usageAlertCreated',
		habits: { order: 'newest', cap: 1, headers: 'all' },
		ids: 'number',
		existing: 0,
		includeExisting: false,
		memory: 'process',
		triggers: 2,
		states: [],
		most: 10_000,
	},
	[
		{
			kind: 'poll',
			during: [{ request: 1, edit: { kind: 'create', count: 1, backMs: 0, state: 'available' } }],
			failAt: 2,
			end: 'saved',
		},
		{ kind: 'access', credential: 'B', channel: 0 },
	],
];

describe('a record that is created', () => {
	it('is announced once, whatever happens', async () => {
		const property = fc.asyncProperty(
			setupOf('usageAlertCreated'),
			stepsOf(['create', 'remove', 'habits', 'wait', 'poll', 'restart', 'access', 'clock']),
			async (setup, steps) => {
				expect(mistakes(await play(setup, steps))).toEqual(nothing);
			},
		);
		await fc.assert(property, { ...runs(300), examples: [knownToOne] });
	});

	it('is announced by the next poll that works, unless others went at the same time', async () => {
		const property = fc.asyncProperty(
			setupOf('subscriberCreated').filter(
				({ habits: { order, headers } }) => order !== 'reshuffled' && headers !== 'short',
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

	it('is not announced if it belongs to another channel', async () => {
		const events = ['subscriberCreated', 'episodeCreated', 'subscriberStateChanged'] as const;
		const property = fc.asyncProperty(
			fc.constantFrom(...events, 'subscriberDeleted' as const).chain(setupOf),
			fc.integer({ min: 10, max: 25 }),
			stepsOf(['create', 'habits', 'wait', 'poll', 'poll', 'restart', 'swap', 'swap']),
			async (setup, existing, steps) => {
				// A reading that continues in the next poll would mix two channels. A list that seems to
				// have one record looks like a new channel.
				const isShort = ({ headers }: Habits): boolean => headers === 'short';
				fc.pre(steps.every((step) => step.kind !== 'poll' || step.timeUpAt === undefined));
				fc.pre(!isShort(setup.habits));
				fc.pre(steps.every((step) => step.kind !== 'habits' || !isShort(step.habits)));
				const played = await play({ ...setup, existing, includeExisting: false }, steps);
				const { ids } = played.model;
				const isNews = setup.event.endsWith('Created');
				for (const trigger of played.model.triggers) {
					const foreign = trigger.announced.filter(({ id }) => !isNews || !ids.includes(id));
					expect(foreign).toEqual([]);
				}
				if (isNews) expect(mistakes(played)).toEqual(nothing);
			},
		);
		await fc.assert(property, runs(150));
	});

	it('is announced once when there is no room left for deleted records', async () => {
		const property = fc.asyncProperty(
			setupOf('episodeCreated'),
			fc.integer({ min: 30, max: 50 }),
			stepsOf(['create', 'remove', 'remove', 'wait', 'poll']),
			async (setup, most, steps) => {
				// The trigger promises nothing about lists that are longer than its memory.
				let isTooLong = false;
				const noteLength = ({ model }: Played, step: Step): void => {
					const removed = step.kind === 'poll' ? step.during.length : 0;
					isTooLong ||= model.ids.length + removed > most;
				};
				const played = await play({ ...setup, most }, steps, noteLength).catch((error: unknown) => {
					if (!(error instanceof InputError)) throw error;
				});
				if (played !== undefined && !isTooLong) expect(mistakes(played)).toEqual(nothing);
			},
		);
		await fc.assert(property, runs(60));
	});
});
