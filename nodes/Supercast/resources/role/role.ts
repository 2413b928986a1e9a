import type { NamedRecordKind } from '../../operations/recordKind';
import { idLocator } from '../../operations/properties';
import { idIdentifier } from '../../operations/validation';

/** What people may do in the channel. */
export const roles: NamedRecordKind = {
	singular: 'role',
	plural: 'roles',
	path: 'roles',
	wrapper: 'role',
	locator: idLocator({
		displayName: 'Role',
		name: 'role',
		description: 'The role to work with, chosen from the list or by ID',
		searchListMethod: 'searchRoles',
	}),
	identify: (item) => idIdentifier(item.locator('role'), 'Role'),
};
