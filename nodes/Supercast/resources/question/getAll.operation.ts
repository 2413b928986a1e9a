import { getManyOperation } from '../../operations/getMany';
import { questions } from './question';

/** Reads many questions. */
export const getAll = getManyOperation(questions, {
	action: 'Get many questions',
	description: 'List the questions of the channel',
});
