import fc from 'fast-check';

import { runs } from '../../support/deep';
import { play, setupOf, stepsOf, STATES, type Played } from './sequences';
import type { Announcement, PollStep } from './steps';

/** The current state of each record in the list. */
function statesOf({ model }: Played): Map<string, string> {
	return new Map(model.list.records.map(({ id, state }) => [String(id), String(state)]));
}

function isUndisturbed({ during, failAt, timeUpAt, end }: PollStep): boolean {
	return during.length === 0 && (failAt ?? timeUpAt) === undefined && end === 'saved';
}

/** IDs that were announced more than once although no crash explains it. */
function doubled({ model }: Played): string[] {
	const ids = model.announced.map(({ id }) => id);
	return ids.filter((id, index) => ids.indexOf(id) !== index && !model.excused.has(id));
}

function wasAnnounced({ model }: Played, id: string): boolean {
	return model.announced.some((one) => one.id === id);
}

describe('a change of state', () => {
	it('is announced once, and each change begins where the one before it ended', async () => {
		const property = fc.asyncProperty(
			setupOf('subscriberStateChanged'),
			stepsOf(['create', 'remove', 'state', 'habits', 'wait', 'poll', 'restart']),
			async (setup, steps) => {
				const played = await play(setup, steps);
				const { announced, excused } = played.model;
				const now = statesOf(played);
				const last = new Map<string, string | undefined>();
				for (const { id, before, state } of announced.filter((one) => !excused.has(one.id))) {
					expect(before).not.toBe(state);
					expect(before).toBe(last.get(id) ?? before);
					last.set(id, state);
				}
				const stale = [...last].filter(([id, state]) => now.has(id) && now.get(id) !== state);
				expect(stale).toEqual([]);
				const changed = [...played.existing].filter(
					(id) => (now.get(id) ?? 'available') !== 'available',
				);
				const lost = changed.filter((id) => !wasAnnounced(played, id) && !played.either.has(id));
				expect(lost).toEqual([]);
			},
		);
		await fc.assert(property, runs(100));
	});

	it('is announced by the poll that sees it, if the new state is selected', async () => {
		const property = fc.asyncProperty(
			setupOf('subscriberStateChanged').filter(({ habits: { order } }) => order !== 'anew'),
			fc.subarray(STATES),
			stepsOf(['create', 'remove', 'state', 'wait', 'poll']),
			async (setup, states, steps) => {
				fc.pre(steps.every((step) => step.kind !== 'poll' || isUndisturbed(step)));
				const seen = new Map<string, string>();
				const expected: Announcement[] = [];
				const { model } = await play({ ...setup, states }, steps, (played, step) => {
					if (step.kind !== 'poll') return;
					for (const [id, state] of statesOf(played)) {
						const before = seen.get(id) ?? (played.existing.has(id) ? 'available' : state);
						const isWanted = states.length === 0 || states.includes(state);
						if (before !== state && isWanted) expected.push({ id, before, state });
						seen.set(id, state);
					}
				});
				const sorted = (all: Announcement[]): string[] =>
					all.map(({ id, before, state }) => `${id}: ${before} to ${state}`).sort();
				expect(sorted(model.announced)).toEqual(sorted(expected));
			},
		);
		await fc.assert(property, runs(60));
	});
});

describe('a subscriber who is deleted', () => {
	it('is announced once', async () => {
		const property = fc.asyncProperty(
			setupOf('subscriberDeleted'),
			stepsOf(['create', 'remove', 'remove', 'state', 'habits', 'wait', 'poll', 'restart']),
			async (setup, steps) => {
				const played = await play(setup, steps);
				const { model, existing, either } = played;
				expect(model.ids.filter((id) => wasAnnounced(played, id))).toEqual([]);
				expect(doubled(played)).toEqual([]);
				const gone = [...existing].filter((id) => !model.ids.includes(id) && !either.has(id));
				expect(gone.filter((id) => !wasAnnounced(played, id))).toEqual([]);
			},
		);
		await fc.assert(property, runs(80));
	});
});

describe('an episode that is published', () => {
	it('is announced once, when its time has come', async () => {
		const property = fc.asyncProperty(
			setupOf('episodePublished'),
			stepsOf(['create', 'remove', 'publish', 'habits', 'wait', 'poll', 'restart']),
			async (setup, steps) => {
				const played = await play(setup, steps);
				const { list, now } = played.model;
				expect(doubled(played)).toEqual([]);
				const isOut = (time: unknown): boolean => Date.parse(String(time)) <= now;
				const out = list.records.filter((record) => isOut(record.published_at));
				const lost = out.filter(({ id }) => !wasAnnounced(played, String(id)));
				expect(lost).toEqual([]);
				// Announced early, or a draft. The item itself shows it.
				const early = played.model.announced.filter(({ isEarly }) => isEarly);
				expect(early).toEqual([]);
			},
		);
		await fc.assert(property, runs(80));
	});
});
