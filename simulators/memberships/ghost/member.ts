import { createHash } from 'node:crypto';

import type { SystemMember } from '../people';

/** The statuses of a Stripe subscription for which Ghost calls a member `paid`. */
export type GhostSubscriptionStatus = 'active' | 'past_due' | 'trialing' | 'unpaid';

/** A member. The status is `free`, `paid`, `comped` or `gift`. */
export interface GhostMember extends Omit<SystemMember, 'name'> {
	/** Empty for someone without a name, which Ghost sends as null. */
	name: string;
	/** The names of labels. */
	labels: string[];
	subscriptionStatus: GhostSubscriptionStatus;
	isCanceling: boolean;
}

/** A tier: what members pay for. */
export interface GhostTier {
	id: string;
	name: string;
	slug: string;
}

/**
 * The fields of a member in a list. Own schema, from a Ghost 6.65 that was run, and its
 * serializers/output/members.js and member-bread-service.js. `tiers` come only on request.
 */
export interface GhostMemberObject {
	id: string;
	uuid: string;
	email: string | null;
	name: string | null;
	note: string | null;
	geolocation: string | null;
	subscribed: boolean;
	created_at: string;
	updated_at: string;
	labels: Array<{ id: string; name: string; slug: string; created_at: string; updated_at: string }>;
	subscriptions: GhostSubscription[];
	avatar_image: string | null;
	comped: boolean;
	email_count: number;
	email_opened_count: number;
	email_open_rate: number | null;
	status: string;
	last_seen_at: string | null;
	enable_comment_notifications: boolean;
	enable_updates_and_announcements: boolean;
	unsubscribe_url: string;
	can_comment: boolean;
	commenting: { disabled: boolean; disabled_reason: string | null; disabled_until: string | null };
	current_subscription: { id: string; status: string } | null;
	email_suppression: { suppressed: boolean; info: string | null };
	newsletters: Array<{ id: string; name: string; description: string | null; status: string }>;
	tiers?: Array<GhostTier & { active: boolean; type: string; visibility: string }>;
}

/** A subscription. Complimentary and gift members have an invented one, without an ID. */
interface GhostSubscription {
	id: string;
	tier: GhostTier;
	customer: { id: string; name: string | null; email: string | null };
	plan: { id: string; nickname: string; interval: string; currency: string; amount: number };
	status: string;
	start_date: string;
	default_payment_card_last4: string;
	cancel_at_period_end: boolean;
	cancellation_reason: string | null;
	current_period_end: string | null;
	price: {
		id: string;
		price_id: string;
		nickname: string;
		amount: number;
		interval: string;
		type: string;
		currency: string;
		tier: { id: string; tier_id: string };
	};
	offer: null;
	offer_redemptions: never[];
	next_payment: null;
}

/** An ID as the database makes it: the time in seconds, and a count. */
export function objectId(seconds: number, count: number): string {
	return `${seconds.toString(16).padStart(8, '0')}c0ffee0000${count.toString(16).padStart(6, '0')}`;
}

/** Ghost stores seconds. */
export function ghostDate(time: number): string {
	return new Date(Math.floor(time / 1000) * 1000).toISOString();
}

/** The tiers of a member. Only free members have none. */
export function tiersOf({ status, products }: GhostMember, tiers: GhostTier[]): GhostTier[] {
	return status === 'free' ? [] : tiers.filter(({ id }) => products.includes(id));
}

/** A member as Ghost lists it. */
export function memberObject(member: GhostMember, tiers: GhostTier[]): GhostMemberObject {
	const { id, email, status } = member;
	const name = member.name === '' ? null : member.name;
	const date = ghostDate(member.created);
	const subscriptions = tiersOf(member, tiers).map((tier) => subscriptionOf(member, tier));
	const hash = createHash('sha256').update(id).digest('hex');
	const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
	return {
		id,
		uuid,
		email,
		name,
		note: null,
		geolocation: null,
		subscribed: true,
		created_at: date,
		updated_at: date,
		labels: member.labels.map((label, index) => ({
			id: objectId(1_700_000_000, index),
			name: label,
			slug: label.toLowerCase(),
			created_at: date,
			updated_at: date,
		})),
		subscriptions,
		avatar_image: `https://www.gravatar.com/avatar/${hash.slice(0, 32)}?s=250&r=g&d=blank`,
		comped: status === 'comped',
		email_count: 0,
		email_opened_count: 0,
		email_open_rate: null,
		status,
		last_seen_at: null,
		enable_comment_notifications: true,
		enable_updates_and_announcements: true,
		unsubscribe_url: `https://example.com/unsubscribe/?uuid=${uuid}`,
		can_comment: true,
		commenting: { disabled: false, disabled_reason: null, disabled_until: null },
		current_subscription: currentOf(member, subscriptions),
		email_suppression: { suppressed: false, info: null },
		newsletters: [
			{ id: objectId(1_700_000_000, 99), name: 'Default', description: null, status: 'active' },
		],
	};
}

function currentOf({ status }: GhostMember, [subscription]: GhostSubscription[]) {
	if (status !== 'paid' || subscription === undefined) return null;
	return { id: subscription.id, status: subscription.status };
}

const NICKNAMES: Record<string, string> = { comped: 'Complimentary', gift: 'Gift subscription' };

function subscriptionOf(member: GhostMember, tier: GhostTier): GhostSubscription {
	const isPaid = member.status === 'paid';
	const idOf = (start: string) => (isPaid ? `${start}_${member.id.slice(-6)}` : '');
	const date = ghostDate(member.created);
	const nickname = NICKNAMES[member.status] ?? 'Monthly';
	const amount = isPaid ? 500 : 0;
	const interval = isPaid ? 'month' : 'year';
	return {
		id: idOf('sub'),
		tier,
		customer: { id: idOf('cus'), name: member.name || null, email: member.email },
		plan: { id: idOf('price'), nickname, interval, currency: 'USD', amount },
		status: isPaid ? member.subscriptionStatus : 'active',
		start_date: date,
		default_payment_card_last4: isPaid ? '4242' : '****',
		cancel_at_period_end: isPaid && member.isCanceling,
		cancellation_reason: null,
		current_period_end: isPaid ? ghostDate(member.created + 2_592_000_000) : null,
		price: {
			id: idOf('price'),
			price_id: idOf('price'),
			nickname,
			amount,
			interval,
			type: 'recurring',
			currency: 'USD',
			tier: { id: '', tier_id: tier.id },
		},
		offer: null,
		offer_redemptions: [],
		next_payment: null,
	};
}
