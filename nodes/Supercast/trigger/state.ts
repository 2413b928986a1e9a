import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { asRecord } from '../api/json';

/** In the order in which they were found: the hash of each ID, and a note. */
export type KnownIds = Map<string, string>;
/** Used instead of a note for a new record. */
export const ABSENT = '-';

/** 48 bits of SHA-256, so that many IDs fit in n8n's static data (decision 0007). */
const HASH_LENGTH = 8;

/** What one output changed. Times are in milliseconds since 1970. */
export interface Output {
	at: number;
	/** When the trigger had returned something before: part of the IDs of these events. */
	since: number;
	/** The notes of the records before the output. */
	undo: KnownIds;
}

/** Times are in milliseconds since 1970. */
export interface TriggerState {
	/** Identifies the credential, host and channel, and how often they have changed. */
	source?: string;
	generation: number;
	known: KnownIds;
	/** The least number of listed records that are known. Undefined without a credible total. */
	size?: number;
	/** When the last thorough reading ended. 0 means that one is due, and the state must be saved. */
	readAt: number;
	/** When the trigger last returned changes; 0 if never. */
	announcedAt: number;
	/** The last output, and those before it that a restart repeats. The oldest comes first. */
	outputs: Output[];
	/** The `since` of events that are returned again, by the hash of their record. Not saved. */
	repeated?: ReadonlyMap<string, number>;
	/** Missing records that Supercast still had at the last thorough reading. Not saved. */
	doubtful?: Set<string>;
}

/** One reading of a list, in one or more polls. */
export class ListScan {
	/** The hashes of the IDs on all pages. */
	readonly seen = new Set<string>();
	/** How many pages were read in order, starting with the first one. */
	pages = 0;
	isOver = false;
	/** The latest total that Supercast has sent, and the highest one. */
	total: number | undefined;
	highest = 0;
	/** Whether records were added or deleted during the reading. */
	hasMoved = false;
	/** How many pages in a row had nothing new. */
	idlePages = 0;
	longestPage = 0;

	/** A thorough reading goes on after a full last page, because the total may be too low. */
	constructor(public isThorough: boolean) {}

	get isSteady(): boolean {
		return !this.hasMoved && this.seen.size >= this.highest;
	}
}

export interface Session {
	state?: TriggerState;
	/** An unfinished reading of the whole list, which the next poll continues. */
	scan?: ListScan;
	/** The static data of the last poll, and whether the state was ever written to it. */
	data?: IDataObject;
	isWritten?: boolean;
	isBusy?: boolean;
}

/** Times are in milliseconds since 1970. */
export interface PollClock {
	now(): number;
	processStartedAt: number;
}

/**
 * If a process starts within this time after an output, the last one may have crashed before n8n
 * saved the execution. So the trigger returns the same records again (decision 0007).
 */
export const UNSURE_MS = 2_000;

const KEY = 'supercastTrigger';
/** Deleted nodes leave their state behind, so each workflow keeps only the newest states. */
const MOST_STATES = 100;

/**
 * The state of a trigger, in n8n's static data. n8n saves it when it publishes the workflow and
 * with an output, or with durable cursors at each poll. The session keeps what is not saved, as
 * long as its time of the last output matches.
 */
export class StateStore {
	readonly session: Session;

	private readonly place: IDataObject;

	/**
	 * @param data The static data of the workflow, and the durable cursor if there is one. Other data
	 * of the node is not used, because it depends on the node's name.
	 * @param name The node's ID and the event.
	 * @param repeatMs After a restart, what the trigger returned so long before its last output comes
	 * again. With 0, only an output that may have been lost does.
	 */
	constructor(
		private readonly data: { workflow: IDataObject; cursor?: IDataObject },
		private readonly name: string,
		private readonly sessions: Map<string, Session>,
		private readonly clock: PollClock,
		private readonly repeatMs = 0,
	) {
		this.place = data.cursor ?? data.workflow;
		this.session = sessions.get(name) ?? {};
		sessions.set(name, this.session);
		// n8n has published the workflow. With the durable scheduler, each poll has its own data.
		if (this.session.data !== this.place) this.session.isWritten = false;
		this.session.data = this.place;
	}

