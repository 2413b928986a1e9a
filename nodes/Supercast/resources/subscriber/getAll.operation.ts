import { getManyOperation } from '../../operations/getMany';
import { subscribers } from './subscriber';

/** Reads many subscribers. */
export const getAll = getManyOperation(subscribers, {
	action: 'Get many subscribers',
	description: 'List the subscribers of the channel',
});
