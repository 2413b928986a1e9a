/** Names of one person that are probably wrong, unless Supercast has them. */

import type { SupercastClient } from '../api/client';
import type { InputError } from '../api/errors/errors';
import { isSpoiledId, isUnexpectedId, spoiledIdentifier } from '../operations/spoiled';
import { mayBeMissingId, missingId } from '../subscriber/missingId';
import type { CurrentSubscriber, DesiredMember } from './match';

/** What Supercast has, as far as a list or a look-up has shown it. */
export interface KnownIdentifiers {
	/** In the form in which emails are compared. */
	emails: ReadonlySet<string>;
	customerIds: ReadonlySet<string>;
}

/** Why a name is what a spreadsheet has made of another one. Undefined if it is right. */
export function spoiledIdentifierOf(
	{ email, emailKey, customerIds }: DesiredMember,
	known: KnownIdentifiers,
): InputError | undefined {
	const error = known.emails.has(emailKey) ? undefined : spoiledIdentifier(email);
	if (error !== undefined) return error;
	const unexpected = customerIds.find((id) => isUnexpectedId(id, known.customerIds));
	return unexpected === undefined ? undefined : spoiledIdentifier(unexpected);
}

const SAME_PERSON = ' If both are the same person, change the email in Supercast.';

/** Why a customer ID is the text of a missing value: its subscriber has another email. */
export function sharedIdOf(
	{ emailKey, email, customerIds }: DesiredMember,
	holders: readonly CurrentSubscriber[],
): InputError | undefined {
	if (emailKey === '' || !customerIds.some(mayBeMissingId)) return undefined;
	const isOther = (one: CurrentSubscriber): boolean =>
		customerIds.includes(one.customerId) && one.emailKey !== '' && one.emailKey !== emailKey;
	const other = holders.find(isOther);
	if (other === undefined) return undefined;
	const who = `, and both ${other.email} and ${email} have it`;
	return missingId(other.customerId, who, SAME_PERSON);
}

/**
 * Refuses names of one person.
 * @param found The subscribers who have one of the names.
 * @throws InputError
 */
export function refuseDoubtful(
	client: SupercastClient,
	member: DesiredMember,
	found: readonly CurrentSubscriber[],
): void {
	const ids = member.customerIds.some(isSpoiledId) ? knownCustomerIds(client) : [];
	const known = {
		emails: new Set(found.map(({ emailKey }) => emailKey)),
		customerIds: new Set([...found.map(({ customerId }) => customerId), ...ids]),
	};
	const error = spoiledIdentifierOf(member, known) ?? sharedIdOf(member, found);
	if (error !== undefined) throw error;
}

/** The customer IDs that this process knows. Sends no request. */
function knownCustomerIds({ channel }: SupercastClient): Iterable<string> {
	return channel.customerIds.answer(channel.customerIds.ask())?.holders.keys() ?? [];
}
