import type { FetchPage, Page } from './readPages';

/** How many pages to request in addition to the next one. */
export const PAGES_AHEAD = 3;

/**
 * Creates a page reader that requests pages before they are needed. As a result, reading a long
 * list takes less time than the sum of all response times.
 *
 * It requests only pages that are needed, and reads ahead only once Supercast has sent the total.
 * If records are added or deleted in the meantime, a page that was read early may lack some of
 * them. So it reads a page again if its total differs from the total of the page before.
 *
 * @param fetchPage Reads one page.
 * @param limit The maximum number of records to read; Infinity for all.
 * @param ahead How many pages to request in addition to the next one.
 */
export function readAhead(fetchPage: FetchPage, limit: number, ahead = PAGES_AHEAD): FetchPage {
	const underway = new Map<number, Promise<Page>>();
	let before: Page = { records: [] };
	let held = Infinity;
	return async (page, asked) => {
		const beginFrom = (first: number): void => {
			const last = Math.min(page + ahead, lastPage(before, limit, held));
			for (let next = first; next <= last; next++) {
				if (underway.has(next)) continue;
				const answer = fetchPage(next, asked);
				// If the request fails, nothing else may be handling its error.
				answer.catch(() => undefined);
				underway.set(next, answer);
			}
		};
		beginFrom(page);
		const early = await underway.get(page);
		underway.delete(page);
		const isCurrent = early !== undefined && early.total === before.total;
		before = isCurrent ? early : await fetchPage(page, asked);
		held = Math.min(held, entriesOf(before, page));
		beginFrom(page + 1);
		return before;
	};
}

/**
 * How many entries each page has. If Supercast caps its pages, the number is lower than the page
 * size. Infinity if this page does not show it.
 */
function entriesOf(
	{ records, received = records.length, perPage, total }: Page,
	page: number,
): number {
	const isLast = perPage === undefined || total === undefined || page * perPage >= total;
	return isLast || received === 0 ? Infinity : received;
}

/** The last page that is known to be needed; 0 if none is known. */
function lastPage({ perPage, total }: Page, limit: number, held: number): number {
	if (perPage === undefined || total === undefined) return 0;
	return Math.ceil(Math.min(total, limit) / Math.min(perPage, held));
}
