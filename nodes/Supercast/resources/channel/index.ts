import type { Resource } from '../types';
import { get } from './get.operation';
import { update } from './update.operation';

/** The podcast itself. */
export const channel: Resource<'channel'> = {
	name: 'Channel',
	description: 'The podcast itself, as Supercast knows it',
	defaultOperation: 'get',
	operations: { get, update },
};
