import type { Resource } from '../types';
import { dismiss } from './dismiss.operation';
import { getAll } from './getAll.operation';
import { ignore } from './ignore.operation';
import { suspend } from './suspend.operation';

/** Warnings that a private feed is shared or downloaded inordinately often. */
export const usageAlert: Resource<'usageAlert'> = {
	name: 'Usage Alert',
	description: 'A warning that a private feed is shared or downloaded inordinately often',
	defaultOperation: 'getAll',
	operations: { dismiss, getAll, ignore, suspend },
};
