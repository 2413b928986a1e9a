import { getOperation } from '../../operations/get';
import { roles } from './role';

/** Reads one role. */
export const get = getOperation(roles, {
	action: 'Get a role',
	description: 'Look up one role',
});
