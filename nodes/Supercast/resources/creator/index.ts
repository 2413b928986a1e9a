import type { Resource } from '../types';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

/** The people who make the podcast. */
export const creator: Resource<'creator'> = {
	name: 'Creator',
	description: 'A person who makes the podcast',
	defaultOperation: 'getAll',
	operations: { create, delete: remove, get, getAll, update },
};
