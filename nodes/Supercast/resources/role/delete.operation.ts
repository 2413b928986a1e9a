import { deleteOperation } from '../../operations/delete';
import { roles } from './role';

/** Removes one role. */
export const remove = deleteOperation(roles, {
	action: 'Delete a role',
	description: 'Remove a role for good',
});
