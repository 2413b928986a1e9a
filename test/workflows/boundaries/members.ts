import { asIs, between, text } from './checks';
import {
	BOTH_FIELDS,
	GHOST_FIELDS,
	MEMBERFUL_FIELDS,
	PATREON_FIELDS,
	STRIPE_FIELDS,
	WOO_FIELDS,
	campaign,
	campaignUrl,
	count,
	edge,
	fieldsOf,
	ghostPages,
	membersOf,
	ofCampaign,
	ofNew,
	ofProducts,
	order,
	pages,
	patreonPages,
	patron,
	person,
	products,
	readsOf,
	slim,
	stripePages,
	subscription,
	systemTotal,
	type Rows,
	wooPages,
} from './memberFields';
import { of, own, row } from './rows';
import { NEW_MEMBERS, TAIL } from './tail';

/** The expressions of the workflows that read the members of a system. */
export const MEMBERS: Record<string, Rows> = {
	'stripe.json': {
		...TAIL,
		...NEW_MEMBERS,
		...stripePages('Read the Products'),
		...stripePages('Read All Subscriptions'),
		...stripePages('Read New Subscriptions'),
		'Read New Subscriptions: queryParameters.parameters.created[gte].value': row(
			'n8n',
			[],
			between(1.7e9, 1e11),
		),
		...fieldsOf('data', [subscription('a'), subscription('b')], STRIPE_FIELDS),
		...membersOf(STRIPE_FIELDS, 'active prod_A'),
		'The List: expected.stripe': row('another node', [], count, {
			...{ 'Read All Subscriptions': [{}], ...slim({}) },
		}),
		'The List: expected.unread': row('a service', readsOf('Read All Subscriptions'), count, {
			'Read All Subscriptions': [{ data: [subscription('a')], has_more: false }],
		}),
		'The List: choices': row('a service', ofProducts, text, products),
		'The List: hint': row('another node', [], text, {
			...{ 'Read All Subscriptions': [{}], ...slim({}) },
		}),
	},
	'patreon.json': {
		...TAIL,
		...patreonPages('Read All Members'),
		'Read All Members: url': row('a service', own('data', 'data.0', 'data.0.id'), campaignUrl, {
			$json: [{ data: [{ id: '77' }] }],
		}),
		'Who Counts: free': row('a service', ofCampaign, asIs, campaign),
		...fieldsOf('data', [patron('a'), patron('b')], PATREON_FIELDS),
		...membersOf(PATREON_FIELDS, 'active_patron 501'),
		'The List: expected.patreon': systemTotal('Read All Members', 'meta.pagination.total', {
			meta: { pagination: { total: 40 } },
		}),
		'The List: choices': row('a service', ofCampaign, text, campaign),
		'The List: hint': row('another node', [], text, {
			...{ 'Read All Members': [{}], ...slim({}) },
		}),
	},
	'stripe-and-patreon.json': {
		...TAIL,
		...NEW_MEMBERS,
		...stripePages('Read the Products'),
		...stripePages('Read Stripe'),
		...stripePages('Read New Subscriptions'),
		...patreonPages('Read Patreon'),
		'Read New Subscriptions: queryParameters.parameters.created[gte].value': row(
			'n8n',
			[],
			between(1.7e9, 1e11),
		),
		'Read Patreon: url': row('a service', own('data', 'data.0', 'data.0.id'), campaignUrl, {
			$json: [{ data: [{ id: '77' }] }],
		}),
		'Who Counts: free': row('a service', ofCampaign, asIs, campaign),
		...fieldsOf('data', [patron('a'), patron('b')], BOTH_FIELDS),
		...membersOf(BOTH_FIELDS, 'active_patron 501'),
		'The List: expected.stripe': row('another node', of('Fields in Use', 'customerId'), count, {
			...{ 'Read Stripe': [{}], ...slim({}) },
		}),
		'The List: expected.unread': row('a service', readsOf('Read Stripe'), count, {
			'Read Stripe': [{ data: [subscription('a')], has_more: false }],
		}),
		'The List: expected.patreon': systemTotal('Read Patreon', 'meta.pagination.total', {
			meta: { pagination: { total: 40 } },
		}),
		'The List: choices': row('a service', [...ofProducts, ...ofCampaign], text, {
			...products,
			...campaign,
		}),
		'The List: hint': row('another node', of('Fields in Use', 'customerId'), text, slim({})),
	},
	'ghost.json': {
		...TAIL,
		...NEW_MEMBERS,
		...ghostPages('Read All Members'),
		...ghostPages('Read New Members'),
		...ofNew('Read New Members', 'Read All Members', 'filter'),
		...fieldsOf('members', [person('a'), person('b')], GHOST_FIELDS),
		...membersOf(GHOST_FIELDS, 'paid Gold'),
		'The List: expected.ghost': systemTotal('Read All Members', 'meta.pagination.total', {
			meta: { pagination: { total: 40 } },
		}),
		'The List: choices': row(
			'a service',
			of('Fields in Use', 'tiers.0.0'),
			text,
			slim({ tiers: [['Gold']] }),
		),
		'The List: hint': row('another node', [], text, {
			...{ 'Read All Members': [{}], ...slim({}) },
		}),
	},
	'woocommerce.json': {
		...TAIL,
		...NEW_MEMBERS,
		...wooPages('Read All Subscriptions'),
		...wooPages('Read New Subscriptions'),
		...ofNew('Read New Subscriptions', 'Read All Subscriptions', 'after'),
		...fieldsOf('body', [order('a'), order('b')], WOO_FIELDS),
		...membersOf(WOO_FIELDS, 'active Bonus'),
		'The List: expected.woocommerce': systemTotal('Read All Subscriptions', 'headers.x-wp-total', {
			headers: { 'x-wp-total': '40' },
		}),
		'The List: choices': row(
			'a service',
			of('Fields in Use', 'names.0.0'),
			text,
			slim({ names: [['Bonus (77)']] }),
		),
		'The List: hint': row('another node', [], text, {
			...{ 'Read All Subscriptions': [{}], ...slim({}) },
		}),
	},
	'memberful.json': {
		...TAIL,
		...pages(
			'Read All Members',
			'query',
			[
				...['body', 'body.data', 'body.data.members', 'body.data.members.pageInfo'],
				...['body.data.members.pageInfo.endCursor', 'body.data.members.edges'],
			],
			{
				body: {
					data: {
						members: {
							...{ totalCount: 40, edges: [edge('a')] },
							pageInfo: { hasNextPage: true, endCursor: 'c1' },
						},
					},
				},
			},
		),
		...fieldsOf('edges', [edge('a'), edge('b')], MEMBERFUL_FIELDS),
		...membersOf(MEMBERFUL_FIELDS, 'active Monthly', {
			access: { inactive: 'keep', unrestricted: 'keep', none: 'keep' },
		}),
		'The List: expected.memberful': systemTotal('Read All Members', 'data.members.totalCount', {
			data: { members: { totalCount: 40 } },
		}),
		'The List: expected.errors': row('a service', of('Fields in Use', 'errors'), count, slim({})),
		'The List: choices': row(
			'a service',
			of('Fields in Use', 'prices.0.0'),
			text,
			slim({ prices: [['Monthly']] }),
		),
		'The List: hint': row(
			'a service',
			of('Fields in Use', 'errors', 'errors.0', 'errors.0.message'),
			text,
			{ 'Read All Members': [{}], ...slim({ errors: [{ message: 'Timeout' }] }) },
		),
	},
};
