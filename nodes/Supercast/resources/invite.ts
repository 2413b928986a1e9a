import { deleteOperation } from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import { recordKind } from '../operations/kinds';
import type { Resource } from '../operations/types';

const kind = recordKind('Invite', { isListOnly: true });

/** Invitations that nobody has accepted yet. */
export const invite = {
	kind,
	description: 'An invitation to the channel',
	operations: {
		delete: deleteOperation(kind, 'Delete an invite, so that it can no longer be accepted'),
		getAll: getManyOperation(kind, "List the channel's invites"),
	},
} satisfies Resource;
