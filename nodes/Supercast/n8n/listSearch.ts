import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { NamedRecordKind } from '../operations/recordKind';
import { creators } from '../resources/creator';
import { episodes } from '../resources/episode';
import { invites } from '../resources/invite';
import { roles } from '../resources/role';
import { subscribers } from '../resources/subscriber/subscriber';
import { usageAlerts } from '../resources/usageAlert';
import { searchRecords } from './searchRecords';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The methods that fill the lists of the resource locators. The locators refer to the methods by name. */
export const listSearch: Record<string, ListSearch> = {
	searchCreators: searchOf(creators),
	searchEpisodes: searchOf(episodes),
	searchInvites: searchOf(invites),
	searchRoles: searchOf(roles),
	searchSubscribers: searchOf(subscribers),
	searchUsageAlerts: searchOf(usageAlerts),
};

function searchOf(kind: NamedRecordKind): ListSearch {
	return async function (filter, paginationToken) {
		return await searchRecords(this, kind, filter, paginationToken);
	};
}
