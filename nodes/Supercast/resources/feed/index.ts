import type { Resource } from '../types';
import { get } from './get.operation';

/** The private feeds through which subscribers listen. */
export const feed: Resource<'feed'> = {
	name: 'Feed',
	description: 'The private feed of a subscriber',
	defaultOperation: 'get',
	operations: { get },
};
