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

/** The records of each list, under the name of the option that sets their number. */
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

/** Every list of the API. Options, flags, controls and routes are derived from this table. */
export const RESOURCES: Record<ListKey, ApiList> = {
	subscribers: subscriberList,
	episodes: episodeList,
	creators: creatorList,
	roles: roleList,
	invites: inviteList,
	questions: questionList,
	// Alerts come last, because they refer to subscribers.
	usageAlerts: usageAlertList,
};

export const LIST_KEYS = Object.keys(RESOURCES) as [ListKey, ...ListKey[]];
