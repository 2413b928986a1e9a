import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { searchPeople } from './searchPeople';

/** Fills the list of the locator Subscriber. */
export async function searchSubscribers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const subject = { text: 'list of subscribers', isRecord: false };
	return await searchPeople(this, { path: ['subscribers'], subject }, filter, paginationToken);
}
