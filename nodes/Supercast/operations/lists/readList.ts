import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { PAGES_AHEAD, readAhead } from '../../api/paging/readAhead';
import { readPages } from '../../api/paging/readPages';
import { pageReader } from '../../api/records';
import type { ApiRequest } from '../../api/types';

/** A list that is being read. */
export interface ListReading {
	/** The records, page by page, each record once. */
	pages: AsyncGenerator<IDataObject[]>;
	/** The different totals that Supercast has sent (`X-Total`). */
	totals: ReadonlySet<number>;
}

/**
 * Reads one of Supercast's lists, and collects the totals that Supercast sends.
 *
 * @param limit The maximum number of records to read; Infinity for all.
 * @param pagesAhead How many pages to request before they are needed.
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
