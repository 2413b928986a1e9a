import type { Resource } from '../types';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

/** What people may do in the channel. */
export const role: Resource<'role'> = {
	name: 'Role',
	description: 'What people may do in the channel',
	defaultOperation: 'getAll',
	operations: { create, delete: remove, get, getAll, update },
};
