import { changed, sourceOf, type Json } from '../payloads';
import type { Reply } from '../senders';
import { daysAgo, hmac, type AccessCase, type Sender } from './case';

const EMAIL = 'john.doe@example.com';
const SAMPLE = 'woocommerce-subscription-updated';

interface Bought {
	status: string;
	product?: number;
	modified?: Date;
}

const linesOf = (product: number) => [{ product_id: product, variation_id: 0 }];
/** A time as WordPress writes it, in UTC. */
const gmt = (date: Date): string => date.toISOString().slice(0, 19);

function says(
	subscriptions: Bought[],
	orders: Bought[] = [],
	email = EMAIL,
): Record<string, Reply> {
	const recordsOf = (list: Bought[], usual: number) =>
		list.map(({ status, product = usual, modified = new Date() }) => ({
			status,
			customer_id: 1,
			billing: { email: EMAIL },
			line_items: linesOf(product),
			date_modified_gmt: gmt(modified),
		}));
	return {
		'/wp-json/wc/v3/subscriptions': { body: recordsOf(subscriptions, 93) },
		'/wp-json/wc/v3/orders': { body: recordsOf(orders, 55) },
		'/wp-json/wc/v3/customers/1': {
			body: { id: 1, email, first_name: 'John', last_name: 'Doe', billing: {} },
		},
	};
}

const on = (topic: string, status: string, product = 93) => ({
	event: `${topic} ${status}`,
	headers: { 'x-wc-webhook-topic': topic },
	body: changed(SAMPLE, { status, line_items: linesOf(product) }),
});

const account = (email: string) => ({
	event: 'customer.updated',
	headers: { 'x-wc-webhook-topic': 'customer.updated' },
	body: { id: 1, email, first_name: 'John', last_name: 'Doe', billing: { email } } as Json,
});

const cases: AccessCase[] = [
	{
		...on('subscription.created', 'active'),
		when: 'a new member pays',
		says: says([{ status: 'active' }]),
		before: 'nobody',
		after: 'available',
	},
	{
		...on('subscription.created', 'pending'),
		when: 'the first payment has not been made yet',
		says: says([{ status: 'pending' }]),
		before: 'nobody',
		after: 'nobody',
	},
	{
		...on('subscription.updated', 'active'),
		when: 'a member comes back',
		says: says([{ status: 'active' }]),
		before: 'deactivated',
		after: 'available',
	},
	{
		...on('subscription.updated', 'pending-cancel'),
		when: 'the member canceled, and the prepaid term is not over',
		says: says([{ status: 'pending-cancel' }]),
		before: 'available',
		after: 'available',
	},
	{
		...on('subscription.updated', 'on-hold'),
		when: 'a payment failed today',
		says: says([{ status: 'on-hold' }]),
		before: 'available',
		after: 'available',
	},
	{
		...on('subscription.updated', 'on-hold'),
		when: 'a payment failed eight days ago',
		says: says([{ status: 'on-hold', modified: daysAgo(8) }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('subscription.updated', 'cancelled'),
		when: 'the membership is over',
		says: says([{ status: 'cancelled' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('subscription.updated', 'expired'),
		when: 'the membership expired',
		says: says([{ status: 'expired' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('subscription.updated', 'cancelled'),
		when: 'another subscription continues, and the old one is edited',
		says: says([{ status: 'cancelled' }, { status: 'active' }]),
		before: 'available',
		after: 'available',
	},
	{
		...on('subscription.updated', 'cancelled'),
		when: 'the member has bought permanent access',
		says: says([{ status: 'cancelled' }], [{ status: 'completed' }]),
		before: 'available',
		after: 'available',
	},
	{
		...on('subscription.updated', 'cancelled', 12),
		when: 'a subscription to another product ended',
		says: says([]),
		before: 'available',
		after: 'available',
	},
	{
		...on('subscription.deleted', 'trash'),
		when: 'the subscription was deleted in the shop',
		says: says([]),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('order.updated', 'completed', 55),
		when: 'the member buys permanent access',
		says: says([], [{ status: 'completed' }]),
		before: 'nobody',
		after: 'available',
	},
	{
		...on('order.updated', 'refunded', 55),
		when: 'the payment for permanent access is refunded',
		says: says([], [{ status: 'refunded' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('order.updated', 'completed', 12),
		when: 'someone buys another product',
		says: says([], [{ status: 'completed', product: 12 }]),
		before: 'nobody',
		after: 'nobody',
	},
];

export const wooCommerce: Sender = {
	name: 'WooCommerce',
	file: 'woocommerce.json',
	settings: (origin) => ({ shop: origin, products: '93', lifetimeProducts: '55' }),
	email: EMAIL,
	customerId: 'woocommerce-1',
	source: sourceOf(SAMPLE),
	sign: (body, secret, headers = {}) => ({
		...headers,
		'x-wc-webhook-signature': hmac('sha256', 'base64', body, secret),
	}),
	redelivers: false,
	cases,
	paying: { ...on('subscription.updated', 'active'), says: says([{ status: 'active' }]) },
	ended: { ...on('subscription.updated', 'cancelled'), says: says([{ status: 'cancelled' }]) },
	moved: {
		...account('john.new@example.com'),
		says: says([{ status: 'active' }], [], 'john.new@example.com'),
	},
};
