import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../api/json';
import type { Change, EventKind } from './eventKind';
import type { KnownIds } from './knownIds';
import type { Occasion, TriggerState } from './state';

/** What one poll finds, compared with the state after the last poll. Dropped if the poll fails. */
export class Findings {
	/** What the next poll will know. During a first snapshot, what this one has found. */
	readonly known: KnownIds;
	/** By hash. */
	readonly changes = new Map<string, Change>();
	/** Whether the list contains any record that was known before. */
	hasKnown = false;
	/** Missing records that Supercast still has. Undefined if this poll could not tell. */
	doubtful?: Set<string>;

	/**
	 * @param state The state after the last poll.
	 * @param isSameSource Whether that poll read the same channel with the same credential.
	 * @param now In milliseconds since 1970.
	 */
	constructor(
		private readonly eventKind: EventKind,
		private readonly state: TriggerState,
		isSameSource: boolean,
		private readonly now: number,
	) {
		this.known = new Map(isSameSource ? state.known : []);
	}

	/** Compares a record of the list with what was known of it. */
	add(hash: string, record: IDataObject): void {
		const { eventKind, state, changes } = this;
		const fingerprint = eventKind.fingerprintOf(record);
		const before = state.known.get(hash);
		this.hasKnown ||= before !== undefined;
		const differs = fingerprint !== undefined && fingerprint !== before;
		if (differs && eventKind.shouldReport(record, before)) {
			changes.set(hash, { record, before, ...this.occasionOf(hash) });
		} else {
			changes.delete(hash);
		}
		this.remember(hash, fingerprint);
	}

	/** Notes that a known record was deleted. */
	addDeleted(hash: string, before: string): void {
		this.known.delete(hash);
		this.changes.set(hash, { before, ...this.occasionOf(hash) });
	}

	/**
	 * Drops the records that existed when n8n published the workflow. If Supercast was down at that
	 * time, the list may also have newer ones.
	 * @param publishedAt In milliseconds since 1970. Undefined if this is the poll of the activation.
	 */
	dropExisting(publishedAt = Infinity): void {
		for (const [hash, { record }] of this.changes) {
			if (!(timeOf(record?.[this.eventKind.time]) >= publishedAt)) this.changes.delete(hash);
		}
	}

	/** When an event occurred, relative to the trigger's earlier outputs. */
	private occasionOf(hash: string): Occasion {
		return this.state.repeated?.get(hash) ?? { since: this.state.announcedAt, repeats: 0 };
	}

	private remember(hash: string, fingerprint: string | undefined): void {
		// If the clock was ahead at the last poll, an episode may have looked published too early.
		const wasClockAhead = this.now < this.state.readAt;
		if (fingerprint !== undefined) this.known.set(hash, fingerprint);
		else if (wasClockAhead) this.known.delete(hash);
	}
}
