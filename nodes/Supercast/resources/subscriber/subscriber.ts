import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { NamedRecordKind, Simplifiable } from '../../operations/recordKind';
import { personLocator } from '../../operations/properties';
import { personIdentifier } from '../../operations/validation';

/** The members who listen. Known to the service by email or uuid alike. */
export const subscribers: NamedRecordKind & Simplifiable = {
	singular: 'subscriber',
	plural: 'subscribers',
	path: 'subscribers',
	wrapper: 'subscriber',
	locator: personLocator({
		displayName: 'Subscriber',
		name: 'subscriber',
		description: 'The subscriber to work with, chosen from the list, by email or by UUID',
		searchListMethod: 'searchSubscribers',
	}),
	identify: (item) => personIdentifier(item.locator('subscriber'), 'Subscriber'),
	simplify: simplifySubscriber,
};

/** The parameter at the top of Create, and of Create or Update. */
export const emailProperty: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	required: true,
	default: '',
	description: 'The email address that the subscriber is known by',
};

/** Fields that can be given or changed (field names: Supercast API reference, the subscriber object). */
export const subscriberFields: INodeProperties[] = [
	{
		displayName: 'Customer ID',
		name: 'customerId',
		type: 'string',
		default: '',
		description:
			'The ID of this person in your own system. It is kept with the subscriber, who cannot be looked up by it.',
	},
	{
		displayName: 'First Name',
		name: 'firstName',
		type: 'string',
		placeholder: 'e.g. Nathan',
		default: '',
		description: 'The given name of the subscriber',
	},
	{
		displayName: 'Ignore Usage Alerts',
		name: 'ignoreUsageAlerts',
		type: 'boolean',
		default: false,
		description: 'Whether this subscriber never raises a usage alert',
	},
	{
		displayName: 'Last Name',
		name: 'lastName',
		type: 'string',
		placeholder: 'e.g. Smith',
		default: '',
		description: 'The family name of the subscriber',
	},
	{
		displayName: 'Time Zone',
		name: 'timeZone',
		type: 'string',
		placeholder: 'e.g. Europe/Berlin',
		default: '',
		description: 'The time zone of the subscriber',
	},
];

/**
 * Keeps what an automation needs of a subscriber, in ten fields. `feed_urls` gathers
 * `subscriptions[].feed_url`; the older `feed_url` of the subscriber, a list and deprecated, stands in
 * where there are no subscriptions (Supercast API reference, the subscriber object).
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
	if (known.length > 0) return known;
	const older: unknown[] = [record.feed_url].flat();
	return older.filter((url): url is string => typeof url === 'string');
}
