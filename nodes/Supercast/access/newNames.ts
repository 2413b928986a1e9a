/** Which email and customer ID a subscriber gets from the list. */

import type { IDataObject } from 'n8n-workflow';

import type { Person } from './people';
import { hasPrefix } from './record';
import type { OpenSettings } from './settings';
import type { CurrentSubscriber } from './subscribers';

/**
 * The customer ID that a subscriber lacks. Without one on the list, Sync gives its own, because it
 * could never close the feed.
 */
function newCustomerId(
	{ customerIds, emailKey }: Person,
	current: string,
	{ ownPrefix, prefixes }: OpenSettings,
): string | undefined {
	const [id] = customerIds;
	if (id !== undefined) return customerIds.includes(current) ? undefined : id;
	const isOwn = current !== '' && hasPrefix(current, prefixes);
	if (ownPrefix === undefined || emailKey === '' || isOwn) return undefined;
	return `${ownPrefix}${emailKey}`;
}

/**
 * The email of the list, and the customer ID that the subscriber lacks.
 * @param subscriber Undefined for someone new.
 */
export function newNames(
	person: Person,
	subscriber: CurrentSubscriber | undefined,
	settings: OpenSettings,
): IDataObject {
	const { email, emailKey } = person;
	const id = newCustomerId(person, subscriber?.customerId ?? '', settings);
	const write: IDataObject = {};
	if (email !== '' && emailKey !== subscriber?.emailKey) write.email = email;
	if (id !== undefined) write.customer_id = id;
	return write;
}
