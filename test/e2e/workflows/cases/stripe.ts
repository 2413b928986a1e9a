import { changed, sourceOf, type Json } from '../payloads';
import type { Reply } from '../senders';
import { daysAgo, hmac, type AccessCase, type Sender } from './case';

const CUSTOMER = 'cus_Na6dX7aXxi11N4';
const EMAIL = 'jennyrosen@example.com';
export const SIGNING_SECRET = 'whsec_of_the_stand_in';

const itemsOf = (product: string) => ({
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

/** What Stripe's API answers about the customer of the samples. */
function says(
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

/** What n8n's Stripe Trigger asks for when it is published. */
export const registration: Record<string, Reply> = {
	'/v1/webhook_endpoints': {
		body: { id: 'we_1', secret: SIGNING_SECRET, status: 'enabled', enabled_events: ['*'] },
	},
};

/** An event about a subscription. */
function subscription(type: string, status: string, more: Record<string, unknown> = {}): Json {
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
function about(type: string, object: Json, previous: Json = {}): Json {
	return changed('stripe-subscription-updated', {
		type,
		created: Math.floor(Date.now() / 1000),
		'data.object': { customer: CUSTOMER, ...object },
		'data.previous_attributes': previous,
	});
}

const updated = 'customer.subscription.updated';
const deleted = 'customer.subscription.deleted';
const pastDue = (days: number) => ({
	status: 'past_due',
	more: { current_period_start: Math.floor(daysAgo(days).getTime() / 1000) },
});
const session = { id: 'cs_0', object: 'checkout.session', payment_status: 'paid' };

const cases: AccessCase[] = [
	{
		event: 'customer.subscription.created',
		when: 'a new member pays',
		body: subscription('customer.subscription.created', 'active'),
		says: says([{ status: 'active' }]),
		before: 'nobody',
		after: 'available',
	},
	{
		event: 'customer.subscription.created',
		when: 'the first payment is not made yet',
		body: subscription('customer.subscription.created', 'incomplete'),
		says: says([{ status: 'incomplete' }]),
		before: 'nobody',
		after: 'nobody',
	},
	{
		event: updated,
		when: 'a member comes back',
		body: subscription(updated, 'active'),
		says: says([{ status: 'active' }]),
		before: 'deactivated',
		after: 'available',
	},
	{
		event: updated,
		when: 'cancelled at the end of the period',
		body: subscription(updated, 'active', { 'data.object.cancel_at_period_end': true }),
		says: says([{ status: 'active' }]),
		before: 'available',
		after: 'available',
	},
	{
		event: updated,
		when: 'a payment failed today',
		body: subscription(updated, 'past_due'),
		says: says([pastDue(0)]),
		before: 'available',
		after: 'available',
	},
	{
		event: updated,
		when: 'a payment failed eight days ago',
		body: subscription(updated, 'past_due'),
		says: says([pastDue(8)]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: updated,
		when: 'all tries to charge the card failed',
		body: subscription(updated, 'unpaid'),
		says: says([{ status: 'unpaid' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: updated,
		when: 'the collection of payments is paused today',
		body: subscription(updated, 'active'),
		says: says([{ status: 'active', more: { pause_collection: { behavior: 'void' } } }]),
		before: 'available',
		after: 'available',
	},
	{
		event: updated,
		when: 'changed to a product without a feed',
		body: subscription(updated, 'active', {
			'data.object.items': itemsOf('prod_other'),
			'data.previous_attributes': { items: itemsOf('prod_member') },
		}),
		says: says([{ status: 'active', product: 'prod_other' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'customer.subscription.paused',
		when: 'a trial ended without a card, eight days ago',
		body: subscription('customer.subscription.paused', 'paused', {
			created: Math.floor(daysAgo(8).getTime() / 1000),
		}),
		says: says([{ status: 'paused' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'customer.subscription.resumed',
		when: 'the member pays again',
		body: subscription('customer.subscription.resumed', 'active'),
		says: says([{ status: 'active' }]),
		before: 'deactivated',
		after: 'available',
	},
	{
		event: deleted,
		when: 'the membership is over',
		body: subscription(deleted, 'canceled'),
		says: says([]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: deleted,
		when: 'another subscription to a membership goes on',
		body: subscription(deleted, 'canceled'),
		says: says([{ status: 'active' }]),
		before: 'available',
		after: 'available',
	},
	{
		event: deleted,
		when: 'the member has bought access for good',
		body: subscription(deleted, 'canceled'),
		says: says([], [{}]),
		before: 'available',
		after: 'available',
	},
	{
		event: deleted,
		when: 'only another product goes on',
		body: subscription(deleted, 'canceled'),
		says: says([{ status: 'active', product: 'prod_other' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: deleted,
		when: 'a subscription to another product ended',
		body: subscription(deleted, 'canceled', { 'data.object.items': itemsOf('prod_other') }),
		says: says([]),
		before: 'available',
		after: 'available',
	},
	{
		event: deleted,
		when: 'the customer was deleted in Stripe',
		body: subscription(deleted, 'canceled'),
		says: {
			...says([]),
			[`/v1/customers/${CUSTOMER}`]: {
				body: { id: CUSTOMER, object: 'customer', deleted: true },
			},
		},
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'checkout.session.completed',
		when: 'access for good is bought',
		body: about('checkout.session.completed', session),
		says: says([], [{}]),
		before: 'nobody',
		after: 'available',
	},
	{
		event: 'checkout.session.completed',
		when: 'another product is bought',
		body: about('checkout.session.completed', session),
		says: says([], [{ product: 'prod_other' }]),
		before: 'nobody',
		after: 'nobody',
	},
	{
		event: 'checkout.session.completed',
		when: 'access for good is bought by a bank debit that is under way',
		body: about('checkout.session.completed', { ...session, payment_status: 'unpaid' }),
		says: says([], [{ paymentStatus: 'unpaid' }]),
		before: 'nobody',
		after: 'nobody',
	},
	{
		event: 'checkout.session.async_payment_succeeded',
		when: 'that bank debit arrived',
		body: about('checkout.session.async_payment_succeeded', session),
		says: says([], [{}]),
		before: 'nobody',
		after: 'available',
	},
	{
		event: 'charge.refunded',
		when: 'access for good is refunded',
		body: about('charge.refunded', { id: 'ch_1', object: 'charge', refunded: true }),
		says: says([], [{ refunded: true }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'charge.dispute.created',
		when: 'the payment is disputed',
		body: about('charge.dispute.created', {
			object: 'dispute',
			charge: 'ch_1',
			status: 'needs_response',
			customer: undefined,
		}),
		says: says([{ status: 'active' }]),
		before: 'available',
		after: 'available',
	},
	{
		event: 'charge.dispute.closed',
		when: 'the dispute is lost',
		body: about('charge.dispute.closed', {
			object: 'dispute',
			charge: 'ch_1',
			status: 'lost',
			customer: undefined,
		}),
		says: says([{ status: 'active' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'charge.dispute.closed',
		when: 'the dispute is won',
		body: about('charge.dispute.closed', {
			object: 'dispute',
			charge: 'ch_1',
			status: 'won',
			customer: undefined,
		}),
		says: says([{ status: 'active' }]),
		before: 'deactivated',
		after: 'available',
	},
];

const NEW = 'jenny.new@example.com';

export const stripe: Sender = {
	name: 'Stripe',
	file: 'stripe.json',
	settings: () => ({ products: 'prod_member, prod_member_2', lifetimeProducts: 'prod_lifetime' }),
	email: EMAIL,
	customerId: CUSTOMER,
	source: sourceOf('stripe-subscription-updated'),
	sign: (body, _secret) => signAsStripe(body, SIGNING_SECRET),
	redelivers: false,
	cases,
	paying: { body: subscription(updated, 'active'), says: says([{ status: 'active' }]) },
	ended: { body: subscription(deleted, 'canceled'), says: says([]) },
	moved: {
		body: about(
			'customer.updated',
			{ id: CUSTOMER, object: 'customer', customer: undefined },
			{ email: EMAIL },
		),
		says: says([{ status: 'active' }], [], { email: NEW }),
	},
};

/** Signs as Stripe does, at a time of one's choice. */
export function signAsStripe(
	body: string,
	secret: string,
	seconds = Date.now() / 1000,
): Record<string, string> {
	const time = Math.floor(seconds);
	const v1 = hmac('sha256', 'hex', `${time}.${body}`, secret);
	return { 'stripe-signature': `t=${time},v1=${v1},v0=6ffbb59b2300aae63f27240606` };
}
