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
	/** How many records there are according to Supercast (`X-Total`), each number once. */
	totals: ReadonlySet<number>;
}

/**
 * Reads one of Supercast's lists, and notes the totals that Supercast sends.
 *
 * @param limit Most records wanted; Infinity for all. It reads no page beyond that.
 * @param pagesAhead How many pages to request early.
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
