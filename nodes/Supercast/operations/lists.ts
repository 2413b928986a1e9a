import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { LARGEST_PAGE, PAGES_AHEAD, readAhead, readPages } from '../api/paging/readPages';
import { pageReader } from '../api/records';
import { listRequest, recordKey, type RecordKind } from './kinds';

/** How often to read a list that turns out to be incomplete. */
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
	/** Whether the reading proves that a record that is not in it does not exist. */
	isComplete: boolean;
}

/**
 * Reads a list, each record once, and again if it ends before Supercast's total. The caller judges
 * an incomplete last reading.
 * @throws ServiceError if a page cannot be read, or the list never stops changing.
 */
export async function readList<T = IDataObject>(
	client: SupercastClient,
	kind: RecordKind,
	{ take, limit = Infinity, mustBeSteady = false }: ListOptions<T>,
): Promise<ListReading<T>> {
	const most = take === undefined ? limit : Infinity;
	// If it is unknown how far the list must be read, request no page that may not be needed.
	const ahead = most === limit ? PAGES_AHEAD : 0;
	const pageSize = Math.min(LARGEST_PAGE, most);
	const keyOf = (record: IDataObject): string | undefined => recordKey(kind, record);
	for (let reading = 1; ; reading++) {
		const fetchPage = readAhead(pageReader(client, listRequest(kind)), most, ahead);
		const taken: T[] = [];
		let [read, pages] = [0, 0];
		let [total, isSteady]: [number | undefined, boolean] = [undefined, true];
		for await (const page of readPages(fetchPage, pageSize, keyOf)) {
			({ total, isSteady } = page);
			pages++;
			read = page.read - page.records.length;
			for (const record of page.records) {
				if (taken.length === limit) break;
				read++;
				const one = take === undefined ? (record as T) : take(record);
				if (one !== undefined) taken.push(one);
			}
			if (taken.length === limit) break;
		}
		const isShort = taken.length < limit && read < (total ?? 0);
		// Nothing was deleted, and the total was read. Without a total, the end is the only sign.
		const isComplete = isSteady && (total === undefined || read === total);
		const isGood = mustBeSteady ? isComplete : !isShort;
		if (isGood || reading === MOST_READINGS) {
			return { taken, read, total, pages, isShort, isComplete };
		}
	}
}
