import type { FetchPage, Page } from './readPages';

/** How many pages are on their way beside the one that is waited for. */
export const PAGES_AHEAD = 3;

/**
 * Makes a reader of pages that already asks for the ones that follow, so that a long list takes as
 * long as the service needs for it, or the limit allows, and not the sum of all answers' times.
 *
 * It asks for no page that is not needed: none is asked for before the service has said how many
 * records there are. Records that come or go between two answers would be skipped where the later
 * page was answered first. So a page that was asked for early and tells another total than the page
 * before it is asked for again.
 *
 * @param fetchPage Reads one page.
 * @param limit Most records wanted in total; Infinity for all.
 * @param ahead Pages on their way beside the one that is waited for.
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
				// Nobody may wait for it any more when it fails.
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

/** How many entries each page has: fewer than it says where the service caps its pages. */
function entriesOf(
	{ records, received = records.length, perPage, total }: Page,
	page: number,
): number {
	const isLast = perPage === undefined || total === undefined || page * perPage >= total;
	return isLast || received === 0 ? Infinity : received;
}

/** The last page that is known to be needed; 0 when nothing is known. */
function lastPage({ perPage, total }: Page, limit: number, held: number): number {
	if (perPage === undefined || total === undefined) return 0;
	return Math.ceil(Math.min(total, limit) / Math.min(perPage, held));
}
