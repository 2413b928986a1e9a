import type { NamedRecordKind } from '../../operations/recordKind';
import { idLocator } from '../../operations/properties';
import { idIdentifier } from '../../operations/validation';

/** Invitations that have not been taken up yet. */
export const invites: NamedRecordKind = {
	singular: 'invite',
	plural: 'invites',
	path: 'invites',
	wrapper: 'invite',
	locator: idLocator({
		displayName: 'Invite',
		name: 'invite',
		description: 'The invite to work with, chosen from the list or by ID',
		searchListMethod: 'searchInvites',
	}),
	identify: (item) => idIdentifier(item.locator('invite'), 'Invite'),
};
