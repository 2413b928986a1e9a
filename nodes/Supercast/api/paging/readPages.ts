import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../errors/errors';

export interface Page {
	records: IDataObject[];
	/** All entries, valid or not. By default, the number of records. */
	received?: number;
	/** `X-Per-Page` and `X-Total`, if present. */
	perPage?: number;
	total?: number;
}

/** Reads page `page` (starting at 1), and requests `perPage` records. */
export type FetchPage = (page: number, perPage: number) => Promise<Page>;

/** The largest page size to request. It is unknown which sizes Supercast accepts. */
export const LARGEST_PAGE = 100;

const MOST_READS_WITHOUT_PROGRESS = 5;

export interface Progress {
	records: IDataObject[];
	/** How many different entries have been read. */
	read: number;
	/** The latest total that Supercast sent. */
	total: number | undefined;
	/** Whether the list shows no sign that a record was deleted during the reading. */
	isSteady: boolean;
}

/**
 * Reads a list page by page, each record once. The list ends at its total (`X-Total`, named in the
 * vendor's Ruby client), or at an empty page. Without a total, it also ends if Supercast turns out
 * to ignore the page number (inferred). If the total falls, later records have moved forward, so
 * the reader goes back. A list may still end too early: compare `read` with `total`.
 * @param keyOf Identifies a record. If it returns undefined, the record's place and content do.
 * @throws ServiceError if the total keeps changing.
 */
export async function* readPages(
	fetchPage: FetchPage,
	pageSize: number,
	keyOf: (record: IDataObject) => string | undefined,
): AsyncGenerator<Progress> {
	const seen = new Set<string>();
	// `covered` entries from the start of the list have been read without a gap.
	let [page, covered, furthest, fullest, blanks, idleReads] = [1, 0, 0, 1, 0, 0];
	let lowest = Infinity;
	let total: number | undefined;
	let isSteady = true;
	for (;;) {
		const answer = await fetchPage(page, pageSize);
		const { records, received = records.length } = answer;
		const reached = covered + received;
		// A total that is lower than the number of entries read is useless.
		const isCredible = answer.total !== undefined && (received === 0 || reached <= answer.total);
		const end = isCredible ? answer.total! : Infinity;
		const start = isCredible ? covered : 0;
		const fresh = records.filter((record, index) => {
			const key = keyOf(record) ?? `${start + index} ${JSON.stringify(record)}`;
			return !seen.has(key) && seen.add(key);
		});
		blanks += received - records.length;
		const fall = (total ?? 0) - end;
		total = answer.total ?? total;
		isSteady &&= fall <= 0;
		const isFurther = fresh.length > 0 && reached > furthest;
		idleReads = isFurther || end < lowest ? 0 : idleReads + 1;
		if (idleReads > MOST_READS_WITHOUT_PROGRESS) {
			if (isCredible) throw keptChanging();
			// Supercast must be ignoring the page number.
			return;
		}
		furthest = Math.max(furthest, reached);
		lowest = Math.min(lowest, end);
		fullest = Math.max(fullest, received);
		yield { records: fresh, read: seen.size + blanks, total, isSteady };
		if (fall > 0 && page > 1) {
			page = Math.max(1, page - Math.ceil(fall / fullest));
			covered = (page - 1) * fullest;
			continue;
		}
		if (received === 0 || reached >= end) return;
		page++;
		covered = reached;
	}
}

function keptChanging(): ServiceError {
	return new ServiceError(
		'The list kept changing while the node was reading it',
		'The node stopped, because it would have missed records. Try again later.',
		{ kind: 'unexpected', status: 200, came: 'a list' },
	);
}

export const PAGES_AHEAD = 3;

/**
 * Requests pages before they are needed, once Supercast has sent the total. Reads a page again if
 * its total differs from that of the page before, because it may lack records that have moved.
 * @param limit The maximum number of entries to read.
 */
export function readAhead(fetchPage: FetchPage, limit = Infinity, ahead = PAGES_AHEAD): FetchPage {
	const underway = new Map<number, Promise<Page>>();
	let total: number | undefined;
	/** The largest number of entries on any page but the last one. */
	let fullest = 0;
	return async (page, pageSize) => {
		const needed = Math.ceil(Math.min(total ?? 0, limit) / (fullest || Infinity));
		for (let next = page; next <= Math.min(page + ahead, needed); next++) {
			if (underway.has(next)) continue;
			const answer = fetchPage(next, pageSize);
			// Prevents an unhandled rejection if the request fails before anyone awaits it.
			answer.catch(() => undefined);
			underway.set(next, answer);
		}
		const early = await underway.get(page);
		underway.delete(page);
		const answer = early?.total === total && early ? early : await fetchPage(page, pageSize);
		const { records, received = records.length, perPage = Infinity } = answer;
		total = answer.total;
		if (page * perPage < (total ?? 0)) fullest = Math.max(fullest, received);
		return answer;
	};
}
