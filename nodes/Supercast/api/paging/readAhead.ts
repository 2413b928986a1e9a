import type { FetchPage, Page } from './readPages';

/** How many pages to request in addition to the next one. */
export const PAGES_AHEAD = 3;

/**
 * Creates a page reader that requests pages before they are needed. As a result, reading a long
 * list takes less time than the sum of all response times. It requests only pages that are needed,
 * and reads ahead only once Supercast has sent the total.
 *
 * If records are added or deleted in the meantime, a page that was read early may lack some of
 * them. So it reads a page again if its total differs from the total of the page before.
 *
 * @param limit The maximum number of entries to read; Infinity for all.
 * @param ahead How many pages to request in addition to the next one.
 */
export function readAhead(fetchPage: FetchPage, limit = Infinity, ahead = PAGES_AHEAD): FetchPage {
	const underway = new Map<number, Promise<Page>>();
	let total: number | undefined;
	/** The largest number of entries on a page that is not the last one. */
	let fullest = 0;
	return async (page, pageSize) => {
		const beginFrom = (first: number): void => {
			const needed = fullest === 0 ? 0 : Math.ceil(Math.min(total ?? 0, limit) / fullest);
			for (let next = first; next <= Math.min(page + ahead, needed); next++) {
				if (underway.has(next)) continue;
				const answer = fetchPage(next, pageSize);
				// If the request fails, nothing else may be handling its error.
				answer.catch(() => undefined);
				underway.set(next, answer);
			}
		};
		beginFrom(page);
		const early = await underway.get(page);
		underway.delete(page);
		const answer = early?.total === total && early ? early : await fetchPage(page, pageSize);
		const { records, received = records.length, perPage = Infinity } = answer;
		total = answer.total;
		const isLast = page * perPage >= (total ?? 0);
		if (!isLast) fullest = Math.max(fullest, received);
		beginFrom(page + 1);
		return answer;
	};
}
