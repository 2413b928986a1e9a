import type { ListKey } from '../data/records';
import { creators } from './creators';
import { episodes } from './episodes';
import { invites, questions, roles } from './others';
import type { Resource } from './resource';
import { subscribers } from './subscribers';
import { usageAlerts } from './usageAlerts';

/** Every list of the API. Options, flags, controls and routes come from here. */
export const RESOURCES: Record<ListKey, Resource> = {
	subscribers,
	episodes,
	creators,
	roles,
	invites,
	questions,
	// Last, because they are about subscribers.
	usageAlerts,
};

export const LIST_KEYS = Object.keys(RESOURCES) as [ListKey, ...ListKey[]];
