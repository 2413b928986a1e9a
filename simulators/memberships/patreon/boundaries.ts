import type { Boundaries } from '../boundaries';

const record = (id: string) => ({
	id: `m-${id}`,
	attributes: {
		...{ email: `${id}@example.com`, full_name: 'Ana Bell Smith', patron_status: 'active_patron' },
		...{ currently_entitled_amount_cents: 500, last_charge_date: new Date().toISOString() },
	},
	relationships: {
		user: { data: { id } },
		currently_entitled_tiers: { data: [{ id: '501', type: 'tier' }] },
	},
});
const user = ['relationships', 'relationships.user', 'relationships.user.data.id'];
const tiers = ['relationships', 'relationships.currently_entitled_tiers.data.0'];

const tier = { id: '501', attributes: { title: 'Gold', amount_cents: 0 } };
const ofCampaign = {
	reads: {
		'Read My Campaign': [
			...['included', 'included.0', 'included.0.attributes', 'included.0.attributes.title'],
		],
	},
	with: { 'Read My Campaign': { included: [tier] } },
};

/** What the expressions and calls of `patreon.json` do, whatever Patreon sends. */
export const patreonBoundaries = {
	pages: [
		{
			nodes: ['Read All Members'],
			next: 'page[cursor]',
			reads: [
				...['body', 'body.data', 'body.meta', 'body.meta.pagination'],
				...['body.meta.pagination.total', 'body.meta.pagination.cursors.next'],
			],
			response: {
				body: {
					data: [record('a')],
					meta: { pagination: { cursors: { next: 'c1' }, total: 40 } },
				},
			},
		},
	],
	fields: {
		list: 'data',
		record,
		counts: {
			access: { active_patron: 'keep' },
			tier: { 501: 'keep', other: '', none: '' },
			...{ free: ['501'], graceDays: 14 },
		},
		of: {
			email: [['attributes', 'attributes.email'], 'b@example.com'],
			customerId: [user, 'patreon-b'],
			recordId: [['id'], 'm-b'],
			firstName: [['attributes', 'attributes.full_name'], 'Ana'],
			lastName: [['attributes', 'attributes.full_name'], 'Bell Smith'],
			state: [['attributes', 'attributes.patron_status'], 'active_patron'],
			counts: [['attributes', 'attributes.patron_status'], 'keep'],
			byTier: [tiers, 'keep'],
			tiers: [tiers, ' 501'],
			hasTier: [tiers, true],
			entitled: [['attributes', 'attributes.currently_entitled_amount_cents'], ''],
			paid: [tiers, ''],
			late: [['attributes', 'attributes.last_charge_date'], 'keep'],
		},
		status: 'active_patron 501',
	},
	expressions: {
		'Read All Members: url': {
			reads: { $json: ['data', 'data.0', 'data.0.id'] },
			gives: /^https:\/\/www\.patreon\.com\/|^Patreon shows no campaign/,
			with: { $json: { data: [{ id: '77' }] } },
		},
		'Who Counts: free': { ...ofCampaign, gives: 'anything' },
		'The List: expected.patreon': {
			reads: { 'Read All Members': ['meta.pagination.total'] },
			gives: 'anything',
			with: { 'Read All Members': { meta: { pagination: { total: 40 } } } },
		},
		'The List: choices': { ...ofCampaign, gives: 'text' },
		'The List: hint': { gives: 'text' },
	},
	calls: {
		'Read My Campaign': 'the execution fails',
		'Read All Members': 'the execution fails',
	},
} satisfies Boundaries;
