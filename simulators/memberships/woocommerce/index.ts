import { at } from '../requests';
import type { MembershipSystem, RecordCase } from '../system';
import { wooCommerceBoundaries } from './boundaries';
import { WooCommerceMockServer, type WooKey } from './server';

export * from './server';

/** The Authorization header of WooCommerce. */
export function basic({ key, secret }: Pick<WooKey, 'key' | 'secret'>): string {
	return `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
}

const daysAgo = (days: number) =>
	new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 'yyyy-MM-ddTHH:mm:ss'.length);

/** A page with one subscription, to whose body n8n adds its headers. */
const page = (status: string | null, more: object = {}) => ({
	body: [
		{
			...{ id: 811, status, customer_id: 42, billing: { email: 'ana@example.com' } },
			...{ line_items: [{ product_id: 77, name: 'Bonus' }], date_modified_gmt: daysAgo(1) },
			...{ billing_period: 'month', billing_interval: '1', last_payment_date_gmt: daysAgo(31) },
			...more,
		},
	],
});

/** Subscriptions on hold, which each renewal is until it is paid. */
const records: RecordCase[] = (
	[
		[
			'last paid 400 days ago, and saved yesterday',
			{ last_payment_date_gmt: daysAgo(400) },
			'close',
		],
		['imported, without a last payment', { last_payment_date_gmt: '' }, 'keep'],
		['without any last payment', { last_payment_date_gmt: null }, 'keep'],
		['with a date that is none', { last_payment_date_gmt: 'soon' }, 'keep'],
		['due yesterday', { last_payment_date_gmt: daysAgo(31) }, 'keep'],
		['due 13 days ago', { last_payment_date_gmt: daysAgo(43) }, 'keep'],
		['due 16 days ago', { last_payment_date_gmt: daysAgo(47) }, 'close'],
		[
			'yearly, due yesterday',
			{ billing_period: 'year', last_payment_date_gmt: daysAgo(366) },
			'keep',
		],
		[
			'every three months, due yesterday',
			{ billing_interval: '3', last_payment_date_gmt: daysAgo(92) },
			'keep',
		],
		['with a period that nobody knows', { billing_period: 'moon' }, 'unclear'],
		['without a period', { billing_period: undefined }, 'unclear'],
	] as const
).map(([name, more, access]) => ({
	name: `on hold, ${name}`,
	page: page('on-hold', more),
	access,
}));

/** WooCommerce Subscriptions, in the customer's own shop. */
export const wooCommerceSystem: MembershipSystem<WooCommerceMockServer> = {
	title: 'WooCommerce Subscriptions',
	file: 'woocommerce.json',
	create: () => new WooCommerceMockServer(),
	credential: ({ key: { key: consumerKey, secret: consumerSecret } }, url) => ({
		type: 'wooCommerceApi',
		data: { consumerKey, consumerSecret, url },
	}),
	members: {
		of: ({ people }) => people,
		customerId: ({ id }) => `woo-${id}`,
		left: 'cancelled',
	},
	list: {
		path: '/wp-json/wc/v3/subscriptions',
		request: ({ key }, { number, size }) => ({
			path: '/wp-json/wc/v3/subscriptions',
			query: { per_page: String(size), page: String(number), orderby: 'id', order: 'asc' },
			headers: { authorization: basic(key) },
		}),
		records: ({ json }) => (Array.isArray(json) ? json : undefined),
		email: (record) => at(record, 'billing.email'),
		// The number of pages is in a header, which some servers drop.
		goesOn: ({ json }, size) => Array.isArray(json) && json.length === size,
		total: ({ headers }) => {
			const value = headers.get('x-wp-total');
			return value === null ? undefined : Number(value);
		},
		empty: [],
		leaves: {
			// This says no next page, but the number of pages stays.
			endsEarly: 'everyone',
			// The number of pages is in a header, so an empty page looks like the last one.
			pagesEmpty: 'fewer',
		},
	},
	workflow: {
		prefix: 'woo-',
		saysWhoIsNew: true,
		reader: 'Read All Subscriptions',
		boundaries: wooCommerceBoundaries,
		statuses: {
			page: (status) => page(status),
			product: {
				word: 'product',
				name: 'Bonus',
				moved: () => page('active', { line_items: [{ product_id: 77, name: 'Extra' }] }),
			},
		},
		records,
		choices: { only: 'Mugs', told: 'Products at WooCommerce: Podcast membership' },
	},
};
