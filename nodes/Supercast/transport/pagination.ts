/** Reading a list page by page. Pure: knows neither n8n nor what the records are. */

import type { IDataObject } from 'n8n-workflow';

/** One page as the service sent it; the numbers come from `X-Per-Page` and `X-Total` if present. */
export interface Page {
	records: IDataObject[];
	perPage?: number;
	total?: number;
}

/** Reads page `page` (from 1), asking for `perPage` records. */
export type FetchPage = (page: number, perPage: number) => Promise<Page>;

/** The largest page that is asked for. What the service accepts is unknown, so its header decides. */
export const LARGEST_PAGE = 100;

// Records inserted while a list is read push others onto the next page: one page without anything
// new can be that, two in a row are a service that sends the same page again and again.
const STALE_PAGES_AT_END = 2;

/**
 * Yields the records of a list page by page, each record once.
 *
 * Relies on no order. The page size is the service's (`X-Per-Page`), whatever was asked for. With
 * `X-Total` the list ends where page x size reaches it; without, at a page that is empty, or at
 * pages that hold nothing new. (Headers: the vendor's Ruby client. Lists without them: inferred.)
 *
 * @param fetchPage Reads one page.
 * @param limit Most records wanted in total; Infinity for all. No page is read beyond it.
 */
export async function* readPages(
	fetchPage: FetchPage,
	limit = Infinity,
): AsyncGenerator<IDataObject[]> {
	const asked = Math.max(1, Math.min(LARGEST_PAGE, limit));
	const seen = new Set<string>();
	let covered = 0;
	let stale = 0;
	let page = 1;
	while (seen.size < limit) {
		const { records, perPage, total } = await fetchPage(page, asked);
		const fresh = takeUnseen(records, seen, limit);
		if (fresh.length > 0) yield fresh;
		stale = fresh.length > 0 ? 0 : stale + 1;
		if (records.length === 0) return;
		if (total === undefined && stale >= STALE_PAGES_AT_END) return;

		const size = perPage ?? asked;
		const start = (page - 1) * size;
		// A service that changed its page size in between has left a gap before this page.
		if (start <= covered) covered = Math.max(covered, start + size);
		if (total !== undefined && covered >= total) return;
		page = total === undefined ? page + 1 : Math.floor(covered / size) + 1;
	}
}

function takeUnseen(records: IDataObject[], seen: Set<string>, limit: number): IDataObject[] {
	const fresh: IDataObject[] = [];
	for (const record of records) {
		if (seen.size >= limit) break;
		const identity = identityOf(record);
		if (seen.has(identity)) continue;
		seen.add(identity);
		fresh.push(record);
	}
	return fresh;
}

/** What makes a record the same on two pages: its uuid, its id, or else all that it holds. */
export function identityOf(record: IDataObject): string {
	const { uuid, id } = record;
	const name = uuid ?? id;
	return typeof name === 'string' || typeof name === 'number'
		? String(name)
		: JSON.stringify(record);
}
