import type { SubscriberState } from '../../../nodes/Supercast/subscriber/states';

export type { SubscriberState };

/** A record's identifier. Supercast's format is not documented, so both types occur. */
export type Id = number | string;

/** The plan fields of a subscriber. */
export interface PlanFields {
	plan_id: number | null;
	plan_name: string | null;
	plan_price_cents: number | null;
	plan_price_currency: string | null;
}

export interface Subscriber extends PlanFields {
	id: number;
	uuid: string;
	email: string;
	customer_id: string | null;
	first_name: string | null;
	last_name: string | null;
	state: SubscriberState;
	ignore_usage_alerts: boolean;
	time_zone: string | null;
	created_at: string;
	updated_at: string;
	/** Never sent, because it is the secret part of the feed's address. */
	feed_token: string;
	/** The states of further subscriptions, such as those to other shows. */
	more_subscriptions?: SubscriberState[];
}

export interface Episode {
	id: Id;
	title: string;
	summary: string | null;
	explicit: 'yes' | 'no';
	language: string | null;
	published_at: string | null;
	created_at: string;
	/** Never sent. Publishing needs an audio file, which the API can't upload. */
	has_audio: boolean;
}

export interface UsageAlert {
	id: Id;
	kind: string;
	message: string;
	subscriber_uuid: string;
	created_at: string;
}

export interface ChannelRecord {
	id: number;
	subdomain: string;
	title: string;
	description: string | null;
	website_url: string | null;
	language: string | null;
	time_zone: string | null;
	created_at: string;
	updated_at: string;
}

export interface Creator {
	id: number;
	uuid: string;
	email: string;
	first_name: string | null;
	last_name: string | null;
	/** Whether the creator has a password, and so can log in. */
	can_log_in: boolean;
	created_at: string;
	updated_at: string;
}

export interface Role {
	id: Id;
	name: string;
	description: string | null;
	permissions: string[];
	created_at: string;
	updated_at: string;
}

export interface Invite {
	id: Id;
	email: string;
	state: string;
	created_at: string;
}

export interface Question {
	id: Id;
	title: string;
	body: string | null;
	created_at: string;
}

/** The channel's plans. A subscriber's `plan_id` refers to one of them. */
export const PLANS: readonly PlanFields[] = [
	{ plan_id: 1, plan_name: 'Monthly', plan_price_cents: 500, plan_price_currency: 'USD' },
	{ plan_id: 2, plan_name: 'Yearly', plan_price_cents: 5000, plan_price_currency: 'USD' },
	{ plan_id: 3, plan_name: 'Patron', plan_price_cents: 2500, plan_price_currency: 'USD' },
];

/** No plan, such as for a new subscriber, or one whose billing was unlinked. */
export const NO_PLAN: PlanFields = {
	plan_id: null,
	plan_name: null,
	plan_price_cents: null,
	plan_price_currency: null,
};
