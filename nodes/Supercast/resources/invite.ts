import { crudOperations } from '../operations/crud';
import { recordKind } from '../operations/kinds';
import type { Resource } from './resource';

const kind = recordKind('Invite', { isListOnly: true });

export const invite = {
	kind,
	description: 'An invitation to the channel',
	operations: crudOperations(kind, {
		delete: 'Delete an invite permanently',
		getAll: "List the channel's invites",
	}),
} satisfies Resource;
