import { getManyOperation } from '../../operations/getMany';
import { episodes } from './episode';

/** Reads many episodes. */
export const getAll = getManyOperation(episodes, {
	action: 'Get many episodes',
	description: 'List the episodes of the channel',
});
