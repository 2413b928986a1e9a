import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { LARGEST_PAGE, PAGES_AHEAD, readAhead, readPages } from '../api/paging/readPages';
import { pageReader } from '../api/records';
import { listRequest, recordKey, type RecordKind } from './kinds';

/** The maximum number of times to read a list that turns out to be incomplete. */
const MOST_READINGS = 3;

/** How to read a list. */
export interface ListOptions<T> {
	/** Converts a record. Returns undefined for a record to leave out. */
	take: (record: IDataObject) => T | undefined;
	/** How many records to take; Infinity for all. */
	limit?: number;
	/** Whether every record counts, so that `limit` is also the number of records to read. */
	takesAll?: boolean;
	/** Whether to read the list again if a record was deleted during the reading. */
	mustBeSteady?: boolean;
}

/** The records of a list, and whether they are all of them. */
export interface ListReading<T> {
	taken: T[];
	/** How many different entries were read. */
	read: number;
	/** The total that Supercast sent (`X-Total`); undefined if it sent none. */
	total: number | undefined;
	/** Whether the list ended before the total, although `limit` was not reached. */
	isShort: boolean;
	/**
	 * Whether the reading proves that the list contains no other record: as many entries were read
	 * as the total says, and none was deleted meanwhile. Without a total, the end of the list is the
	 * only sign.
	 */
	isComplete: boolean;
}

/**
 * Reads a list, each record once. Reads it again, up to three times, if it ends before Supercast's
 * total.
 *
 * @returns The last reading. The caller decides what an incomplete one is good for.
 * @throws ServiceError if a page cannot be read, or the list never stops changing.
 */
export async function readList<T>(
	client: SupercastClient,
	kind: RecordKind,
	options: ListOptions<T>,
): Promise<ListReading<T>> {
	for (let reading = 1; ; reading++) {
		const result = await readOnce(client, kind, options);
		const isGood = options.mustBeSteady === true ? result.isComplete : !result.isShort;
		if (isGood || reading === MOST_READINGS) return result;
	}
}

async function readOnce<T>(
	client: SupercastClient,
	kind: RecordKind,
	{ take, limit = Infinity, takesAll = false }: ListOptions<T>,
): Promise<ListReading<T>> {
	const most = takesAll ? limit : Infinity;
	// If it is unknown how far the list must be read, request no page that may not be needed.
	const ahead = most === limit ? PAGES_AHEAD : 0;
	const fetchPage = readAhead(pageReader(client, listRequest(kind)), most, ahead);
	const pageSize = Math.max(1, Math.min(LARGEST_PAGE, most));
	const taken: T[] = [];
	let [read, total, isSteady]: [number, number | undefined, boolean] = [0, undefined, true];
	for await (const page of readPages(fetchPage, pageSize, (record) => recordKey(kind, record))) {
		({ total, isSteady } = page);
		let left = page.records.length;
		for (const record of page.records) {
			if (taken.length === limit) break;
			left--;
			const one = take(record);
			if (one !== undefined) taken.push(one);
		}
		read = page.read - left;
		if (taken.length === limit) break;
	}
	const isShort = taken.length < limit && read < (total ?? 0);
	const isComplete = isSteady && (total === undefined || read === total);
	return { taken, read, total, isShort, isComplete };
}
