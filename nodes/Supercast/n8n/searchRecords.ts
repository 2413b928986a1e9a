import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { listRequest, type NamedRecordKind } from '../operations/recordKind';
import { toNodeError } from './nodeErrors';
import { createClient, type Authentication } from '../api/client';
import { LARGEST_PAGE, type FetchPage } from '../api/paging/readPages';
import { pageReader } from '../api/records';
import { labelOf } from './recordLabel';
import { textOf } from '../api/json';

const ENOUGH_MATCHES = 20;

// The service has no known filter, so a search reads pages. This bounds what one key press costs of
// the 100 requests a minute; scrolling on in the list reads further.
const PAGES_PER_SEARCH = 5;

// Somebody sits in front of the list: an error after ten seconds helps more than ten minutes.
const MAX_WAIT_MS = 10_000;

/**
 * Fills the list of a resource locator with the records whose label holds `filter`.
 *
 * @param kind Which list to read.
 * @param paginationToken Number of the page to go on with, when the person scrolls.
 */
export async function searchRecords(
	context: ILoadOptionsFunctions,
	kind: NamedRecordKind,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	try {
		// The editor may leave out what has its default.
		const authentication =
			context.getCurrentNodeParameter('authentication') ??
			context.getNodeParameter('authentication', 'accessToken');
		const client = await createClient(context, authentication as Authentication, {
			maxWaitMs: MAX_WAIT_MS,
		});
		const fetchPage = pageReader(client, listRequest(kind));
		const firstPage = Number(paginationToken ?? 1);
		return await collectMatches(fetchPage, matcher(filter), itemMaker(kind), firstPage);
	} catch (error) {
		throw toNodeError(context, error);
	}
}

async function collectMatches(
	fetchPage: FetchPage,
	matches: (record: IDataObject) => boolean,
	toItem: (record: IDataObject) => INodeListSearchItems,
	firstPage: number,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchItems[] = [];
	for (let page = firstPage; page < firstPage + PAGES_PER_SEARCH; page++) {
		const { records, perPage, total } = await fetchPage(page, LARGEST_PAGE);
		results.push(...records.filter(matches).map(toItem));
		const isLast =
			records.length === 0 || (total !== undefined && page * (perPage ?? LARGEST_PAGE) >= total);
		if (isLast) return { results };
		if (results.length >= ENOUGH_MATCHES) return { results, paginationToken: String(page + 1) };
	}
	return { results, paginationToken: String(firstPage + PAGES_PER_SEARCH) };
}

function matcher(filter = ''): (record: IDataObject) => boolean {
	const wanted = filter.trim().toLowerCase();
	return (record) => labelOf(record).toLowerCase().includes(wanted);
}

/** People are named by uuid or email, whatever else their record holds, and all else by its id. */
function itemMaker({ locator }: NamedRecordKind): (record: IDataObject) => INodeListSearchItems {
	const isPerson = locator.modes?.some(({ name }) => name === 'email') === true;
	return (record) => {
		const { id, uuid, email } = record;
		const value = isPerson ? (uuid ?? email) : (id ?? uuid);
		return { name: labelOf(record), value: textOf(value) };
	};
}
