import { getManyOperation } from '../../operations/getMany';
import { invites } from './invite';

/** Reads many invites. */
export const getAll = getManyOperation(invites, {
	action: 'Get many invites',
	description: 'List the invites of the channel',
});
