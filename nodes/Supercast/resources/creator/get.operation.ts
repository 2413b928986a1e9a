import { getOperation } from '../../operations/get';
import { creators } from './creator';

/** Reads one creator. */
export const get = getOperation(creators, {
	action: 'Get a creator',
	description: 'Look up one creator',
});
