import { deleteOperation } from '../../operations/delete';
import { invites } from './invite';

/** Removes one invite. */
export const remove = deleteOperation(invites, {
	action: 'Delete an invite',
	description: 'Take an invite back',
});
