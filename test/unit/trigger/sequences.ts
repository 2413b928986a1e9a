import fc from 'fast-check';

import { SUBSCRIBER_STATES } from '../../../nodes/Supercast/subscriber/states';
import type { TriggerEvent } from '../../../nodes/Supercast/trigger/events';
import { UNSURE_MS } from '../../../nodes/Supercast/trigger/state';
import { HEADERS, ID_FORMS, ORDERS } from '../../doubles/simulatedList';
import type { ModelledTrigger } from './modelledTrigger';
import type { Announcement, Edit, PollStep, Setup, Step } from './steps';
import { TriggerModel } from './triggerModel';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const STATES: readonly string[] = SUBSCRIBER_STATES;

const share = fc.double({ min: 0, max: 0.999, noNaN: true });

const habits = fc.record({
	order: fc.constantFrom(...ORDERS),
	cap: fc.integer({ min: 1, max: 12 }),
	headers: fc.constantFrom(...HEADERS),
});

const edits = {
	create: fc.record({
		kind: fc.constant('create' as const),
		count: fc.integer({ min: 1, max: 6 }),
		backMs: fc.constantFrom(0, 0, 2 * HOUR, 90 * 24 * HOUR),
		state: fc.constantFrom(...STATES),
		outInMs: fc.constantFrom(-HOUR, 10 * MINUTE, 40 * 24 * HOUR),
	}),
	remove: fc.record({ kind: fc.constant('remove' as const), share }),
	state: fc.record({
		kind: fc.constant('state' as const),
		share,
		state: fc.constantFrom(...STATES),
	}),
	publish: fc.record({
		kind: fc.constant('publish' as const),
		share,
		outInMs: fc.constantFrom(-MINUTE, 5 * MINUTE, 2 * HOUR),
	}),
};

type Kind = Step['kind'];

const isEdit = (kind: Kind): kind is Edit['kind'] => kind in edits;

const pollOf = (kinds: Kind[]): fc.Arbitrary<PollStep> =>
	fc.record(
		{
			kind: fc.constant('poll' as const),
			during: fc.array(
				fc.record({
					request: fc.integer({ min: 1, max: 6 }),
					edit: fc.oneof(...kinds.filter(isEdit).map((kind) => edits[kind])),
				}),
				{ maxLength: 3 },
			),
			failAt: fc.integer({ min: 1, max: 6 }),
			timeUpAt: fc.integer({ min: 1, max: 6 }),
			lookUps: fc.constantFrom('fail' as const, 'stale' as const),
			end: fc.constantFrom(
				'saved' as const,
				'saved' as const,
				'saved' as const,
				'dropped' as const,
				'crash before save' as const,
				'crash before execution' as const,
			),
		},
		{ requiredKeys: ['kind', 'during', 'end'] },
	);

const quiet: PollStep = { kind: 'poll', during: [], end: 'saved' };

/** Steps of these kinds in any order. */
export function stepsOf(kinds: Kind[]): fc.Arbitrary<Step[]> {
	const arbitraries: Partial<Record<Kind, fc.Arbitrary<Step>>> = {
		...edits,
		habits: fc.record({ kind: fc.constant('habits' as const), habits }),
		wait: fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.constantFrom(MINUTE, 10 * MINUTE, HOUR, 24 * HOUR),
		}),
		poll: fc.oneof(pollOf(kinds), fc.constant(quiet)),
		restart: fc.record({
			kind: fc.constant('restart' as const),
			afterMs: fc.constantFrom(500, UNSURE_MS, 604_800_000),
		}),
		access: fc.record({
			kind: fc.constant('access' as const),
			credential: fc.constantFrom('A', 'B'),
			channel: fc.constantFrom(0, 0, 1),
		}),
		swap: fc.record({ kind: fc.constant('swap' as const), channel: fc.constantFrom(0, 1) }),
		clock: fc.record({
			kind: fc.constant('clock' as const),
			aheadMs: fc.constantFrom(0, 0, 30 * 24 * HOUR, -30 * 24 * HOUR),
		}),
	};
	const weights: Partial<Record<Kind, number>> = { create: 3, state: 3, poll: 5, remove: 2 };
	const weighted = kinds.map((kind) => ({
		weight: weights[kind] ?? 1,
		arbitrary: arbitraries[kind]!,
	}));
	return fc.array(fc.oneof(...weighted), { minLength: 1, maxLength: 16 });
}

