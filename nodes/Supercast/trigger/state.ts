import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { asRecord } from '../api/json';

/** In the order in which they were found: the hash of each ID, and a note. */
export type KnownIds = Map<string, string>;
/** Used instead of a note for a new record. */
export const ABSENT = '-';

/** 48 bits of SHA-256, so that many IDs fit in n8n's static data (decision 0007). */
const HASH_LENGTH = 8;

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
	/** When the trigger last returned changes, and when it did so before that; 0 if never. */
	announcedAt: number;
	announcedBefore: number;
	/** The notes that the last output changed, with their previous values. */
	undo: KnownIds;
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
	 */
	constructor(
		private readonly data: { workflow: IDataObject; cursor?: IDataObject },
		private readonly name: string,
		private readonly sessions: Map<string, Session>,
		private readonly clock: PollClock,
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
		const [known, undo] = [decodeIds(saved), decodeIds(asRecord(saved.undo))];
		const initial = { generation: 0, readAt: 0, announcedAt: 0, announcedBefore: 0 };
		const state: TriggerState = { ...initial, ...saved, known, undo };
		const age = this.clock.processStartedAt - state.announcedAt;
		if (age < 0 || age >= UNSURE_MS) return state;
		// The last output may not have led to an execution.
		for (const [hash, note] of undo) known.set(hash, note);
		for (const [hash, note] of undo) if (note === ABSENT) known.delete(hash);
		return { ...state, announcedAt: state.announcedBefore, readAt: 0 };
	}

	save(state: TriggerState, reason?: 'first' | 'output'): void {
		const { session, data, name, place, sessions } = this;
		session.state = state;
		if (reason === undefined && session.isWritten === true) return;
		session.isWritten = true;
		const undo = encodeIds(state.undo);
		const stored = { ...state, ...encodeIds(state.known), undo, doubtful: undefined };
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
