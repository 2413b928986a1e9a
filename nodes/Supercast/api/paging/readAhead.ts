import type { FetchPage, Page } from './readPages';

/** How many pages are requested beside the one that is needed next. */
export const PAGES_AHEAD = 3;

/**
 * Makes a page reader that requests the next pages before they are needed. Reading a long list then
 * takes less time than the sum of all response times.
 *
 * It requests only pages that are needed, and reads ahead only once Supercast has sent the total. If
 * records are added or deleted meanwhile, a page that was read early may skip some. So it reads that
 * page again if its total differs from that of the page before it.
 *
 * @param fetchPage Reads one page.
 * @param limit Most records wanted in total; Infinity for all.
 * @param ahead How many pages to request beside the one that is needed next.
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
				// Nothing may wait for it any more when it fails.
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

/** How many entries each page has. Fewer than the page size if Supercast caps its pages. */
function entriesOf(
	{ records, received = records.length, perPage, total }: Page,
	page: number,
): number {
	const isLast = perPage === undefined || total === undefined || page * perPage >= total;
	return isLast || received === 0 ? Infinity : received;
}

/** The last page that is known to be needed; 0 if none is. */
function lastPage({ perPage, total }: Page, limit: number, held: number): number {
	if (perPage === undefined || total === undefined) return 0;
	return Math.ceil(Math.min(total, limit) / Math.min(perPage, held));
}
