import fc from 'fast-check';

import { InputError } from '../../../nodes/Supercast/api/errors/errors';
import { runs } from '../../support/deep';
import type { ModelledTrigger } from './modelledTrigger';
import { play, type Played, setupOf, STATES, stepsOf } from './sequences';
import type { Habits } from '../../doubles/simulatedList';
import type { Announcement, PollStep, Setup, Step } from './steps';

/** The current state of each record in the list. */
function statesOf({ model }: Played): Map<string, string> {
	return new Map(model.list.records.map(({ id, state }) => [String(id), String(state)]));
}

function isUndisturbed({ during, failAt, timeUpAt, end }: PollStep): boolean {
	return during.length === 0 && (failAt ?? timeUpAt) === undefined && end === 'saved';
}

/** IDs that were announced more than once although no crash explains it. */
function doubled({ announced, excused }: ModelledTrigger): string[] {
	const ids = announced.map(({ id }) => id);
	return ids.filter((id, index) => ids.indexOf(id) !== index && !excused.has(id));
}

function wasAnnounced({ announced }: ModelledTrigger, id: string): boolean {
	return announced.some((one) => one.id === id);
}

/** Each change of a trigger begins where the one before it ended, and the last one is true. */
function expectChain(played: Played, trigger: ModelledTrigger): void {
	const { announced, excused } = trigger;
	const now = statesOf(played);
	const last = new Map<string, string | undefined>();
	for (const { id, before, state } of announced.filter((one) => !excused.has(one.id))) {
		expect(before).not.toBe(state);
		expect(before).toBe(last.get(id) ?? before);
		last.set(id, state);
	}
	const isOpen = (id: string): boolean => played.either.has(id);
	const stale = [...last].filter(([id, state]) => now.has(id) && now.get(id) !== state);
	expect(stale.filter(([id]) => !isOpen(id))).toEqual([]);
	const changed = [...played.existing].filter((id) => (now.get(id) ?? 'available') !== 'available');
	expect(changed.filter((id) => !wasAnnounced(trigger, id) && !isOpen(id))).toEqual([]);
}

describe('a change of state', () => {
	it('is announced once, and each change begins where the one before it ended', async () => {
		const property = fc.asyncProperty(
			setupOf('subscriberStateChanged'),
			stepsOf(['create', 'remove', 'state', 'habits', 'wait', 'poll', 'restart', 'clock']),
			async (setup, steps) => {
				const played = await play(setup, steps);
				for (const trigger of played.model.triggers) expectChain(played, trigger);
			},
		);
		await fc.assert(property, runs(20));
	});

	it('is announced by the poll that sees it, if the new state is selected', async () => {
		const property = fc.asyncProperty(
			setupOf('subscriberStateChanged').filter(
				({ habits: { order, headers } }) => order !== 'reshuffled' && headers !== 'short',
			),
			fc.subarray([...STATES]),
			stepsOf(['create', 'remove', 'state', 'wait', 'poll']),
			async (setup, states, steps) => {
				fc.pre(steps.every((step) => step.kind !== 'poll' || isUndisturbed(step)));
				const seen = new Map<string, string>();
				const expected: Array<Partial<Announcement>> = [];
				let isOpen = false;
				const { model } = await play({ ...setup, states }, steps, (played, step) => {
					isOpen ||= played.model.isStopped;
					if (step.kind !== 'poll') return;
					for (const [id, state] of statesOf(played)) {
						const before = seen.get(id) ?? (played.existing.has(id) ? 'available' : state);
						const isWanted = states.length === 0 || states.includes(state);
						if (before !== state && isWanted) expected.push({ id, before, state });
						seen.set(id, state);
					}
				});
				if (isOpen) return;
				const sorted = (all: Array<Partial<Announcement>>): string[] =>
					all.map(({ id, before, state }) => `${id}: ${before} to ${state}`).sort();
				for (const { announced } of model.triggers) {
					expect(sorted(announced)).toEqual(sorted(expected));
				}
			},
		);
		await fc.assert(property, runs(15));
	});
});

/** One reading misses a record that moved, and then it is deleted, but can still be looked up once. */
const missedTwice: [Setup, Step[]] = [
	{
		event: 'subscriberDeleted',
		habits: { order: 'shuffled', cap: 2, headers: 'none' },
		ids: 'number',
		existing: 5,
		includeExisting: false,
		memory: 'process',
		triggers: 1,
		states: [],
		most: 10_000,
	},
	[
		{ kind: 'remove', share: 0 },
		{
			kind: 'poll',
			during: [{ request: 2, edit: { kind: 'remove', share: 0 } }],
			end: 'saved',
		},
		{ kind: 'remove', share: 0 },
		{
			kind: 'poll',
			during: [{ request: 1, edit: { kind: 'remove', share: 0 } }],
			lookUps: 'stale',
			end: 'saved',
		},
	],
];

describe('a subscriber who is deleted', () => {
	it('is announced once', async () => {
		const property = fc.asyncProperty(
			setupOf('subscriberDeleted'),
			stepsOf([
				'create',
				'remove',
				'remove',
				'state',
				'habits',
				'wait',
				'poll',
				'restart',
				'clock',
			]),
			async (setup, steps) => {
				const { model, existing, either } = await play(setup, steps);
				const gone = [...existing].filter((id) => !model.ids.includes(id) && !either.has(id));
				for (const trigger of model.triggers) {
					expect(model.ids.filter((id) => wasAnnounced(trigger, id))).toEqual([]);
					expect(doubled(trigger)).toEqual([]);
					expect(gone.filter((id) => !wasAnnounced(trigger, id))).toEqual([]);
				}
			},
		);
		await fc.assert(property, { ...runs(20), examples: [missedTwice] });
	});
});

describe('an episode that is published', () => {
	it('is announced once, when its time has come', async () => {
		const property = fc.asyncProperty(
			setupOf('episodePublished'),
			stepsOf(['create', 'remove', 'publish', 'habits', 'wait', 'poll', 'restart', 'clock']),
			async (setup, steps) => {
				const { model, either } = await play(setup, steps);
				const { list, now } = model;
				const isOut = (time: unknown): boolean => Date.parse(String(time)) <= now;
				const out = list.records.filter((record) => isOut(record.published_at));
				const wasWrong = steps.some((step) => step.kind === 'clock' && step.aheadMs !== 0);
				for (const trigger of model.triggers) {
					// What was announced early is announced again when its time has come.
					if (!wasWrong) expect(doubled(trigger)).toEqual([]);
					const lost = out.filter(({ id }) => !wasAnnounced(trigger, String(id)));
					expect(lost.filter(({ id }) => !either.has(String(id)))).toEqual([]);
					// Announced early, or a draft. The item itself shows it.
					expect(trigger.announced.filter(({ isEarly }) => isEarly)).toEqual([]);
				}
			},
		);
		await fc.assert(property, runs(20));
	});
});

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
		await fc.assert(property, { ...runs(75), examples: [knownToOne] });
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
		await fc.assert(property, runs(20));
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
		await fc.assert(property, runs(75));
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
		await fc.assert(property, runs(15));
	});
});
