import { deleteOperation } from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import { idIdentifier } from '../operations/locators';
import { idLocator } from '../operations/locators';
import type { NamedRecordKind } from '../operations/kinds';
import type { Resource } from './types';

/** Invitations that nobody has accepted yet. */
export const invites: NamedRecordKind = {
	singular: 'invite',
	plural: 'invites',
	path: 'invites',
	wrapper: 'invite',
	isListOnly: true,
	locator: idLocator({
		displayName: 'Invite',
		name: 'invite',
		description: 'The invite to work with. Choose from the list, or enter an ID.',
		searchListMethod: 'searchInvites',
	}),
	identify: (item) => idIdentifier(item.locator('invite'), 'Invite'),
};

/** Invitations to the channel. */
export const invite: Resource<'invite'> = {
	name: 'Invite',
	description: 'An invitation to the channel',
	defaultOperation: 'getAll',
	operations: {
		delete: deleteOperation(invites, {
			action: 'Delete invite',
			description: 'Delete an invite, so that it can no longer be accepted',
		}),
		getAll: getManyOperation(invites, {
			action: 'Get many invites',
			description: "List the channel's invites",
		}),
	},
};
