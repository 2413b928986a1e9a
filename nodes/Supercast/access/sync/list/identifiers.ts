/** Names on the list that are right only if Supercast has them (decision 0019). */

import type { InputError } from '../../../api/errors/errors';
import { sharedIdOf, spoiledIdentifierOf } from '../../doubtfulIdentifiers';
import type { CurrentSubscriber, DesiredMember } from '../../match';

/** An item whose name is wrong, and why. */
export interface WrongName {
	item: number;
	error: InputError;
}

/** The items whose names a spreadsheet has changed, or whose customer ID is that of someone else. */
export function wrongNames(
	members: readonly DesiredMember[],
	subscribers: readonly CurrentSubscriber[],
): WrongName[] {
	const known = {
		emails: new Set(subscribers.map(({ emailKey }) => emailKey)),
		customerIds: new Set(subscribers.map(({ customerId }) => customerId)),
	};
	return members.flatMap((member) => {
		const error = spoiledIdentifierOf(member, known) ?? sharedIdOf(member, subscribers);
		return error === undefined ? [] : member.items.map((item) => ({ item, error }));
	});
}
