import { getManyOperation } from '../../operations/getMany';
import { creators } from './creator';

/** Reads many creators. */
export const getAll = getManyOperation(creators, {
	action: 'Get many creators',
	description: 'List the people who make the podcast',
});
