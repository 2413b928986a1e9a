import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { identifierOf, isSameIdentifier } from '../api/identity';
import type { Candidate } from '../api/queue';
import { findByCustomerId, likelyHolders } from '../subscriber/customerId';
import { subscribers as kind } from '../subscriber/kind';
import { findListed, findSubscriber, findUnlessMissing } from '../subscriber/listing';
import { findByEmail } from '../subscriber/requests';
import type { RecordNames } from './record';
import { currentSubscriber, NO_SUBSCRIBER, type CurrentSubscriber } from './subscribers';

/** What an event wants for a person. */
export type WantedAccess = 'close' | 'open';

const FIND: Record<WantedAccess, typeof findByEmail> = {
	close: findByEmail,
	// If the email exists with other capitals, Supercast refuses the create request. The node then
	// looks for the existing subscriber.
	open: async (client, email) => await findSubscriber(client, email, kind),
};

/**
 * Finds the subscribers with the customer ID or the email of a record. Supercast cannot look up
 * customer IDs, so the node searches the list of subscribers. To open a feed, it does not wait for
 * that list if the feed of the subscriber with the email and the ID is open.
 * @throws ServiceError if a request fails, and InputError if it cannot be proven who has the ID.
 */
export async function findPerson(
	client: SupercastClient,
	names: RecordNames,
	access: WantedAccess,
): Promise<CurrentSubscriber[]> {
	const { email } = names;
	const named = email === '' ? undefined : await FIND[access](client, email);
	const found = await withHolders(client, names, access, named);
	if (email === '' || found.some((one) => isSameIdentifier(one.email, email))) return found;
	// "There is nothing to do" must be true.
	const find = access === 'close' && found.length === 0 ? findUnlessMissing : findListed;
	const listed = await find(client, email, kind);
	return listed === undefined ? found : [currentSubscriber(listed), ...found];
}

/** Adds those who have the customer ID to the one who has the email. */
async function withHolders(
	client: SupercastClient,
	{ customerId }: RecordNames,
	access: WantedAccess,
	named: IDataObject | undefined,
): Promise<CurrentSubscriber[]> {
	const current = named === undefined ? [] : [currentSubscriber(named)];
	if (customerId === '') return current;
	const [first = NO_SUBSCRIBER] = current;
	const isThere = access === 'open' && first.isOpen && first.customerId === customerId;
	const seen = current.map(({ fields }) => fields);
	const mustProve = access === 'close' && current.length === 0;
	const holders: readonly Candidate[] = isThere
		? likelyHolders(client, customerId).map((name) => ({ name }))
		: await findByCustomerId(client, customerId, kind, { seen, mustProve });
	for (const holder of holders) {
		if (current.some((one) => isSameIdentifier(identifierOf(one), holder.name))) continue;
		current.push(...(await readHolder(client, holder, customerId)));
	}
	return current;
}

/** The holder of a customer ID, unless they do not have it any more. */
async function readHolder(
	client: SupercastClient,
	{ name, record }: Candidate,
	customerId: string,
): Promise<CurrentSubscriber[]> {
	const latest = record ?? (await findSubscriber(client, name, kind, true));
	const holder = latest === undefined ? [] : [currentSubscriber(latest)];
	return holder.filter((one) => one.customerId === customerId);
}
