import type { IDataObject } from 'n8n-workflow';

import { asRecord } from '../api/json';
import { decodeIds, encodeIds, type KnownIds } from './knownIds';
import type { PollSnapshot } from './snapshot';

/** Used instead of a fingerprint for a new record. */
export const ABSENT = '-';

/** What one output changed. Times are in milliseconds since 1970. */
export interface Output {
	at: number;
	/** When the trigger had last returned something. This is part of the IDs of these events. */
	since: number;
	/** How many times the trigger has repeated these events because n8n restarted. */
	repeats: number;
	/** The fingerprints of the records before the output. */
	undo: KnownIds;
}

/** When an event occurred, relative to the trigger's earlier outputs. */
export type Occasion = Pick<Output, 'repeats' | 'since'>;

/** Times are in milliseconds since 1970. */
export interface TriggerState {
	/** Identifies the credential, host and channel, and how often they have changed. */
	source?: string;
	generation: number;
	known: KnownIds;
	/** How many listed records are certainly known. Undefined without a credible total. */
	size?: number;
	/** When the last thorough reading ended. 0 means that one is due, and the state must be saved. */
	readAt: number;
	/** When the trigger last returned changes; 0 if never. */
	announcedAt: number;
	/** The last output, and those before it that a restart repeats. The oldest comes first. */
	outputs: Output[];
	/** Events that are to be returned again, by the hash of their record. Not saved. */
	repeated?: ReadonlyMap<string, Occasion>;
	/** Missing records that Supercast still had at the last thorough reading. Not saved. */
	doubtful?: Set<string>;
}

export interface Session {
	state?: TriggerState;
	/** An unfinished snapshot of the whole list, which the next poll continues. */
	snapshot?: PollSnapshot;
	/** The static data of the last poll, and whether the state was ever written to it. */
	data?: IDataObject;
	isWritten?: boolean;
	/** The node's name. Copied nodes may have the same ID. */
	nodeName?: string;
	isBusy?: boolean;
	/** How many activations in a row have failed without an error (see `poll`), and when the first did. */
	excuses?: number;
	publishedAt?: number;
}

/** Times are in milliseconds since 1970. */
export interface PollClock {
	now(): number;
	processStartedAt: number;
}

/**
 * If a process starts within this time after an output, the previous process may have crashed
 * before n8n saved the execution. So the trigger returns the same records again (decision 0007).
 */
export const UNSURE_MS = 2_000;

const KEY = 'supercastTrigger';
/** Deleted nodes leave their state behind, so each workflow keeps only the newest states. */
const MOST_STATES = 100;

/**
 * The state of a trigger, in n8n's static data. n8n saves it when it publishes the workflow, and
 * with each output. With durable cursors, n8n saves it at each poll. The session keeps what is not
 * saved, as long as its time of the last output equals the saved one.
 */
export class StateStore {
	readonly session: Session;

	/** Whether n8n has just published the workflow. With the durable scheduler, this is always true. */
	readonly isActivation: boolean;

	private readonly place: IDataObject;

	/**
	 * @param data The static data of the workflow, and the durable cursor if there is one. Other data
	 * of the node is not used, because it depends on the node's name.
	 * @param name The node's ID and the event.
	 * @param repeatMs After a restart, the trigger repeats what it returned within this time before
	 * its last output. With 0, it repeats only an output that may have been lost.
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
		this.isActivation = this.session.data !== this.place;
		if (this.isActivation) this.session.isWritten = false;
		this.session.data = this.place;
	}

	/**
	 * Whether n8n has published the workflow since this poll began. Then n8n drops what the poll
	 * returns (read in 2.41.1), and the new version has to find it.
	 */
	get isSuperseded(): boolean {
		return this.session.data !== this.place;
	}

	load(): TriggerState {
		const { session } = this;
		const saved = this.newestSaved();
		if (session.state?.announcedAt === (saved.announcedAt ?? 0)) return session.state;
		session.snapshot = undefined;
		const initial = { generation: 0, readAt: 0, announcedAt: 0 };
		const outputs = decodeOutputs(saved.outputs);
		const state: TriggerState = { ...initial, ...saved, known: decodeIds(saved), outputs };
		const repeated = outputs.filter((output) => this.mustRepeat(output, state));
		return withoutOutputs(state, repeated);
	}

	/** What n8n has saved. If it has saved two states, the one with the higher generation counts. */
	private newestSaved(): Record<string, unknown> {
		const generationOf = (saved: Record<string, unknown>): number => Number(saved.generation ?? 0);
		let newest: Record<string, unknown> = {};
		for (const place of [this.data.workflow, this.place]) {
			const saved = asRecord(asRecord(place[KEY])[this.name]);
			if (generationOf(saved) >= generationOf(newest)) newest = saved;
		}
		return newest;
	}

	/** The outputs to keep in the state after the latest ones. */
	outputsAfter(outputs: Output[], latest: Output[]): Output[] {
		const from = this.clock.now() - this.repeatMs;
		return [...outputs.filter(({ at }) => this.repeatMs > 0 && at > from), ...latest];
	}

	private mustRepeat({ at }: Output, { announcedAt }: TriggerState): boolean {
		if (this.repeatMs > 0) return at > announcedAt - this.repeatMs;
		const age = this.clock.processStartedAt - announcedAt;
		return at === announcedAt && age >= 0 && age < UNSURE_MS;
	}

	save(state: TriggerState, reason?: 'first' | 'output'): void {
		const { session, data, name, place, sessions } = this;
		if (this.isSuperseded) {
			session.snapshot = undefined;
			return;
		}
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

function decodeOutputs(stored: unknown): Output[] {
	const list: unknown[] = Array.isArray(stored) ? stored : [];
	return list.map(asRecord).map((one) => ({
		at: Number(one.at),
		since: Number(one.since),
		repeats: Number(one.repeats ?? 0),
		undo: decodeIds(one),
	}));
}

/** The state before these outputs, so that the next poll returns them again. */
function withoutOutputs(state: TriggerState, outputs: readonly Output[]): TriggerState {
	const [oldest] = outputs;
	if (oldest === undefined) return state;
	const repeated = new Map<string, Occasion>();
	for (const { since, repeats, undo } of outputs) {
		for (const [hash, fingerprint] of undo) {
			repeated.set(hash, { since, repeats: repeats + 1 });
			if (fingerprint === ABSENT) state.known.delete(hash);
			else state.known.set(hash, fingerprint);
		}
	}
	const older = state.outputs.filter((one) => !outputs.includes(one));
	return { ...state, announcedAt: oldest.since, outputs: older, repeated, readAt: 0 };
}
