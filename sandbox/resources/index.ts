import type { ListKey } from '../data/records';
import { creatorList } from './creators';
import { episodeList } from './episodes';
import { inviteList, questionList, roleList } from './others';
import type { ApiList } from './resource';
import { subscriberList } from './subscribers';
import { usageAlertList } from './usageAlerts';

/** Every list of the API. Options, flags, controls and routes come from here. */
export const RESOURCES: Record<ListKey, ApiList> = {
	subscribers: subscriberList,
	episodes: episodeList,
	creators: creatorList,
	roles: roleList,
	invites: inviteList,
	questions: questionList,
	// Last, because they are about subscribers.
	usageAlerts: usageAlertList,
};

export const LIST_KEYS = Object.keys(RESOURCES) as [ListKey, ...ListKey[]];
