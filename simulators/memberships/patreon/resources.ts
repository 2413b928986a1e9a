import type {
	AttributeItem,
	Campaign,
	DataItem,
	Member,
	PatreonErrorData,
	Tier,
	User,
} from 'patreon-api.ts';

import type { SystemMember } from '../people';
import { Refusal, textIn, type ListQuery } from '../server';

/**
 * A member at Patreon. The status is `active_patron`, `declined_patron`, `former_patron`, or empty
 * for someone who never paid, which Patreon sends as null. A member without products chose an
 * amount, or has a tier that was deleted or emptied.
 */
export interface PatreonMember extends SystemMember {
	/** The ID of the account, or null if it is gone. */
	user: string | null;
	/** What they pay. An amount that the member chose comes without a tier. */
	amountCents: number;
	isGifted: boolean;
	/** Whether Patreon still shows the tiers of someone who does not pay, as some have seen. */
	keepsTiers?: boolean;
	isFreeTrial: boolean;
}

/** Patreon sends null for emails that the token may not read. */
type Attributes = Omit<Member, 'email'> & { email: string | null };

/** All attributes of a member. `seesEmail` is whether the token may read emails. */
export function memberAttributes(member: PatreonMember, seesEmail: boolean): Attributes {
	const { amountCents } = member;
	const status = statusOf(member);
	const paid = status === 'active_patron' ? amountCents : 0;
	const joined = new Date(member.created).toISOString();
	return {
		campaign_lifetime_support_cents: amountCents,
		currently_entitled_amount_cents: paid,
		email: seesEmail ? member.email : null,
		full_name: member.name,
		is_follower: false,
		is_free_trial: member.isFreeTrial,
		is_gifted: member.isGifted,
		last_charge_date: status === null ? null : joined,
		last_charge_status: CHARGES[member.status] ?? null,
		lifetime_support_cents: amountCents,
		next_charge_date: paid === 0 ? null : joined,
		note: '',
		patron_status: status,
		pledge_cadence: status === null ? null : 1,
		pledge_relationship_start: status === null ? null : joined,
		will_pay_amount_cents: paid,
	};
}

const CHARGES: Record<string, Member['last_charge_status']> = {
	active_patron: 'Paid',
	declined_patron: 'Declined',
	former_patron: 'Paid',
};

function statusOf({ status }: PatreonMember): Member['patron_status'] {
	return status === '' ? null : (status as Member['patron_status']);
}

/** Those who don't pay usually have no tiers, whatever they had before. */
export function entitledTiers({ status, products, keepsTiers = false }: PatreonMember): string[] {
	const isUnpaid = ['', 'declined_patron', 'former_patron'].includes(status);
	return isUnpaid && !keepsTiers ? [] : products;
}

const text = 'A text';
const date = '2025-01-01T00:00:00.000+00:00';

/** All attributes of an account. */
export function userAttributes(member: PatreonMember): Omit<User, 'email'> {
	return {
		about: null,
		can_see_nsfw: null,
		created: date,
		first_name: member.name.split(' ')[0] ?? null,
		full_name: member.name,
		hide_pledges: null,
		image_url: 'https://c8.patreon.com/4/200/1',
		is_creator: false,
		is_email_verified: true,
		last_name: member.name.split(' ')[1] ?? null,
		like_count: 0,
		social_connections: {},
		thumb_url: 'https://c8.patreon.com/4/200/1',
		url: `https://www.patreon.com/user?u=${member.user}`,
		vanity: null,
	};
}

/** All attributes of a tier. */
export function tierAttributes(title: string): Tier {
	return {
		amount_cents: 500,
		created_at: date,
		description: text,
		discord_role_ids: null,
		edited_at: date,
		image_url: null,
		patron_count: 1,
		post_count: 0,
		published: true,
		published_at: date,
		remaining: null,
		requires_shipping: false,
		title,
		unpublished_at: null,
		url: '/checkout/1',
		user_limit: null,
	};
}

/** The attributes of a campaign that can be asked for. */
export const campaignAttributes: Partial<Campaign> = {
	created_at: date,
	creation_name: 'a podcast',
	is_monthly: true,
	patron_count: 1,
	summary: text,
	url: 'https://www.patreon.com/a-podcast',
};

/** A link to a related resource. */
export function related<Type extends 'campaign' | 'user'>(
	type: Type,
	id: string,
): DataItem<Type, true> {
	return {
		data: { id, type },
		links: { related: `https://www.patreon.com/api/oauth2/v2/${type}/${id}` },
	};
}

/** A resource with only the attributes that the request asks for in `fields[TYPE]`. */
export function resourceObject<Type extends 'campaign' | 'member' | 'tier' | 'user'>(
	type: Type,
	id: string,
	attributes: object,
	{ fields }: ListQuery,
): AttributeItem<Type, Record<string, unknown>> {
	const asked = isQuery(fields) ? (textIn(fields, type) ?? '') : '';
	const names = asked === '' ? [] : asked.split(',');
	const all = new Map(Object.entries(attributes));
	for (const name of names) {
		if (!all.has(name))
			throw patreonRefusal(400, 'ParameterInvalidOnType', `Invalid field '${name}' on '${type}'.`);
	}
	return { id, type, attributes: Object.fromEntries(names.map((name) => [name, all.get(name)])) };
}

/** The relationships that a request includes. */
export function includes(query: ListQuery, known: string[]): string[] {
	const text = textIn(query, 'include') ?? '';
	const asked = text === '' ? [] : text.split(',');
	const unknown = asked.find((name) => !known.includes(name));
	if (unknown !== undefined)
		throw patreonRefusal(400, 'ParameterInvalidOnType', `Invalid value '${unknown}' for include.`);
	return asked;
}

/** An error as Patreon sends it (https://docs.patreon.com/#error-handling). */
export function patreonRefusal(status: number, name: string, detail: string): Refusal {
	const error = {
		code: 1,
		code_challenge: null,
		code_name: name,
		detail,
		id: '5d1c0000-0000-4000-8000-000000000000',
		status: String(status),
		title: name,
	} satisfies PatreonErrorData;
	return new Refusal(status, { errors: [error] });
}

/** Whether a part of a query has several parts itself. */
export function isQuery(value: ListQuery[string]): value is ListQuery {
	return typeof value === 'object' && !Array.isArray(value);
}
