import type { Resource } from '../types';
import { activate } from './activate.operation';
import { deactivate } from './deactivate.operation';
import { get } from './get.operation';
import { suspend } from './suspend.operation';

/** The private feeds through which subscribers listen. */
export const feed: Resource<'feed'> = {
	name: 'Feed',
	description: 'The private feeds of a subscriber, opened and closed without losing the subscriber',
	defaultOperation: 'get',
	operations: { activate, deactivate, get, suspend },
};
