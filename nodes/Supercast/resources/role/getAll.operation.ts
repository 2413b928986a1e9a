import { getManyOperation } from '../../operations/getMany';
import { roles } from './role';

/** Reads many roles. */
export const getAll = getManyOperation(roles, {
	action: 'Get many roles',
	description: 'List the roles of the channel',
});
