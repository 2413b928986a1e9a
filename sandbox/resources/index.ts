import type {
	Creator,
	Episode,
	Invite,
	Question,
	Role,
	Subscriber,
	UsageAlert,
} from '../data/records';
import { creatorList } from './creators';
import { episodeList } from './episodes';
import { inviteList, questionList, roleList } from './others';
import type { ApiList } from './resource';
import { subscriberList } from './subscribers';
import { usageAlertList } from './usageAlerts';

/** The records of each list, by the name of the option that says how many there are. */
export interface Lists {
	subscribers: Subscriber;
	episodes: Episode;
	creators: Creator;
	roles: Role;
	invites: Invite;
	questions: Question;
	usageAlerts: UsageAlert;
}
export type ListKey = keyof Lists;

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
