import { deleteOperation } from '../../operations/delete';
import { episodes } from './episode';

/** Removes one episode. */
export const remove = deleteOperation(episodes, {
	action: 'Delete an episode',
	description: 'Remove an episode for good: it disappears from every feed',
});
