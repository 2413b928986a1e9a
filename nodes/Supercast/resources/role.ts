import {
	createOperation,
	deleteOperation,
	getOperation,
	updateOperation,
} from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import { recordKind } from '../operations/kinds';
import { textField } from '../operations/properties';
import type { Resource } from '../operations/types';

const kind = recordKind('Role');

/**
 * A role has a name, a description and permissions (Supercast help center, article 52). The API's
 * names for the permissions are not documented, so users enter them in Other Fields.
 */
const fields = {
	main: textField('name', 'Name', { example: 'Editor', description: 'The name of the role' }),
	others: [textField('description', 'Description', { description: 'What the role is for' })],
	clearable: ['description'],
	example: '{ "permissions": ["episodes"] }',
};

/** What people may do in the channel. */
export const role = {
	kind,
	description: 'A set of permissions for people in the channel',
	operations: {
		create: createOperation(kind, 'Add a role to the channel', fields),
		delete: deleteOperation(kind, 'Delete a role permanently'),
		get: getOperation(kind, 'Look up one role'),
		getAll: getManyOperation(kind, "List the channel's roles"),
		update: updateOperation(kind, 'Change the name, description or other fields of a role', fields),
	},
} satisfies Resource;
