import type { Boundaries } from '../boundaries';

const record = (id: string) => ({
	node: {
		...{ id, email: `${id}@example.com`, fullName: 'Ana Bell Smith', unrestrictedAccess: false },
		subscriptions: [{ active: true, pastDue: false, plan: { id: '1', name: 'Monthly' } }],
	},
});
const plan = ['node', 'node.subscriptions', 'node.subscriptions.0', 'node.subscriptions.0.plan'];

/** What the expressions and calls of `memberful.json` do, whatever Memberful sends. */
export const memberfulBoundaries = {
	pages: [
		{
			nodes: ['Read All Members'],
			next: 'query',
			reads: [
				...['body', 'body.data', 'body.data.members', 'body.data.members.pageInfo'],
				...['body.data.members.pageInfo.endCursor', 'body.data.members.edges'],
			],
			response: {
				body: {
					data: {
						members: {
							...{ totalCount: 40, edges: [record('a')] },
							pageInfo: { hasNextPage: true, endCursor: 'c1' },
						},
					},
				},
			},
		},
	],
	fields: {
		list: 'edges',
		record,
		counts: {
			access: { inactive: 'keep', unrestricted: 'keep', none: 'keep' },
			price: { 1: 'keep', Monthly: 'keep', other: '' },
		},
		of: {
			email: [['node', 'node.email'], 'b@example.com'],
			customerId: [['node', 'node.id'], 'memberful-b'],
			recordId: [['node', 'node.id'], 'b'],
			firstName: [['node', 'node.fullName'], 'Ana'],
			lastName: [['node', 'node.fullName'], 'Bell Smith'],
			unrestricted: [['node', 'node.unrestrictedAccess'], false],
			byPrice: [plan, 'keep'],
			left: [plan, ''],
			state: [plan, 'active'],
			pastDue: [plan, ''],
			plans: [plan, ' Monthly'],
			prices: [plan, ['Monthly']],
		},
		status: 'active Monthly',
	},
	expressions: {
		'The List: expected.memberful': {
			reads: { 'Read All Members': ['data.members.totalCount'] },
			gives: 'anything',
			with: { 'Read All Members': { data: { members: { totalCount: 40 } } } },
		},
		'The List: expected.errors': { reads: { 'Fields in Use': ['errors'] }, gives: 'count' },
		'The List: choices': {
			reads: { 'Fields in Use': ['prices.0.0'] },
			gives: 'text',
			with: { 'Fields in Use': { prices: [['Monthly']] } },
		},
		'The List: hint': {
			reads: { 'Fields in Use': ['errors', 'errors.0', 'errors.0.message'] },
			gives: 'text',
			with: { 'Fields in Use': { errors: [{ message: 'Timeout' }] } },
		},
	},
	calls: { 'Read All Members': 'the execution fails' },
} satisfies Boundaries;
