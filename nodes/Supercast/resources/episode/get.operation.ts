import { getOperation } from '../../operations/get';
import { episodes } from './episode';

/** Reads one episode. */
export const get = getOperation(episodes, {
	action: 'Get an episode',
	description: 'Look up one episode',
});
