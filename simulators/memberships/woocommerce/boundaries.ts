import type { Boundaries } from '../boundaries';

const record = (id: string) => ({
	...{ id, status: 'active', customer_id: id, last_payment_date_gmt: '2026-01-01T00:00:00' },
	billing: { email: `${id}@example.com`, first_name: 'Ana', last_name: 'Bell' },
	...{ billing_period: 'month', billing_interval: '1' },
	line_items: [{ product_id: 77, name: 'Bonus' }],
});
const item = ['line_items', 'line_items.0', 'line_items.0.name', 'line_items.0.product_id'];

/** What the expressions and calls of `woocommerce.json` do, whatever the shop sends. */
export const wooCommerceBoundaries = {
	pages: [
		{
			nodes: ['Read All Subscriptions', 'Read New Subscriptions'],
			next: 'page',
			reads: ['body', 'headers', 'headers.x-wp-totalpages'],
			response: { body: [record('a')], headers: { 'x-wp-totalpages': '3' } },
		},
	],
	fields: {
		list: 'body',
		record,
		counts: {
			access: { active: 'keep' },
			product: { 77: 'keep', Bonus: 'keep', other: '', none: '' },
			graceDays: 14,
		},
		of: {
			email: [['billing', 'billing.email'], 'b@example.com'],
			customerId: [['customer_id'], 'woo-b'],
			recordId: [['id'], 'b'],
			firstName: [['billing', 'billing.first_name'], 'Ana'],
			lastName: [['billing', 'billing.last_name'], 'Bell'],
			state: [['status'], 'active'],
			counts: [['status'], 'keep'],
			byProduct: [item, 'keep'],
			products: [item, ['Bonus']],
			names: [item, ['Bonus (77)']],
			lastPeriod: [
				['last_payment_date_gmt', 'billing_period', 'billing_interval'],
				'2026-01-01T00:00:00/P1M',
			],
		},
		status: 'active Bonus',
	},
	expressions: {
		'Read New Subscriptions: url': { gives: 'text' },
		'Read New Subscriptions: queryParameters.parameters.after.value': { gives: 'text' },
		'The List: expected.woocommerce': {
			reads: { 'Read All Subscriptions': ['headers.x-wp-total'] },
			gives: 'anything',
			with: { 'Read All Subscriptions': { headers: { 'x-wp-total': '40' } } },
		},
		'The List: choices': {
			reads: { 'Fields in Use': ['names.0.0'] },
			gives: 'text',
			with: { 'Fields in Use': { names: [['Bonus (77)']] } },
		},
		'The List: hint': { gives: 'text' },
	},
	calls: {
		'Read All Subscriptions': 'the execution fails',
		'Read New Subscriptions': 'the execution fails',
	},
} satisfies Boundaries;
