import { changed, type Json } from '../payloads';
import type { Reply } from '../senders';
import { hmac } from './case';

/** The customer of Stripe's samples. */
export const CUSTOMER = 'cus_Na6dX7aXxi11N4';
/** The secret that the stand-in gives to n8n's Stripe Trigger. */
export const SIGNING_SECRET = 'whsec_of_the_stand_in';

/** The items of a subscription to a product. */
export const itemsOf = (product: string) => ({
	object: 'list',
	data: [{ object: 'subscription_item', price: { object: 'price', product } }],
});

interface Subscription {
	status: string;
	product?: string;
	more?: Json;
}

interface Purchase {
	product?: string;
	refunded?: boolean;
	paymentStatus?: string;
}

/** The response of Stripe's API about the customer of the samples. */
export function says(
	subscriptions: Subscription[],
	purchases: Purchase[] = [],
	customer: Json = {},
): Record<string, Reply> {
	const data = subscriptions.map(({ status, product = 'prod_member', more = {} }, at) => ({
		id: `sub_${at}`,
		object: 'subscription',
		status,
		items: itemsOf(product),
		...more,
	}));
	const values = { 'subscriptions.data': data, ...customer };
	const body = changed('stripe-customer', values);
	const sessions = purchases.map(
		({ product = 'prod_lifetime', refunded = false, paymentStatus = 'paid' }, at) => ({
			id: `cs_${at}`,
			object: 'checkout.session',
			payment_status: paymentStatus,
			line_items: { data: [{ price: { product } }] },
			payment_intent: { id: `pi_${at}`, latest_charge: { id: 'ch_1', refunded } },
		}),
	);
	return {
		[`/v1/customers/${CUSTOMER}`]: { body },
		'/v1/checkout/sessions': { body: { object: 'list', data: sessions } },
		'/v1/charges/ch_1': { body: { id: 'ch_1', object: 'charge', customer: body } },
		...registration,
	};
}

/** The requests of n8n's Stripe Trigger when the workflow is published. */
export const registration: Record<string, Reply> = {
	'/v1/webhook_endpoints': {
		body: { id: 'we_1', secret: SIGNING_SECRET, status: 'enabled', enabled_events: ['*'] },
	},
};

/** An event about a subscription. */
export function subscription(
	type: string,
	status: string,
	more: Record<string, unknown> = {},
): Json {
	return changed('stripe-subscription-updated', {
		type,
		created: Math.floor(Date.now() / 1000),
		'data.object.status': status,
		'data.object.items': itemsOf('prod_member'),
		'data.previous_attributes': {},
		...more,
	});
}

/** An event about something else. */
export function about(type: string, object: Json, previous: Json = {}): Json {
	return changed('stripe-subscription-updated', {
		type,
		created: Math.floor(Date.now() / 1000),
		'data.object': { customer: CUSTOMER, ...object },
		'data.previous_attributes': previous,
	});
}

/** Signs as Stripe does, for any time. */
export function signAsStripe(
	body: string,
	secret: string,
	seconds = Date.now() / 1000,
): Record<string, string> {
	const time = Math.floor(seconds);
	const v1 = hmac('sha256', 'hex', `${time}.${body}`, secret);
	return { 'stripe-signature': `t=${time},v1=${v1},v0=6ffbb59b2300aae63f27240606` };
}
