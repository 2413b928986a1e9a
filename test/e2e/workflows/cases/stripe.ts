import { sourceOf } from '../payloads';
import { daysAgo, type AccessCase, type Sender } from './case';
import { purchases } from './stripePurchases';
import {
	about,
	CUSTOMER,
	itemsOf,
	says,
	SIGNING_SECRET,
	signAsStripe,
	subscription,
} from './stripeApi';

const EMAIL = 'jennyrosen@example.com';
const updated = 'customer.subscription.updated';
const deleted = 'customer.subscription.deleted';
const pastDue = (days: number) => ({
	status: 'past_due',
	more: { current_period_start: Math.floor(daysAgo(days).getTime() / 1000) },
});
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
		when: 'the first payment has not been made yet',
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
		when: 'the member canceled at the end of the period',
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
		when: 'all attempts to charge the card failed',
		body: subscription(updated, 'unpaid'),
		says: says([{ status: 'unpaid' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: updated,
		when: 'payment collection was paused today',
		body: subscription(updated, 'active'),
		says: says([{ status: 'active', more: { pause_collection: { behavior: 'void' } } }]),
		before: 'available',
		after: 'available',
	},
	{
		event: updated,
		when: 'the member changed to a product without a feed',
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
		when: 'another membership subscription continues',
		body: subscription(deleted, 'canceled'),
		says: says([{ status: 'active' }]),
		before: 'available',
		after: 'available',
	},
	{
		event: deleted,
		when: 'the member has bought permanent access',
		body: subscription(deleted, 'canceled'),
		says: says([], [{}]),
		before: 'available',
		after: 'available',
	},
	{
		event: deleted,
		when: 'only a subscription to another product continues',
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
	...purchases,
];

const NEW = 'jenny.new@example.com';

export const stripe: Sender = {
	name: 'Stripe',
	file: 'stripe.json',
	settings: () => ({ products: 'prod_member, prod_member_2', lifetimeProducts: 'prod_lifetime' }),
	email: EMAIL,
	customerId: CUSTOMER,
	source: sourceOf('stripe-subscription-updated'),
	sign: (body) => signAsStripe(body, SIGNING_SECRET),
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
