import type { Boundaries } from '../boundaries';

const record = (id: string) => ({
	...{ id, status: 'paid', email: `${id}@example.com`, name: 'Ana Bell Smith' },
	tiers: [{ id: 't1', name: 'Gold' }],
});

/** What the expressions and calls of `ghost.json` do, whatever Ghost sends. */
export const ghostBoundaries = {
	pages: [
		{
			nodes: ['Read All Members', 'Read New Members'],
			next: 'page',
			reads: ['body', 'body.members', 'body.meta', 'body.meta.pagination.pages'],
			response: {
				body: { members: [record('a')], meta: { pagination: { pages: 3, total: 40 } } },
			},
		},
	],
	fields: {
		list: 'members',
		record,
		counts: {
			access: { paid: 'keep' },
			tier: { t1: 'keep', Gold: 'keep', other: '', none: '' },
		},
		of: {
			email: [['email'], 'b@example.com'],
			customerId: [['id'], 'ghost-b'],
			recordId: [['id'], 'b'],
			firstName: [['name'], 'Ana'],
			lastName: [['name'], 'Bell Smith'],
			state: [['status'], 'paid'],
			counts: [['status'], 'keep'],
			byTier: [['tiers', 'tiers.0', 'tiers.0.id', 'tiers.0.name'], 'keep'],
			tiers: [['tiers', 'tiers.0', 'tiers.0.name'], ['Gold']],
		},
		status: 'paid Gold',
	},
	expressions: {
		'Read New Members: url': { gives: 'text' },
		'Read New Members: queryParameters.parameters.filter.value': { gives: 'text' },
		'The List: expected.ghost': {
			reads: { 'Read All Members': ['meta.pagination.total'] },
			gives: 'anything',
			with: { 'Read All Members': { meta: { pagination: { total: 40 } } } },
		},
		'The List: choices': {
			reads: { 'Fields in Use': ['tiers.0.0'] },
			gives: 'text',
			with: { 'Fields in Use': { tiers: [['Gold']] } },
		},
		'The List: hint': { gives: 'text' },
	},
	calls: {
		'Read All Members': 'the execution fails',
		'Read New Members': 'the execution fails',
	},
} satisfies Boundaries;
