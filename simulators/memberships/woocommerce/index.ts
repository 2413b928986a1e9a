import { at } from '../requests';
import { setStatusIn, type MembershipSystem } from '../system';
import { WooCommerceMockServer, type WooKey } from './server';

export * from './server';

/** The Authorization header of WooCommerce. */
export function basic({ key, secret }: Pick<WooKey, 'key' | 'secret'>): string {
	return `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
}

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
		setStatus: (server, member, status) => setStatusIn(server)(member, status),
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
		newMembers: { unpaid: 'pending', paid: 'active' },
		labels: ['Advanced', 'REST API', 'Read'],
	},
};