	load(): TriggerState {
		const { session, name } = this;
		let saved: Record<string, unknown> = {};
		for (const one of [this.data.workflow, this.place]) {
			const { [name]: stored } = asRecord(one[KEY]);
			const { generation = 0 } = asRecord(stored);
			if (Number(generation) >= Number(saved.generation ?? 0)) saved = asRecord(stored);
		}
		if (session.state?.announcedAt === (saved.announcedAt ?? 0)) return session.state;
		session.scan = undefined;
		const initial = { generation: 0, readAt: 0, announcedAt: 0 };
		const outputs = decodeOutputs(saved.outputs);
		const state: TriggerState = { ...initial, ...saved, known: decodeIds(saved), outputs };
		return this.withoutOutputs(
			state,
			outputs.filter((output) => this.mustRepeat(output, state)),
		);
	}

	/** The outputs of the state after another one. */
	outputsAfter(outputs: Output[], latest: Output[]): Output[] {
		const from = this.clock.now() - this.repeatMs;
		return [...outputs.filter(({ at }) => this.repeatMs > 0 && at > from), ...latest];
	}

	private mustRepeat({ at }: Output, { announcedAt }: TriggerState): boolean {
		if (this.repeatMs > 0) return at > announcedAt - this.repeatMs;
		const age = this.clock.processStartedAt - announcedAt;
		return at === announcedAt && age >= 0 && age < UNSURE_MS;
	}

	/** The state before these outputs, so that the next poll returns them again. */
	private withoutOutputs(state: TriggerState, outputs: Output[]): TriggerState {
		const [oldest] = outputs;
		if (oldest === undefined) return state;
		const repeated = new Map<string, number>();
		for (const { since, undo } of outputs) {
			for (const [hash, note] of undo) {
				repeated.set(hash, since);
				if (note === ABSENT) state.known.delete(hash);
				else state.known.set(hash, note);
			}
		}
		const older = state.outputs.filter((one) => !outputs.includes(one));
		return { ...state, announcedAt: oldest.since, outputs: older, repeated, readAt: 0 };
	}

	save(state: TriggerState, reason?: 'first' | 'output'): void {
		const { session, data, name, place, sessions } = this;
		session.state = state;
		if (reason === undefined && session.isWritten === true) return;
		session.isWritten = true;
		const outputs = state.outputs.map(({ undo, ...times }) => ({ ...times, ...encodeIds(undo) }));
		const unsaved = { doubtful: undefined, repeated: undefined };
		const stored = { ...state, ...encodeIds(state.known), outputs, ...unsaved };
		// n8n does not save the cursor of an activation without an output.
		const places = new Set(reason === 'first' ? [place, data.workflow] : [place]);
		// With the durable scheduler, other polls may be under way. What n8n saves for them must not
		// bring back an older state of this trigger.
		for (const one of sessions.values()) if (!data.cursor && one.data) places.add(one.data);
		for (const one of places) {
			const all = Object.entries(asRecord(one[KEY])).filter(([other]) => other !== name);
			one[KEY] = Object.fromEntries([...all.slice(1 - MOST_STATES), [name, stored]]);
		}
	}
}

/** 17 and "17" have the same hash. */
export function idHash(id: string): string {
	return createHash('sha256').update(id).digest('base64').slice(0, HASH_LENGTH);
}

/** Known IDs in the format in which n8n stores them. Notes contain no spaces. */
export function encodeIds(known: KnownIds) {
	return { known: [...known.keys()].join(''), notes: [...known.values()].join(' ').trimEnd() };
}

/** Reads the known IDs from a stored object of any shape. */
export function decodeIds({ known = '', notes = '' }: Record<string, unknown>): KnownIds {
	const texts = String(notes).split(' ');
	const hashes = String(known).match(new RegExp(`.{${HASH_LENGTH}}`, 'g')) ?? [];
	return new Map(hashes.map((hash, index) => [hash, texts[index] ?? '']));
}

function decodeOutputs(stored: unknown): Output[] {
	const list: unknown[] = Array.isArray(stored) ? stored : [];
	return list.map(asRecord).map((one) => ({
		at: Number(one.at),
		since: Number(one.since),
		undo: decodeIds(one),
	}));
}
