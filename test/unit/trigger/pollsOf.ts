import type { IDataObject } from 'n8n-workflow';

import type { FetchPage } from '../../../nodes/Supercast/api/paging/page';
import { detect } from '../../../nodes/Supercast/trigger/detect';
import type { Change, EventKind } from '../../../nodes/Supercast/trigger/eventKind';
import { EVENTS, type TriggerEvent } from '../../../nodes/Supercast/trigger/events';
import { StateStore, type Session } from '../../../nodes/Supercast/trigger/state';

export const START = 1_700_000_000_000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A list that polls read, and what n8n and its process keep between them. */
export class Polls {
	readonly data: IDataObject = {};
	/** The durable cursor, if n8n has one. */
	cursor?: IDataObject;
	/** What the last poll returned. */
	changesFound: Change[] = [];
	/** What the process knows. */
	readonly sessions = new Map<string, Session>();
	now = START;
	processStartedAt = 0;
	/** The credential and channel. */
	source = 'A';
	/** What each request returns in place of a page. */
	failures = new Map<number, Error>();
	/** Whether the time of a poll is up after the first failure. */
	isLate = false;
	/** What the look-up of a missing record returns or throws. By default, the record is gone. */
	isGone: (fingerprint: string) => Promise<boolean> = async () => true;
	lookUps = 0;
	requests = 0;
	private time = new AbortController();

	constructor(
		private readonly event: TriggerEvent,
		public records: IDataObject[],
		private readonly changes: Partial<EventKind> = {},
	) {}

	/** The IDs of the records that a poll returns, and "deleted" for each deleted one. */
	async poll(includeExisting = false, fetchPage = this.fetchPage): Promise<unknown[]> {
		this.requests = 0;
		this.lookUps = 0;
		const { data, cursor, sessions, now } = this;
		const clock = { now: () => this.now, processStartedAt: this.processStartedAt };
		const eventKind = { ...EVENTS[this.event]({ states: [], email: '', now }), ...this.changes };
		this.time = new AbortController();
		this.changesFound = await detect({
			eventKind,
			fetchPage,
			signal: this.time.signal,
			isGone: async (fingerprint) => {
				this.lookUps++;
				return await this.isGone(fingerprint);
			},
			store: new StateStore({ workflow: data, cursor }, 'node', sessions, clock),
			source: this.source,
			includeExisting,
			clock,
		});
		return this.changesFound.map(({ record }) => (record === undefined ? 'deleted' : record.id));
	}

	readonly fetchPage: FetchPage = async (page, perPage) => {
		const failure = this.failures.get(++this.requests);
		if (failure !== undefined) {
			if (this.isLate) this.time.abort();
			throw failure;
		}
		const records = this.records.slice((page - 1) * perPage, page * perPage);
		return { records, perPage, total: this.records.length };
	};
}

/** Records with the IDs from `from` on. */
export function many(count: number, from = 1): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		id: from + index,
		uuid: `u-${from + index}`,
		state: 'available',
	}));
}
