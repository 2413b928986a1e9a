import type { Change } from './eventKind';
import { ABSENT, type Output, type StateStore, type TriggerState } from './state';

/**
 * What the state records about an output: when it occurred, and how to undo it.
 *
 * @param changes By the hash of their record.
 * @param state The state before the output.
 * @param announcedAt When the trigger returns the changes, in milliseconds since 1970.
 */
export function announced(
	changes: ReadonlyMap<string, Change>,
	state: TriggerState,
	store: StateStore,
	announcedAt: number,
): Pick<TriggerState, 'announcedAt' | 'outputs' | 'repeated'> {
	const latest = new Map<string, Output>();
	for (const [hash, { before = ABSENT, since = 0, repeats = 0 }] of changes) {
		// Repeated events have a different occasion from new ones.
		const occasion = `${since} ${repeats}`;
		const output = latest.get(occasion) ?? { at: announcedAt, since, repeats, undo: new Map() };
		output.undo.set(hash, before);
		latest.set(occasion, output);
	}
	const oldestFirst = [...latest.values()].sort((one, other) => one.since - other.since);
	const repeated = new Map([...(state.repeated ?? [])].filter(([hash]) => !changes.has(hash)));
	return { announcedAt, outputs: store.outputsAfter(state.outputs, oldestFirst), repeated };
}