export function setupOf(event: TriggerEvent): fc.Arbitrary<Setup> {
	return fc.record({
		event: fc.constant(event),
		habits,
		ids: fc.constantFrom(...ID_FORMS),
		existing: fc.integer({ min: 0, max: 25 }),
		includeExisting: fc.boolean(),
		memory: fc.constantFrom('process' as const, 'durable' as const, 'cursors' as const),
		triggers: fc.constantFrom(1, 1, 2),
		states: fc.constant([]),
		most: fc.constant(10_000),
	});
}

export interface Played {
	model: TriggerModel;
	/** IDs of the records that existed when the workflow was published. */
	existing: Set<string>;
	/** IDs that the trigger may announce or not, according to the documentation. */
	either: Set<string>;
}

/**
 * Plays a sequence, and then lets enough time pass to find everything. That is an hour, and a few
 * polls of a list that keeps its order.
 *
 * @param afterStep Checks what must be true after each successful step.
 */
export async function play(
	setup: Setup,
	steps: Step[],
	afterStep: (played: Played, step: Step) => void = () => undefined,
): Promise<Played> {
	const model = new TriggerModel({ ...setup, habits: { ...setup.habits } });
	const played = { model, existing: new Set(model.ids), either: new Set<string>() };
	// If a list has a new order at each request and hides its length, nothing shows that it was read
	// completely.
	const { order, headers } = setup.habits;
	if (order === 'reshuffled' && headers !== 'all')
		for (const id of model.ids) played.either.add(id);
	await model.activate();
	const back: Step[] = steps.some(({ kind }) => kind === 'swap')
		? [{ kind: 'swap', channel: 0 }]
		: [];
	for (const step of [...steps, ...back, ...END]) {
		const isDone = await model.happen(step);
		if (step.kind === 'access') noteOtherChannel(played);
		if (isDone) afterStep(played, step);
	}
	for (const [uuid, times] of model.stale) if (times > 1) played.either.add(uuid.slice(2));
	if (model.isStopped) expectNoneLeft(played);
	if (model.isStopped) for (const id of [...model.ids, ...played.existing]) played.either.add(id);
	for (const trigger of model.triggers) expectSameEvents(trigger);
	return played;
}

/** The trigger stops only if no known record is left. It knows no episode without a date. */
function expectNoneLeft({ model, existing, either }: Played): void {
	if (model.setup.event === 'episodePublished') return;
	expect(model.ids.filter((id) => existing.has(id) && !either.has(id))).toEqual([]);
}

/** Removing duplicates by `eventId` removes what was announced again, and nothing else. */
function expectSameEvents({ announced }: ModelledTrigger): void {
	const byEvent = new Map<string, Announcement>();
	const byId = new Map<string, Announcement>();
	for (const one of announced) {
		const [same, last] = [byEvent.get(one.eventId), byId.get(one.id)];
		if (same) expect([one.id, one.state]).toEqual([same.id, same.state]);
		const isRepeated = last && last.state === one.state && last.updatedAt === one.updatedAt;
		if (isRepeated && one.state !== undefined) expect(one.eventId).toBe(last.eventId);
		byEvent.set(one.eventId, one);
		byId.set(one.id, one);
	}
}

/**
 * A list without a single record that a trigger knows counts as another channel's, so all of it is
 * old. Each trigger knows what it has read itself.
 */
function noteOtherChannel({ model, existing, either }: Played): void {
	const { order, headers } = model.list.habits;
	// A reading that cannot be complete may miss the known ones.
	const isIncomplete = order === 'reshuffled' && headers !== 'all';
	const isKnownToAll = model.triggers.every(({ announced }) => {
		const known = new Set([...existing, ...either, ...announced.map(({ id }) => id)]);
		return model.ids.some((id) => known.has(id));
	});
	if (!isIncomplete && isKnownToAll) return;
	for (const id of model.ids) either.add(id);
}

const END: Step[] = [
	{ kind: 'clock', aheadMs: 0 },
	{ kind: 'habits', habits: { order: 'newest', cap: 10, headers: 'all' } },
	quiet,
	{ kind: 'wait', ms: HOUR },
	quiet,
	quiet,
];
