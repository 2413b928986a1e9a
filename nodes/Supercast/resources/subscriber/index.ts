import type { Resource } from '../types';
import { create } from './create.operation';
import { remove } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';
import { upsert } from './upsert.operation';

/** The members who listen, each with private feeds of their own. */
export const subscriber: Resource<'subscriber'> = {
	name: 'Subscriber',
	description: 'A member who listens on private feeds',
	defaultOperation: 'create',
	operations: { create, upsert, delete: remove, get, getAll, update },
};
