import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { toNodeError } from '../shared/nodeErrors';
import { textOf } from '../shared/text';
import { createClient } from '../transport/client';
import { LARGEST_PAGE, type FetchPage } from '../transport/pagination';
import { pageReader } from '../transport/records';
import type { ApiRequest } from '../transport/types';

const ENOUGH_MATCHES = 20;

// The service has no known filter, so a search reads pages. This bounds what one key press costs of
// the 100 requests a minute; scrolling on in the list reads further.
const PAGES_PER_SEARCH = 5;

/**
 * Fills the list of a locator of people with those whose name or email holds `filter`.
 *
 * @param list Which list to read.
 * @param paginationToken Number of the page to go on with, when the person scrolls.
 */
export async function searchPeople(
	context: ILoadOptionsFunctions,
	list: Pick<ApiRequest, 'path' | 'subject'>,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	try {
		const authentication = context.getCurrentNodeParameter('authentication');
		const client = await createClient(context, authentication as 'accessToken');
		const fetchPage = pageReader(client, { ...list, method: 'GET' });
		return await collectMatches(fetchPage, matcher(filter), Number(paginationToken ?? 1));
	} catch (error) {
		throw toNodeError(context, error);
	}
}

async function collectMatches(
	fetchPage: FetchPage,
	matches: (person: IDataObject) => boolean,
	firstPage: number,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchItems[] = [];
	for (let page = firstPage; page < firstPage + PAGES_PER_SEARCH; page++) {
		const { records, perPage, total } = await fetchPage(page, LARGEST_PAGE);
		results.push(...records.filter(matches).map(listItem));
		const isLast =
			records.length === 0 || (total !== undefined && page * (perPage ?? LARGEST_PAGE) >= total);
		if (isLast) return { results };
		if (results.length >= ENOUGH_MATCHES) return { results, paginationToken: String(page + 1) };
	}
	return { results, paginationToken: String(firstPage + PAGES_PER_SEARCH) };
}

function matcher(filter = ''): (person: IDataObject) => boolean {
	const wanted = filter.trim().toLowerCase();
	return (person) => label(person).toLowerCase().includes(wanted);
}

function listItem(person: IDataObject): INodeListSearchItems {
	return { name: label(person), value: textOf(person.uuid ?? person.email) };
}

function label({ first_name: first, last_name: last, email }: IDataObject): string {
	const name = `${textOf(first)} ${textOf(last)}`.trim();
	return name === '' ? textOf(email) : `${name} (${textOf(email)})`;
}
