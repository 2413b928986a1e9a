import type { Boundaries } from '../boundaries';

const record = (id: string) => ({
	...{ id: `sub_${id}`, status: 'active' },
	customer: { id: `cus_${id}`, email: `${id}@example.com`, name: 'Ana Bell Smith' },
	items: { data: [{ price: { product: 'prod_A' } }] },
});
const price = ['items', 'items.data', 'items.data.0', 'items.data.0.price'];

/** What the expressions and calls of `stripe.json` do, whatever Stripe sends. */
export const stripeBoundaries = {
	pages: [
		{
			nodes: ['Read the Products', 'Read All Subscriptions', 'Read New Subscriptions'],
			next: 'starting_after',
			reads: ['body', 'body.data', 'body.data.0', 'body.data.0.id', 'body.has_more'],
			response: { body: { data: [record('a')], has_more: true } },
		},
	],
	fields: {
		list: 'data',
		record,
		counts: { access: { active: 'keep' }, product: { prod_A: 'keep', other: '', none: '' } },
		of: {
			email: [['customer', 'customer.email'], 'b@example.com'],
			customerId: [['customer', 'customer.id'], 'cus_b'],
			recordId: [['id'], 'sub_b'],
			firstName: [['customer', 'customer.name'], 'Ana'],
			lastName: [['customer', 'customer.name'], 'Bell Smith'],
			state: [['status'], 'active'],
			counts: [['status'], 'keep'],
			byProduct: [price, 'keep'],
			products: [price, ' prod_A'],
		},
		status: 'active prod_A',
	},
	expressions: {
		'Read New Subscriptions: queryParameters.parameters.created[gte].value': { gives: 'seconds' },
		'The List: expected.stripe': { gives: 'count' },
		'The List: expected.unread': {
			reads: { 'Read All Subscriptions': ['data', 'data.0', 'has_more'] },
			gives: 'count',
			with: { 'Read All Subscriptions': { data: [record('a')], has_more: false } },
		},
		'The List: choices': {
			reads: { 'Read the Products': ['data', 'data.0', 'data.0.name', 'data.0.id'] },
			gives: 'text',
			with: { 'Read the Products': { data: [{ id: 'prod_A', name: 'Podcast' }] } },
		},
		'The List: hint': { gives: 'text' },
	},
	calls: {
		'Read the Products': 'the failure is data',
		'Read All Subscriptions': 'the execution fails',
		'Read New Subscriptions': 'the execution fails',
	},
} satisfies Boundaries;
