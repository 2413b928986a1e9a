import type { Resource } from '../types';
import { remove } from './delete.operation';
import { getAll } from './getAll.operation';

/** Invitations to the channel. */
export const invite: Resource<'invite'> = {
	name: 'Invite',
	description: 'An invitation to the channel',
	defaultOperation: 'getAll',
	operations: { delete: remove, getAll },
};
