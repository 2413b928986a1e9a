import type { IDataObject } from 'n8n-workflow';

import { asIs, between, flag, text, type Check } from './checks';
import type { Items } from './evaluate';
import { of, own, row, type Boundary } from './rows';
import { NEW_MEMBERS, TAIL } from './tail';

type Rows = Record<string, Boundary>;

/**
 * A value of each record on a page. One record, however damaged, leaves the other as it is, and opens
 * and closes no feed.
 */
const beside =
	(other: unknown): Check =>
	(value) => {
		if (!Array.isArray(value) || value.length !== 2) return 'does not have both records';
		const [first, second] = value as unknown[];
		if (first === 'open' || first === 'close') return 'opens or closes a feed';
		const isSame = JSON.stringify(second) === JSON.stringify(other);
		return isSame ? undefined : 'has changed the other record';
	};

const deepOwn = (path: string, names: string[]): string[] => [
	`$json.${path}`,
	...names.map((name) => `$json.${path}.${name}`),
];

/** What a person could have written: only one status, product or tier is named, and changes nothing. */
const CHOICES = {
	access: { active: 'keep', active_patron: 'keep', paid: 'keep' },
	product: { prod_A: 'keep', 77: 'keep', Bonus: 'keep', other: '', none: '' },
	tier: { 501: 'keep', t1: 'keep', Gold: 'keep', other: '', none: '' },
	price: { 1: 'keep', Monthly: 'keep', other: '' },
	...{ free: ['501'], graceDays: 14 },
};

type FieldRows = Record<string, [reads: string[], other: unknown]>;

/** The rows of **Fields in Use**: what each reads of the first record, and what the second one has. */
function fieldsOf(list: string, page: [IDataObject, IDataObject], fields: FieldRows): Rows {
	const base: Items = { $json: [{ ...CHOICES, [list]: page }] };
	return Object.fromEntries(
		Object.entries(fields).map(([name, [reads, other]]) => [
			`Fields in Use: ${name}`,
			row('a service', deepOwn(`${list}.0`, reads), beside(other), base),
		]),
	);
}

/** The rows of **Who Is a Member**, which gets what **Fields in Use** makes of two records. */
function membersOf(fields: FieldRows, status: string, more: IDataObject = {}): Rows {
	const lists = Object.fromEntries(
		Object.entries(fields).map(([name, [, other]]) => [name, [other, other]]),
	) as IDataObject;
	const reads = Object.keys(fields).map((name) => `$json.${name}.0`);
	const base: Items = { $json: [{ ...CHOICES, ...lists, ...more }] };
	return {
		'Who Is a Member: access': row('another node', reads, beside('keep'), base),
		'Who Is a Member: status': row('another node', reads, beside(status), base),
	};
}

/** Whether n8n reads no further page, and where the next one begins. */
function pages(node: string, next: string, reads: string[], response: IDataObject): Rows {
	const path = 'options.pagination.pagination';
	const base: Items = { $response: [{ statusCode: 200, headers: {}, ...response }] };
	const paths = reads.map((name) => `$response.${name}`);
	// Whatever throws ends the list, too, and n8n gives nothing then.
	const ends: Check = (value) => (value === undefined || value === null ? undefined : flag(value));
	return {
		[`${node}: ${path}.parameters.parameters.${next}.value`]: row('a service', paths, asIs, base),
		[`${node}: ${path}.completeExpression`]: row('a service', paths, ends, base),
	};
}

const count: Check = (value) =>
	['', 'unknown', null].includes(value as string) || Number.isFinite(Number(value))
		? undefined
		: 'is no count';
/** Sync refuses a count that is none, so that such a list closes nobody. */
const total: Check = asIs;

