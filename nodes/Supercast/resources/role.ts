import { crudOperations } from '../operations/crud';
import { recordKind } from '../operations/kinds';
import { textField } from '../operations/properties';
import type { Resource } from './resource';

const kind = recordKind('Role');

/** Names of permissions are not documented (help center, article 52), so users enter them as JSON. */
const fields = {
	main: textField('name', 'Name', { example: 'Editor', description: 'The name of the role' }),
	others: [
		textField('description', 'Description', {
			example: 'Publishes episodes',
			description: 'What the role is for',
		}),
	],
	wireNames: { name: 'name', description: 'description' },
	example: '{ "permissions": ["episodes"] }',
};

const descriptions = {
	create: 'Add a role to the channel',
	delete: 'Delete a role permanently',
	get: 'Look up one role',
	getAll: "List the channel's roles",
	update: 'Change the name, description or other fields of a role',
};

export const role = {
	kind,
	description: 'A set of permissions for people in the channel',
	operations: crudOperations(kind, descriptions, { fields }),
} satisfies Resource;
