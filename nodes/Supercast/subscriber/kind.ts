import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { personIdentifier, type Identifier } from '../operations/locators';
import { customerIdMode, personLocator } from '../operations/locators';
import { type NamedRecordKind, type RecordKind, type Simplifiable } from '../operations/kinds';
import type { ItemParameters } from '../operations/types';
import { customerIdentifier } from './customerId';
import { timeZoneOptions } from './timeZone';

const kind: RecordKind = {
	singular: 'subscriber',
	plural: 'subscribers',
	path: 'subscribers',
	wrapper: 'subscriber',
	isPerson: true,
};

/** The members who listen. Supercast finds them by email or uuid. */
export const subscribers: NamedRecordKind & Simplifiable = {
	...kind,
	locator: personLocator(
		{
			displayName: 'Subscriber',
			name: 'subscriber',
			description:
				'The subscriber to work with. Choose from the list, or enter an email, UUID or customer ID.',
			searchListMethod: 'searchSubscribers',
		},
		[customerIdMode],
	),
	identify,
	simplify: simplifySubscriber,
};

function identify(item: ItemParameters): Identifier {
	const locator = item.locator('subscriber');
	if (locator.mode !== 'customerId') return personIdentifier(locator, 'Subscriber');
	return customerIdentifier(locator.value, kind);
}

/** The first parameter of Create, and of Create or Update. */
export const emailProperty: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	required: true,
	default: '',
	description: 'The email address of the subscriber',
};

/** An example for Other Fields. */
export const subscriberExample = '{ "plan_id": 42 }';

/** Fields to set or change (field names: Supercast API reference, the subscriber object). */
export const subscriberFields: INodeProperties[] = [
	{
		displayName: 'Customer ID',
		name: 'customerId',
		type: 'string',
		placeholder: 'e.g. cus_9s6XKzkNRiz8i3',
		default: '',
		description:
			"The person's ID in your membership system. You can use it to find this subscriber later, even if their email has changed.",
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
		description: 'Whether to turn off usage alerts for this subscriber',
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
		type: 'options',
		default: 'America/New_York',
		description: 'The time zone of the subscriber (only on all-in plans)',
		options: timeZoneOptions(),
	},
];

/**
 * Keeps the ten fields of a subscriber that an automation needs. `feed_urls` collects
 * `subscriptions[].feed_url`. Without subscriptions, it uses the subscriber's `feed_url`, a
 * deprecated list (Supercast API reference, the subscriber object).
 */
export function simplifySubscriber(record: IDataObject): IDataObject {
	return {
		email: record.email,
		state: record.state,
		uuid: record.uuid,
		first_name: record.first_name,
		last_name: record.last_name,
		customer_id: record.customer_id,
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
