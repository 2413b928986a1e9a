import type { ListKey } from '../data/lists';
import { creatorList } from './creators';
import { episodeList } from './episodes';
import { inviteList, questionList, roleList } from './others';
import type { ApiList } from './resource';
import { subscriberList } from './subscribers';
import { usageAlertList } from './usageAlerts';

/** The routes and the made-up records of every list. */
export const RESOURCES: Record<ListKey, ApiList> = {
	subscribers: subscriberList,
	episodes: episodeList,
	creators: creatorList,
	roles: roleList,
	invites: inviteList,
	questions: questionList,
	usageAlerts: usageAlertList,
};
