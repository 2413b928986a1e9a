import { createHmac } from 'node:crypto';

import type { Reply } from './senders';
import { changed, sample, type Json } from './payloads';

type Headers = Record<string, string>;

/** A membership system as it is seen from outside: what it sends, and what its API says. */
export interface SenderCase {
	name: string;
	file: string;
	path: string;
	/** Whom the sample is about. */
	email: string;
	/** The membership is over. */
	ended: Json;
	sign: (body: string, secret: string) => Headers;
	/** The API of the sender, when nothing is left of the membership. */
	api: Record<string, Reply>;
	/** Deliveries after which everybody still listens, with what the API says then. */
	harmless: Array<{ why: string; body: Json; api?: Record<string, Reply> }>;
	/** With this answer of the API n8n has nothing more to wait for. */
	settled?: Record<string, Reply>;
	/** Whether the sender delivers again when it gets no 2xx; n8n tries again itself otherwise. */
	redelivers: boolean;
}

function hmac(hash: string, encoding: 'hex' | 'base64', body: string, secret: string): string {
	return createHmac(hash, secret).update(body).digest(encoding);
}

const stripe: SenderCase = {
	name: 'Stripe',
	file: 'membership-cancelled-stripe.json',
	path: 'membership-cancelled-stripe',
	email: 'jennyrosen@example.com',
	ended: sample('stripe-subscription-deleted'),
	sign: (body, secret) => signAsStripe(body, secret),
	api: { '/v1/customers/cus_Na6dX7aXxi11N4': { body: sample('stripe-customer') } },
	harmless: [
		{
			why: 'cancelled at the end of the period, which is still to come',
			body: changed('stripe-subscription-updated', {
				'data.object.status': 'active',
				'data.object.cancel_at_period_end': true,
				'data.previous_attributes': { cancel_at_period_end: false },
			}),
		},
		{
			why: 'another subscription is active',
			body: sample('stripe-subscription-deleted'),
			api: {
				'/v1/customers/cus_Na6dX7aXxi11N4': {
					body: changed('stripe-customer', { 'subscriptions.data': [{ status: 'active' }] }),
				},
			},
		},
	],
	redelivers: true,
};

/** Signs as Stripe does, at a time of one's choice. */
export function signAsStripe(body: string, secret: string, seconds = Date.now() / 1000): Headers {
	const time = Math.floor(seconds);
	const v1 = hmac('sha256', 'hex', `${time}.${body}`, secret);
	return { 'stripe-signature': `t=${time},v1=${v1},v0=6ffbb59b2300aae63f27240606` };
}

const membersOf = (subscriptions: Json[]): Record<string, Reply> => ({
	'/api/graphql': { body: { data: { member: { email: 'john.doe@example.com', subscriptions } } } },
});

const memberful: SenderCase = {
	name: 'Memberful',
	file: 'membership-cancelled-memberful.json',
	path: 'membership-cancelled-memberful',
	email: 'john.doe@example.com',
	ended: sample('memberful-subscription-deactivated'),
	sign: (body, secret) => ({
		'x-memberful-webhook-signature': hmac('sha256', 'hex', body, secret),
	}),
	api: membersOf([{ active: false }]),
	harmless: [
		{
			why: 'only the renewal was switched off',
			body: changed('memberful-subscription-deactivated', {
				event: 'subscription.updated',
				'subscription.active': true,
				'subscription.autorenew': false,
			}),
		},
		{
			why: 'another subscription is active',
			body: sample('memberful-subscription-deactivated'),
			api: membersOf([{ active: false }, { active: true }]),
		},
	],
	redelivers: true,
};

const patronOf = (values: Json): Record<string, Reply> => ({
	'/api/oauth2/v2/members/': {
		body: changed(
			'patreon-api-member',
			Object.fromEntries(
				Object.entries(values).map(([key, value]) => [`data.attributes.${key}`, value]),
			),
		),
	},
});

const patreon: SenderCase = {
	name: 'Patreon',
	file: 'membership-cancelled-patreon.json',
	path: 'membership-cancelled-patreon',
	email: 'platform@team.com',
	ended: sample('patreon-member'),
	sign: (body, secret) => ({
		'x-patreon-signature': hmac('md5', 'hex', body, secret),
		'x-patreon-event': 'members:pledge:delete',
	}),
	api: patronOf({}),
	harmless: [
		{
			why: 'the paid period is not over',
			body: sample('patreon-member'),
			api: patronOf({ currently_entitled_amount_cents: 100 }),
		},
		{
			why: 'the patron came back',
			body: sample('patreon-member'),
			api: patronOf({ patron_status: 'active_patron', currently_entitled_amount_cents: 100 }),
		},
	],
	settled: patronOf({ patron_status: 'active_patron' }),
	redelivers: false,
};

const ghost: SenderCase = {
	name: 'Ghost',
	file: 'membership-cancelled-ghost.json',
	path: 'membership-cancelled-ghost',
	email: 'testemail3@example.com',
	ended: sample('ghost-member-edited'),
	sign: (body, secret) => {
		const time = Date.now();
		const signature = hmac('sha256', 'hex', `${body}${time}`, secret);
		return { 'x-ghost-signature': `sha256=${signature}, t=${time}` };
	},
	api: {},
	harmless: [
		{
			why: 'cancelled, and paid until the end of the period',
			body: changed('ghost-member-edited', {
				'member.current.status': 'paid',
				'member.previous': { subscriptions: [] },
			}),
		},
		{
			why: 'complimentary from now on',
			body: changed('ghost-member-edited', { 'member.current.status': 'comped' }),
		},
		{
			why: 'only the name changed',
			body: changed('ghost-member-edited', { 'member.previous': { name: 'Test Member3' } }),
		},
	],
	redelivers: false,
};

const subscriptionsOf = (...statuses: string[]): Record<string, Reply> => ({
	'/wp-json/wc/v3/subscriptions': { body: statuses.map((status) => ({ status })) },
});

const wooCommerce: SenderCase = {
	name: 'WooCommerce',
	file: 'membership-cancelled-woocommerce.json',
	path: 'membership-cancelled-woocommerce',
	email: 'john.doe@example.com',
	ended: sample('woocommerce-subscription-updated'),
	sign: (body, secret) => ({
		'x-wc-webhook-topic': 'subscription.updated',
		'x-wc-webhook-signature': hmac('sha256', 'base64', body, secret),
	}),
	api: subscriptionsOf('cancelled'),
	harmless: [
		{
			why: 'the prepaid term is not over',
			body: changed('woocommerce-subscription-updated', { status: 'pending-cancel' }),
		},
		{
			why: 'another subscription is active',
			body: sample('woocommerce-subscription-updated'),
			api: subscriptionsOf('cancelled', 'active'),
		},
	],
	redelivers: false,
};

/** Every sender that signs. */
export const senderCases = [stripe, memberful, patreon, ghost, wooCommerce];
