import type { INodeProperties } from 'n8n-workflow';

import { createOperation } from '../operations/crud';
import { deleteOperation } from '../operations/crud';
import { getOperation } from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import { idIdentifier } from '../operations/locators';
import { idLocator } from '../operations/locators';
import type { NamedRecordKind } from '../operations/kinds';
import { updateOperation } from '../operations/crud';
import { requireText } from '../operations/validation';
import type { Resource } from './types';

/** What people may do in the channel. */
export const roles: NamedRecordKind = {
	singular: 'role',
	plural: 'roles',
	path: 'roles',
	wrapper: 'role',
	locator: idLocator({
		displayName: 'Role',
		name: 'role',
		description: 'The role to work with. Choose from the list, or enter an ID.',
		searchListMethod: 'searchRoles',
	}),
	identify: (item) => idIdentifier(item.locator('role'), 'Role'),
};

const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	placeholder: 'e.g. Editor',
	required: true,
	default: '',
	description: 'The name of the role',
};

/**
 * A role has a name, a description and permissions (Supercast help centre, article 52). The API's
 * names for the permissions are not documented, so users enter them in Other Fields.
 */
const description: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	description: 'What the role is for',
};

const example = '{ "permissions": ["episodes"] }';

/** What people may do in the channel. */
export const role: Resource<'role'> = {
	name: 'Role',
	description: 'A set of permissions for people in the channel',
	defaultOperation: 'getAll',
	operations: {
		create: createOperation(roles, {
			action: 'Create role',
			description: 'Add a role to the channel',
			required: { property: name, read: requireText },
			fields: [description],
			example,
		}),
		delete: deleteOperation(roles, {
			action: 'Delete role',
			description: 'Delete a role permanently',
		}),
		get: getOperation(roles, { action: 'Get role', description: 'Look up one role' }),
		getAll: getManyOperation(roles, {
			action: 'Get many roles',
			description: "List the channel's roles",
		}),
		update: updateOperation(roles, {
			action: 'Update role',
			description: 'Change the name, description or other fields of a role',
			fields: [{ ...name, required: false }, description],
			example,
			clearable: ['description'],
		}),
	},
};
