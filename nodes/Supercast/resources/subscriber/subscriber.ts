import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { personLocator } from '../../shared/fields';
import { personIdentifier, type PersonIdentifier } from '../../shared/identify';
import type { Subject } from '../../transport/types';
import type { OperationItem } from '../types';

/** The locator of one subscriber. */
export const subscriberLocator: INodeProperties = personLocator({
	displayName: 'Subscriber',
	name: 'subscriber',
	description: 'The subscriber to work with, chosen from the list, by email or by UUID',
	searchListMethod: 'searchSubscribers',
});

/** Reads the locator of the item's subscriber. Throws InputError as {@link personIdentifier}. */
export function subscriberOf(item: OperationItem): PersonIdentifier {
	return personIdentifier(item.locator('subscriber'), 'Subscriber');
}

/** How an error names one subscriber. */
export function subscriberSubject(identifier: string): Subject {
	return { text: `subscriber "${identifier}"`, isRecord: true };
}

/**
 * Keeps what an automation needs of a subscriber, in ten fields (field names: Supercast API
 * reference, the subscriber object). `feed_urls` gathers `subscriptions[].feed_url`; the older
 * `feed_url` of the subscriber stands in where there are no subscriptions.
 */
export function simplifySubscriber(record: IDataObject): IDataObject {
	return {
		uuid: record.uuid,
		email: record.email,
		first_name: record.first_name,
		last_name: record.last_name,
		customer_id: record.customer_id,
		state: record.state,
		plan_name: record.plan_name,
		feed_urls: feedUrls(record),
		created_at: record.created_at,
		updated_at: record.updated_at,
	};
}

function feedUrls(record: IDataObject): string[] {
	const subscriptions = Array.isArray(record.subscriptions) ? record.subscriptions : [];
	const urls = subscriptions.map((subscription) => (subscription as IDataObject | null)?.feed_url);
	const known = urls.filter((url): url is string => typeof url === 'string');
	if (known.length === 0 && typeof record.feed_url === 'string') return [record.feed_url];
	return known;
}
