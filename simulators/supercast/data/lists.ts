import type { Creator, Episode, Invite, Question, Role, Subscriber, UsageAlert } from './records';

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

interface ListInfo {
	/** How many records there are at the start, unless the options give a number. */
	count: number;
	/** What identifies a record in a path. With `uuid`, the email works too. */
	key: 'id' | 'uuid';
}

/** Every list of the API. Options, flags, controls and tables are derived from it. */
export const LIST_INFO: Record<ListKey, ListInfo> = {
	subscribers: { count: 25, key: 'uuid' },
	episodes: { count: 12, key: 'id' },
	creators: { count: 2, key: 'uuid' },
	roles: { count: 3, key: 'id' },
	invites: { count: 2, key: 'id' },
	questions: { count: 4, key: 'id' },
	// Alerts come last, because they refer to subscribers.
	usageAlerts: { count: 3, key: 'id' },
};

export const LIST_KEYS = Object.keys(LIST_INFO) as [ListKey, ...ListKey[]];
