import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { isSameIdentifier } from '../api/identity';
import { findByCustomerId, identifierOf } from '../subscriber/customerId';
import { subscribers as kind } from '../subscriber/kind';
import { findListed, findSubscriber, findUnlessMissing } from '../subscriber/listing';
import { findByEmail } from '../subscriber/requests';
import { currentSubscriber, type CurrentSubscriber, type DesiredMember } from './match';
import type { WantedAccess } from './rules';

const FIND: Record<WantedAccess, typeof findByEmail> = {
	close: findByEmail,
	// If the email exists with other capitals, Supercast refuses the create request. The node then
	// looks for the existing subscriber.
	open: async (client, email) => await findSubscriber(client, email, kind),
};

/**
 * Supercast cannot look up customer IDs. So the node searches the list for the ID, unless the
 * subscriber with the email has it.
 */
export async function findPerson(
	client: SupercastClient,
	member: DesiredMember,
	access: WantedAccess,
): Promise<CurrentSubscriber[]> {
	const { email } = member;
	const named = email === '' ? undefined : await FIND[access](client, email);
	if (named !== undefined) client.channel.findsEmails = true;
	const found = await withHolders(client, member, access, named);
	if (email === '' || found.some((one) => isSameIdentifier(one.email, email))) return found;
	// "There is nothing to do" must be true.
	const find = access === 'close' && found.length === 0 ? findUnlessMissing : findListed;
	const listed = await find(client, email, kind);
	return listed === undefined ? found : [currentSubscriber(listed), ...found];
}

/** Adds those who have the customer ID to the one who has the email. */
async function withHolders(
	client: SupercastClient,
	{ customerIds: [customerId] }: DesiredMember,
	access: WantedAccess,
	named: IDataObject | undefined,
): Promise<CurrentSubscriber[]> {
	const current = named === undefined ? [] : [currentSubscriber(named)];
	if (customerId === undefined || current[0]?.customerId === customerId) return current;
	const seen = current.map(({ fields }) => fields);
	// "There is nothing to do" must be true.
	const mustProve = access === 'close' && current.length === 0;
	const options = { seen, mustProve };
	for (const { name, record } of await findByCustomerId(client, customerId, kind, options)) {
		if (current.some((one) => identifierOf(one) === name)) continue;
		const latest = record ?? (await findSubscriber(client, name, kind, true));
		if (latest !== undefined) current.push(currentSubscriber(latest));
	}
	return current;
}
