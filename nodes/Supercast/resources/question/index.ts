import type { Resource } from '../types';
import { create } from './create.operation';
import { getAll } from './getAll.operation';

/** What listeners ask. */
export const question: Resource<'question'> = {
	name: 'Question',
	description: 'A question of a listener',
	defaultOperation: 'getAll',
	operations: { create, getAll },
};
