/** What the trigger remembers between two polls, and where it is stored. */
import type { IDataObject } from 'n8n-workflow';

import { asRecord } from '../api/json';
import { ABSENT, decodeIds, encodeIds, type KnownIds } from './knownIds';
import type { ListScan } from './listScan';

/** What a trigger knows about a list. Times are in milliseconds since 1970. */
export interface TriggerState {
	/** Identifies the credential, host and channel that the list came from. */
	source: string;
	known: KnownIds;
	/** How many records of the list are known. Undefined if Supercast sends no total. */
	size: number | undefined;
	/**
	 * When the last thorough reading of the whole list ended. 0 means that a reading is due and
	 * that the state must be saved.
	 */
	readAt: number;
	/** When the trigger last returned changes; 0 if never. */
	announcedAt: number;
	/** The notes that the last output changed, with their previous values. */
	undo: KnownIds;
}

/** What this process knows about a trigger, in addition to what n8n saves. */
export interface Session {
	state?: TriggerState;
	/** An unfinished reading of the whole list, which the next poll continues. */
	scan?: ListScan | undefined;
}

/** Times are in milliseconds since 1970. */
export interface PollClock {
	now(): number;
	processStartedAt: number;
}

/**
 * n8n saves the state first and the execution a moment later. If its process crashes in between,
 * the returned records never reach a workflow. A new process cannot determine whether that
 * happened. So if it starts within this time after an output, the trigger returns the same records
 * again. Process managers restart a crashed process within this time, but a regular restart takes
 * longer.
 */
export const UNSURE_MS = 2_000;

const KEY = 'supercastTrigger';
/** Deleted nodes leave their state behind, so each workflow keeps only this many states. */
const MOST_STATES = 16;

/**
 * The state of a trigger, in the static data of the workflow. n8n saves that data only after a poll
 * that returned changes, and when the workflow is published. So the state is written only in these
 * cases. The session keeps the results of all other polls in memory. The session is valid as long
 * as its time of the last output matches the saved state.
 */
export class StateStore {
	/**
	 * @param name The node's ID and the event. n8n's own storage for a node is not used, because it
	 * depends on the node's name.
	 */
	constructor(
		private readonly staticData: IDataObject,
		private readonly name: string,
		readonly session: Session,
		private readonly clock: PollClock,
	) {}

	/** The current state. Undefined before the first reading. */
	load(): TriggerState | undefined {
		const stored = asRecord(asRecord(this.staticData[KEY])[this.name]);
		const { state } = this.session;
		if (state?.announcedAt === (stored.announcedAt ?? 0)) return state;
		this.session.scan = undefined;
		return typeof stored.known === 'string' ? parseState(stored, this.clock) : undefined;
	}

	/** @param isWritten Whether n8n should save the state. */
	save(state: TriggerState, isWritten: boolean): void {
		this.session.state = state;
		if (!isWritten) return;
		const stored = { ...state, ...encodeIds(state.known), undo: encodeIds(state.undo) };
		const all = Object.entries(asRecord(this.staticData[KEY]));
		const others = all.filter(([name]) => name !== this.name).slice(1 - MOST_STATES);
		this.staticData[KEY] = Object.fromEntries([...others, [this.name, stored]]);
	}
}

/**
 * Reads the saved state. If the last output may not have led to an execution, restores the state
 * before that output.
 */
function parseState(stored: Record<string, unknown>, clock: PollClock): TriggerState {
	const [known, undo] = [decodeIds(stored), decodeIds(asRecord(stored.undo))];
	const state = { ...(stored as unknown as TriggerState), known, undo };
	const age = clock.processStartedAt - state.announcedAt;
	if (age < 0 || age >= UNSURE_MS) return state;
	for (const [hash, note] of undo) known.set(hash, note);
	for (const [hash, note] of undo) if (note === ABSENT) known.delete(hash);
	return { ...state, readAt: 0 };
}
