import type { FetchPage, Page } from './page';

export const PAGES_AHEAD = 3;

/**
 * Requests pages before they are needed, once Supercast has sent the total. Reads a page again if
 * its total differs from that of the page before. Such a page may lack records that have moved.
 * @param limit The maximum number of entries to read.
 */
export function readAhead(fetchPage: FetchPage, limit = Infinity, ahead = PAGES_AHEAD): FetchPage {
	const underway = new Map<number, Promise<Page>>();
	let total: number | undefined;
	/** The largest number of entries on any page but the last one. */
	let fullest = 0;
	const begin = (first: number, pageSize: number): void => {
		const needed = Math.ceil(Math.min(total ?? 0, limit) / (fullest || Infinity));
		for (let page = first; page <= Math.min(first + ahead, needed); page++) {
			if (underway.has(page)) continue;
			const answer = fetchPage(page, pageSize);
			// Prevents an unhandled rejection if the request fails before anyone awaits it.
			answer.catch(() => undefined);
			underway.set(page, answer);
		}
	};
	return async (page, pageSize) => {
		begin(page, pageSize);
		const early = await underway.get(page);
		underway.delete(page);
		const isUsable = early !== undefined && early.total === total;
		const answer = isUsable ? early : await fetchPage(page, pageSize);
		const { records, received = records.length, perPage = Infinity } = answer;
		total = answer.total;
		if (page * perPage < (total ?? 0)) fullest = Math.max(fullest, received);
		return answer;
	};
}
