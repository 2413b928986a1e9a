import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { PAGES_AHEAD, readAhead } from '../../api/paging/readAhead';
import { readPages } from '../../api/paging/readPages';
import { pageReader } from '../../api/records';
import type { ApiRequest } from '../../api/types';

/** A list while it is read. */
export interface ListReading {
	/** Its records page by page, each once. */
	pages: AsyncGenerator<IDataObject[]>;
	/** How many records the service said that there are (`X-Total`), each number once. */
	totals: ReadonlySet<number>;
}

/**
 * Reads a list of the service, and notes how many records it says that there are.
 *
 * @param limit Most records wanted; Infinity for all. No page is read beyond it.
 * @param pagesAhead How many pages are asked for before their turn comes.
 */
export function readList(
	client: SupercastClient,
	request: ApiRequest,
	limit = Infinity,
	pagesAhead = PAGES_AHEAD,
): ListReading {
	const totals = new Set<number>();
	const readPage = pageReader(client, request);
	const notingTotal: typeof readPage = async (number, perPage) => {
		const page = await readPage(number, perPage);
		if (page.total !== undefined) totals.add(page.total);
		return page;
	};
	return { pages: readPages(readAhead(notingTotal, limit, pagesAhead), limit), totals };
}
