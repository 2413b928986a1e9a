/** What is remembered between two polls, and where. */
import type { IDataObject } from 'n8n-workflow';

import { asRecord } from '../api/json';
import { ABSENT, decodeIds, encodeIds, type KnownIds } from './knownIds';
import type { ListScan } from './listScan';

/** What a trigger knows of a list. Times are milliseconds since 1970. */
export interface TriggerState {
	/** With which access the list was read. */
	source: string;
	known: KnownIds;
	/** How many records the list has that are known; undefined where the service does not say. */
	size: number | undefined;
	/** When a thorough reading of the whole list ended; 0: it is due, and the state is to be saved. */
	readAt: number;
	/** When something was announced last; 0: never. */
	announcedAt: number;
	/** The notes that this announcement changed, as they were before it. */
	undo: KnownIds;
}

/** What this process knows of a trigger, beyond what n8n saves. */
export interface Session {
	state?: TriggerState;
	/** A whole reading that goes on in the next poll. */
	scan?: ListScan | undefined;
}

/** Milliseconds since 1970. */
export interface PollClock {
	now(): number;
	processStartedAt: number;
}

/**
 * n8n writes the state first and the execution a moment later, so an announcement is lost when its
 * process dies in between. A process that started so soon after it cannot know, and announces it
 * again: that is how long a process manager takes after a crash, and less than a regular restart does.
 */
export const UNSURE_MS = 2_000;

const KEY = 'supercastTrigger';
/** Nodes that are gone leave their state behind: so many of a workflow are kept. */
const MOST_STATES = 16;

/**
 * The state of a trigger, in the static data of the workflow. n8n saves that when a poll has news and
 * after an activation, so it is written only then. What other polls learned is kept in the session,
 * where it counts as long as n8n still holds the announcement that it follows.
 */
export class StateStore {
	/** @param name The node's id and the event: n8n's own place for a node follows its name. */
	constructor(
		private readonly staticData: IDataObject,
		private readonly name: string,
		readonly session: Session,
		private readonly clock: PollClock,
	) {}

	/** The state as it is now; undefined before the first reading. */
	load(): TriggerState | undefined {
		const stored = asRecord(asRecord(this.staticData[KEY])[this.name]);
		const { state } = this.session;
		if (state?.announcedAt === (stored.announcedAt ?? 0)) return state;
		this.session.scan = undefined;
		return typeof stored.known === 'string' ? parseState(stored, this.clock) : undefined;
	}

	/** @param isWritten Whether n8n is to save it. */
	save(state: TriggerState, isWritten: boolean): void {
		this.session.state = state;
		if (!isWritten) return;
		const stored = { ...state, ...encodeIds(state.known), undo: encodeIds(state.undo) };
		const all = Object.entries(asRecord(this.staticData[KEY]));
		const others = all.filter(([name]) => name !== this.name).slice(1 - MOST_STATES);
		this.staticData[KEY] = Object.fromEntries([...others, [this.name, stored]]);
	}
}

/** What was saved, or what was before it where it may not have become an execution. */
function parseState(stored: Record<string, unknown>, clock: PollClock): TriggerState {
	const [known, undo] = [decodeIds(stored), decodeIds(asRecord(stored.undo))];
	const state = { ...(stored as unknown as TriggerState), known, undo };
	const age = clock.processStartedAt - state.announcedAt;
	if (age < 0 || age >= UNSURE_MS) return state;
	for (const [hash, note] of undo) known.set(hash, note);
	for (const [hash, note] of undo) if (note === ABSENT) known.delete(hash);
	return { ...state, readAt: 0 };
}
