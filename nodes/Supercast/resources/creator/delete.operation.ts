import { deleteOperation } from '../../operations/delete';
import { creators } from './creator';

/** Removes one creator. */
export const remove = deleteOperation(creators, {
	action: 'Delete a creator',
	description: 'Remove a creator for good',
});