const subscription = (id: string): IDataObject => ({
	...{ id: `sub_${id}`, status: 'active' },
	customer: { id: `cus_${id}`, email: `${id}@example.com`, name: 'Ana Bell Smith' },
	items: { data: [{ price: { product: 'prod_A' } }] },
});
const patron = (id: string): IDataObject => ({
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

const stripePage: IDataObject = { body: { data: [subscription('a')], has_more: true } };
const ofStripe = ['body', 'body.data', 'body.data.0', 'body.data.0.id', 'body.has_more'];
const stripePages = (node: string) => pages(node, 'starting_after', ofStripe, stripePage);

const cursors = { pagination: { cursors: { next: 'c1' }, total: 40 } };
const patreonPages = (node: string) =>
	pages(
		node,
		'page[cursor]',
		[
			...['body', 'body.data', 'body.meta', 'body.meta.pagination'],
			...['body.meta.pagination.total', 'body.meta.pagination.cursors.next'],
		],
		{ body: { data: [patron('a')], meta: cursors } },
	);

const STRIPE_FIELDS: FieldRows = {
	email: [['customer', 'customer.email'], 'b@example.com'],
	customerId: [['customer', 'customer.id'], 'cus_b'],
	recordId: [['id'], 'sub_b'],
	firstName: [['customer', 'customer.name'], 'Ana'],
	lastName: [['customer', 'customer.name'], 'Bell Smith'],
	state: [['status'], 'active'],
	counts: [['status'], 'keep'],
	byProduct: [['items', 'items.data', 'items.data.0', 'items.data.0.price'], 'keep'],
	products: [['items', 'items.data', 'items.data.0', 'items.data.0.price'], ' prod_A'],
};
const user = ['relationships', 'relationships.user', 'relationships.user.data.id'];
const tiers = ['relationships', 'relationships.currently_entitled_tiers.data.0'];
const PATREON_FIELDS: FieldRows = {
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
};
const BOTH_FIELDS: FieldRows = {
	...PATREON_FIELDS,
	byProduct: [['items'], ''],
	products: [['items'], ''],
};
const campaign = {
	'Read My Campaign': [
		{ included: [{ id: '501', attributes: { title: 'Gold', amount_cents: 0 } }] },
	],
};
const ofCampaign = of(
	'Read My Campaign',
	...['included', 'included.0', 'included.0.attributes', 'included.0.attributes.title'],
);
const campaignUrl: Check = (value) =>
	/^https:\/\/www\.patreon\.com\/|^Patreon shows no campaign/.test(String(value))
		? undefined
		: 'is another address';
const readsOf = (node: string) => of(node, 'data', 'data.0', 'has_more');
const products = {
	'Read the Products': [{ data: [{ id: 'prod_A', name: 'Podcast' }] }],
};
const ofProducts = of('Read the Products', 'data', 'data.0', 'data.0.name', 'data.0.id');

const systemTotal = (node: string, path: string, base: IDataObject): Boundary =>
	row('a service', of(node, path), total, { [node]: [base] });

const person = (id: string): IDataObject => ({
	...{ id, status: 'paid', email: `${id}@example.com`, name: 'Ana Bell Smith' },
	tiers: [{ id: 't1', name: 'Gold' }],
});
const order = (id: string): IDataObject => ({
	...{ id, status: 'active', customer_id: id, last_payment_date_gmt: '2026-01-01T00:00:00' },
	billing: { email: `${id}@example.com`, first_name: 'Ana', last_name: 'Bell' },
	...{ billing_period: 'month', billing_interval: '1' },
	line_items: [{ product_id: 77, name: 'Bonus' }],
});
const edge = (id: string): IDataObject => ({
	node: {
		...{ id, email: `${id}@example.com`, fullName: 'Ana Bell Smith', unrestrictedAccess: false },
		subscriptions: [{ active: true, pastDue: false, plan: { id: '1', name: 'Monthly' } }],
	},
});
const GHOST_FIELDS: FieldRows = {
	email: [['email'], 'b@example.com'],
	customerId: [['id'], 'ghost-b'],
	recordId: [['id'], 'b'],
	firstName: [['name'], 'Ana'],
	lastName: [['name'], 'Bell Smith'],
	state: [['status'], 'paid'],
	counts: [['status'], 'keep'],
	byTier: [['tiers', 'tiers.0', 'tiers.0.id', 'tiers.0.name'], 'keep'],
	tiers: [['tiers', 'tiers.0', 'tiers.0.name'], ['Gold']],
};
const item = ['line_items', 'line_items.0', 'line_items.0.name', 'line_items.0.product_id'];
const WOO_FIELDS: FieldRows = {
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
};
const sub = ['node', 'node.subscriptions', 'node.subscriptions.0', 'node.subscriptions.0.plan'];
const MEMBERFUL_FIELDS: FieldRows = {
	email: [['node', 'node.email'], 'b@example.com'],
	customerId: [['node', 'node.id'], 'memberful-b'],
	recordId: [['node', 'node.id'], 'b'],
	firstName: [['node', 'node.fullName'], 'Ana'],
	lastName: [['node', 'node.fullName'], 'Bell Smith'],
	unrestricted: [['node', 'node.unrestrictedAccess'], false],
	byPrice: [sub, 'keep'],
	left: [sub, ''],
	state: [sub, 'active'],
	pastDue: [sub, ''],
	plans: [sub, ' Monthly'],
	prices: [sub, ['Monthly']],
};
const ghostPages = (node: string) =>
	pages(node, 'page', ['body', 'body.members', 'body.meta', 'body.meta.pagination.pages'], {
		body: { members: [person('a')], meta: { pagination: { pages: 3, total: 40 } } },
	});
const wooPages = (node: string) =>
	pages(node, 'page', ['body', 'headers', 'headers.x-wp-totalpages'], {
		...{ body: [order('a')], headers: { 'x-wp-totalpages': '3' } },
	});
const ofNew = (node: string, reader: string, since: string): Rows => ({
	[`${node}: url`]: row('n8n', [], text, { [reader]: [{}] }),
	[`${node}: queryParameters.parameters.${since}.value`]: row('n8n', [], text),
});
const slim = (more: IDataObject): Items => ({
	'Fields in Use': [{ customerId: ['cus_1', 'cus_2'], recordId: ['1', '2'], ...more }],
});

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
