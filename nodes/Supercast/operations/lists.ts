import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { LARGEST_PAGE } from '../api/paging/page';
import { PAGES_AHEAD, readAhead } from '../api/paging/readAhead';
import { readPages, type Progress } from '../api/paging/readPages';
import { pageReader } from '../api/records';
import { listRequest, recordKey, type RecordKind } from './kinds';

/** How many times to read an incomplete list. */
const MOST_READINGS = 3;

export interface ListOptions<T> {
	/** Returns undefined for a record to leave out. */
	take?: (record: IDataObject) => T | undefined;
	/** The most results to return. By default, all. */
	limit?: number;
	/** Whether to read the list again if a record was deleted during the reading. */
	mustBeSteady?: boolean;
}

export interface ListReading<T> {
	taken: T[];
	/** How many different entries were read. */
	read: number;
	/** Supercast's total, if it sends one. */
	total: number | undefined;
	/** How many pages the last reading took. */
	pages: number;
	/** Whether the list ended before its total. */
	isShort: boolean;
	/** Whether the reading proves that there are no other records. */
	isComplete: boolean;
}

/**
 * Reads a list, and returns each record once. Reads the list again if a reading is not good enough.
 * The caller must check the last reading.
 * @throws ServiceError if a page cannot be read, or the list never stops changing.
 */
export async function readList<T = IDataObject>(
	client: SupercastClient,
	kind: RecordKind,
	options: ListOptions<T>,
): Promise<ListReading<T>> {
	for (let reading = 1; ; reading++) {
		const list = await readOnce(client, kind, options);
		const isGood = options.mustBeSteady === true ? list.isComplete : !list.isShort;
		if (isGood || reading === MOST_READINGS) return list;
	}
}

async function readOnce<T>(
	client: SupercastClient,
	kind: RecordKind,
	{ take, limit = Infinity }: ListOptions<T>,
): Promise<ListReading<T>> {
	const most = take === undefined ? limit : Infinity;
	// If it is unknown how many pages are needed, do not request any pages ahead.
	const ahead = most === limit ? PAGES_AHEAD : 0;
	const fetchPage = readAhead(pageReader(client, listRequest(kind)), most, ahead);
	const keyOf = (record: IDataObject): string | undefined => recordKey(kind, record);
	const list = new Collected(limit, take ?? ((record) => record as T));
	for await (const progress of readPages(fetchPage, Math.min(LARGEST_PAGE, most), keyOf)) {
		list.add(progress);
		if (list.isFull) break;
	}
	return list.reading();
}

/** The results of a reading so far. */
class Collected<T> {
	private readonly taken: T[] = [];
	private read = 0;
	private pages = 0;
	private total: number | undefined;
	private isSteady = true;

	constructor(
		private readonly limit: number,
		private readonly take: (record: IDataObject) => T | undefined,
	) {}

	get isFull(): boolean {
		return this.taken.length === this.limit;
	}

	add({ records, read, total, isSteady }: Progress): void {
		this.total = total;
		this.isSteady = isSteady;
		this.pages++;
		this.read = read - records.length;
		for (const record of records) {
			if (this.isFull) return;
			this.read++;
			const one = this.take(record);
			if (one !== undefined) this.taken.push(one);
		}
	}

	reading(): ListReading<T> {
		const { taken, read, total, pages, isSteady } = this;
		const isShort = !this.isFull && read < (total ?? 0);
		// No records were deleted, and the total was reached. Without a total, the end must suffice.
		const isComplete = isSteady && (total === undefined || read === total);
		return { taken, read, total, pages, isShort, isComplete };
	}
}
