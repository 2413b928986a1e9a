import { updateOperation } from '../../operations/update';
import { roles } from './role';

/** Changes one role. Its fields are not documented, so they are given as JSON. */
export const update = updateOperation(roles, {
	action: 'Update a role',
	description: 'Change fields of a role',
	fields: [],
});
