import type { SystemMember } from '../people';

/** The statuses of a subscription (https://woocommerce.com/document/subscriptions/statuses/). */
export const WOO_STATUSES = [
	'active',
	'cancelled',
	'expired',
	'on-hold',
	'pending',
	'pending-cancel',
	'switched',
	'trash',
];

/** A line of a subscription. Imports leave lines out, or their names. */
export interface WooItem {
	productId: number;
	name: string;
}

/** A subscriber. */
export interface WooMember extends SystemMember {
	/** Whether they have an account. Without one, `customer_id` is 0. */
	hasAccount: boolean;
	items: WooItem[];
	/** When the last payment was. Null for imports, whose payments are not in the shop. */
	lastPaid?: number | null;
}

/**
 * A subscription as the API sends it. Own schema, from
 * https://github.com/woocommerce/woocommerce (class-wc-rest-orders-controller.php, versions 2 and 3)
 * and https://github.com/Automattic/woocommerce-subscriptions-core
 * (class-wc-rest-subscriptions-controller.php).
 */
export interface WooSubscription {
	id: number;
	parent_id: number;
	status: string;
	currency: string;
	version: string;
	prices_include_tax: boolean;
	date_created: string;
	date_modified: string;
	discount_total: string;
	discount_tax: string;
	shipping_total: string;
	shipping_tax: string;
	cart_tax: string;
	total: string;
	total_tax: string;
	customer_id: number;
	order_key: string;
	billing: Record<string, string>;
	shipping: Record<string, string>;
	payment_method: string;
	payment_method_title: string;
	customer_ip_address: string;
	customer_user_agent: string;
	created_via: string;
	customer_note: string;
	date_completed: string | null;
	date_paid: string | null;
	number: string;
	meta_data: Array<{ id: number; key: string; value: string }>;
	line_items: WooLine[];
	tax_lines: unknown[];
	shipping_lines: unknown[];
	fee_lines: unknown[];
	coupon_lines: unknown[];
	payment_url: string;
	is_editable: boolean;
	needs_payment: boolean;
	needs_processing: boolean;
	date_created_gmt: string;
	date_modified_gmt: string;
	date_completed_gmt: string | null;
	date_paid_gmt: string | null;
	billing_period: string;
	billing_interval: string;
	start_date_gmt: string;
	trial_end_date_gmt: string;
	next_payment_date_gmt: string;
	last_payment_date_gmt: string;
	cancelled_date_gmt: string;
	end_date_gmt: string;
	payment_retry_date_gmt: string;
	resubscribed_from: string;
	resubscribed_subscription: string;
	removed_line_items: unknown[];
	_links: Record<string, Array<{ href: string }>>;
}

interface WooLine {
	id: number;
	name: string;
	product_id: number;
	variation_id: number;
	quantity: number;
	tax_class: string;
	subtotal: string;
	subtotal_tax: string;
	total: string;
	total_tax: string;
	taxes: unknown[];
	meta_data: unknown[];
	sku: string | null;
	price: number;
	image: { id: string; src: string };
	parent_name: string | null;
}

const MONTH = 2_592_000_000;

/**
 * The statuses that have a date of the next payment. A subscription on hold keeps it
 * (https://github.com/Automattic/woocommerce-subscriptions-core, class-wc-subscription.php).
 */
const KEEP_DATE = ['active', 'on-hold'];

/** The ID of a member's subscription. */
export function subscriptionId({ id }: Pick<WooMember, 'id'>): number {
	return 5000 + Number(id);
}

/** Dates have seconds and no time zone. */
function dateOf(time: number): string {
	return new Date(time).toISOString().slice(0, 19);
}

/** A subscription as the API sends it. `nonce` is in the link to it. */
export function subscriptionOf(member: WooMember, nonce = ''): WooSubscription {
	const { status, email, created, lastPaid } = member;
	const id = subscriptionId(member);
	const date = dateOf(created);
	const [first = '', ...last] = member.name.split(' ');
	const address = {
		...{ first_name: first, last_name: last.join(' '), company: '', address_1: 'Main Street 1' },
		...{ address_2: '', city: 'Town', state: '', postcode: '10000', country: 'DE' },
	};
	return {
		...money,
		id,
		parent_id: id - 1,
		status,
		date_created: date,
		date_modified: date,
		customer_id: member.hasAccount ? Number(member.id) : 0,
		order_key: `wc_order_${id}`,
		billing: { ...address, email: email ?? '', phone: '' },
		shipping: { ...address, phone: '' },
		date_completed: null,
		date_paid: date,
		number: String(id),
		meta_data: [],
		line_items: member.items.map(lineOf),
		payment_url: `https://shop.example.com/checkout/order-pay/${id}/?pay_for_order=true`,
		needs_payment: status === 'on-hold',
		date_created_gmt: date,
		date_modified_gmt: date,
		date_completed_gmt: null,
		date_paid_gmt: date,
		start_date_gmt: date,
		next_payment_date_gmt:
			KEEP_DATE.includes(status) && lastPaid !== null ? dateOf((lastPaid ?? created) + MONTH) : '',
		last_payment_date_gmt: lastPaid === null ? '' : dateOf(lastPaid ?? created),
		cancelled_date_gmt: status === 'pending-cancel' ? date : '',
		end_date_gmt: status === 'pending-cancel' ? dateOf(created + MONTH) : '',
		_links: {
			self: [{ href: `https://shop.example.com/wp-json/wc/v3/subscriptions/${id}${nonce}` }],
		},
	};
}

/** What is the same in all subscriptions. */
const money = {
	currency: 'EUR',
	version: '10.9.0',
	prices_include_tax: true,
	discount_total: '0.00',
	discount_tax: '0.00',
	shipping_total: '0.00',
	shipping_tax: '0.00',
	cart_tax: '0.00',
	total: '5.00',
	total_tax: '0.00',
	payment_method: 'stripe',
	payment_method_title: 'Credit card',
	customer_ip_address: '',
	customer_user_agent: '',
	created_via: 'checkout',
	customer_note: '',
	tax_lines: [],
	shipping_lines: [],
	fee_lines: [],
	coupon_lines: [],
	is_editable: true,
	needs_processing: false,
	billing_period: 'month',
	billing_interval: '1',
	trial_end_date_gmt: '',
	payment_retry_date_gmt: '',
	resubscribed_from: '',
	resubscribed_subscription: '',
	removed_line_items: [],
};

function lineOf({ productId, name }: WooItem, index: number): WooLine {
	return {
		id: index + 1,
		name,
		product_id: productId,
		variation_id: 0,
		quantity: 1,
		tax_class: '',
		subtotal: '5.00',
		subtotal_tax: '0.00',
		total: '5.00',
		total_tax: '0.00',
		taxes: [],
		meta_data: [],
		sku: '',
		price: 5,
		image: { id: '', src: '' },
		parent_name: null,
	};
}
