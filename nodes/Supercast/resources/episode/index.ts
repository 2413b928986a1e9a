import type { Resource } from '../types';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

/** What the podcast is made of. */
export const episode: Resource<'episode'> = {
	name: 'Episode',
	description: 'One episode of the podcast',
	defaultOperation: 'getAll',
	operations: { create, delete: remove, get, getAll, update },
};
