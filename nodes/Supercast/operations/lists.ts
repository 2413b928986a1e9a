import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { LARGEST_PAGE } from '../api/paging/page';
import { PAGES_AHEAD, readAhead } from '../api/paging/readAhead';
import { readPages, type Progress } from '../api/paging/readPages';
import { pageReader } from '../api/records';
import { listRequest, recordKey, type RecordKind } from './kinds';

/** How many times to read an incomplete list. */
const MOST_FETCHES = 3;

export interface ListOptions<T> {
	/** Returns undefined for a record to leave out. */
	take?: (record: IDataObject) => T | undefined;
	/** The most results to return. By default, all. */
	limit?: number;
	/**
	 * Whether the list proves who is missing: reads it again if a record was deleted during the
	 * reading, or if its total contradicts it.
	 */
	mustBeSteady?: boolean;
}

export interface FetchedList<T> {
	taken: T[];
	/** How many different entries were read. */
	read: number;
	/** Supercast's total, if it sends one. */
	total: number | undefined;
	/** How many pages the last snapshot took. */
	pages: number;
	/** Whether the list ended before its total. */
	isShort: boolean;
	/** Whether there may be more, because Supercast ignores the page number. */
	isCutOff: boolean;
	/** Whether the snapshot proves that there are no other records. */
	isComplete: boolean;
}

/**
 * Reads a list, and returns each record once. Reads the list again if a snapshot is not good enough.
 * The caller must check the last snapshot.
 * @throws ServiceError if a page cannot be read, or the list never stops changing.
 */
export async function readList<T = IDataObject>(
	client: SupercastClient,
	kind: RecordKind,
	options: ListOptions<T>,
): Promise<FetchedList<T>> {
	const union = new Union<T>();
	for (let snapshot = 1; ; snapshot++) {
		const list = union.add(await readOnce(client, kind, options));
		const isGood = options.mustBeSteady === true ? list.isComplete : !list.isShort;
		if (isGood || snapshot === MOST_FETCHES) return list;
	}
}

async function readOnce<T>(
	client: SupercastClient,
	kind: RecordKind,
	{ take, limit = Infinity }: ListOptions<T>,
): Promise<Collected<T>> {
	const most = take === undefined ? limit : Infinity;
	// If it is unknown how many pages are needed, do not request any pages ahead.
	const ahead = most === limit ? PAGES_AHEAD : 0;
	const fetchPage = readAhead(pageReader(client, listRequest(kind)), most, ahead);
	const keyOf = (record: IDataObject): string | undefined => recordKey(kind, record);
	const list = new Collected(limit, take ?? ((record) => record as T));
	const pageSize = Math.min(LARGEST_PAGE, most);
	for await (const progress of readPages(fetchPage, pageSize, keyOf)) {
		list.add(progress, keyOf);
		if (list.isFull) break;
	}
	return list;
}

/**
 * Snapshots of the same list that are each incomplete, such as because of records that a page and
 * the next one both show. Together, they may reach the total.
 */
class Union<T> {
	private readonly taken = new Map<string, T>();
	private readonly keys = new Set<string>();
	private total: number | undefined;

	/** Adds a snapshot, and returns it, or all snapshots together if these are complete. */
	add(list: Collected<T>): FetchedList<T> {
		const snapshot = list.snapshot();
		if (snapshot.isComplete || !list.mayBeJoined) return snapshot;
		if (this.total !== snapshot.total) {
			this.total = snapshot.total;
			this.taken.clear();
			this.keys.clear();
		}
		for (const key of list.keys) this.keys.add(key);
		for (const [index, key] of list.takenKeys.entries())
			this.taken.set(key, list.taken[index] as T);
		if (this.keys.size !== this.total) return snapshot;
		const all = { taken: [...this.taken.values()], read: this.keys.size };
		return { ...snapshot, ...all, isShort: false, isComplete: true };
	}
}

/** The results of a snapshot so far. */
class Collected<T> {
	readonly taken: T[] = [];
	/** The keys of the records that were taken, in the same order. */
	readonly takenKeys: string[] = [];
	/** The keys of all records that were read. */
	keys: ReadonlySet<string> = new Set();
	private read = 0;
	private pages = 0;
	private total: number | undefined;
	private isSteady = true;
	private isCutOff = false;
	private areKnown = true;

	constructor(
		private readonly limit: number,
		private readonly take: (record: IDataObject) => T | undefined,
	) {}

	get isFull(): boolean {
		return this.taken.length === this.limit;
	}

	/** Whether it says enough to be joined with other snapshots: each record has a key. */
	get mayBeJoined(): boolean {
		return this.isSteady && this.areKnown && !this.isFull && this.total !== undefined;
	}

	add(
		{ records, read, total, isSteady, isCutOff, seen }: Progress,
		keyOf: (record: IDataObject) => string | undefined,
	): void {
		this.total = total;
		this.isSteady = isSteady;
		this.isCutOff = isCutOff;
		this.keys = seen;
		this.pages++;
		this.read = read - records.length;
		for (const record of records) {
			if (this.isFull) return;
			this.read++;
			const key = keyOf(record);
			this.areKnown &&= key !== undefined;
			const one = this.take(record);
			if (one === undefined) continue;
			this.taken.push(one);
			this.takenKeys.push(key ?? '');
		}
	}

	snapshot(): FetchedList<T> {
		const { taken, read, total, pages, isSteady, isCutOff } = this;
		const isShort = !this.isFull && read < (total ?? 0);
		// No records were deleted, and the total was reached. Without a total, the end must suffice.
		// A total that is too low contradicts the list, so the snapshot proves nothing.
		const isFullLength = total === undefined || read === total;
		const isComplete = isSteady && isFullLength && !isCutOff;
		return { taken, read, total, pages, isShort, isCutOff, isComplete };
	}
}
