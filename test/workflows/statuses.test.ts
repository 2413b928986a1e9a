import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { counting, countsOf, whoIs } from './records';
import { tableOf } from './tables';

/** Statuses that nobody has documented. */
const INVENTED = [
	...['active-trial', 'Active', 'ACTIVE', ' active', 'open', 'close', 'keep'],
	...['#N/A', '__proto', 'toString', '0', 'undefined', ''],
];

/** The accesses that change something. Everything else is told, and treated like `keep`. */
const CHANGES = ['open', 'close'];

interface System {
	title: string;
	file: string;
	/** A page with one record of this status. */
	page: (status: string | null) => IDataObject;
	/** What the nodes before have returned. */
	ran?: Record<string, IDataObject[]>;
	/** Values in **Who Counts** that count only some products. */
	some: { word: string; one: string };
	/** The page with a record whose product or tier has another name and ID. */
	moved: () => IDataObject;
}

const PAID = { id: '501', type: 'tier', attributes: { title: 'Listener', amount_cents: 500 } };
const FREE = { id: '1', type: 'tier', attributes: { title: 'Free', amount_cents: 0 } };

const subscription = (status: string | null, product = 'prod_A') => ({
	id: 'sub_1',
	status,
	customer: { id: 'cus_1', email: 'ana@example.com', name: 'Ana Bell' },
	items: { data: [{ price: { product } }] },
});

function patron(status: string | null, more: object = {}, tiers = ['501']): IDataObject {
	const entitled = status === 'active_patron' ? tiers : [];
	return {
		id: 'm-1',
		attributes: {
			email: 'ana@example.com',
			full_name: 'Ana Bell',
			patron_status: status,
			currently_entitled_amount_cents: 0,
			last_charge_date: DateTime.now().minus({ days: 3 }).toISO(),
			...more,
		},
		relationships: {
			user: { data: { id: '9' } },
			currently_entitled_tiers: { data: entitled.map((id) => ({ id, type: 'tier' })) },
		},
	};
}

const ghostMember = (status: string | null, tier = { id: 't1', name: 'Gold' }) => ({
	...{ id: '65a1', status, email: 'ana@example.com', name: 'Ana Bell' },
	tiers: status === 'free' ? [] : [tier],
});

const daysAgo = (days: number) => DateTime.utc().minus({ days }).toFormat("yyyy-MM-dd'T'HH:mm:ss");

const order = (status: string | null, more: object = {}) => ({
	...{ id: 811, status, customer_id: 42, billing: { email: 'ana@example.com' } },
	...{ line_items: [{ product_id: 77, name: 'Bonus' }], date_modified_gmt: daysAgo(1) },
	...{ billing_period: 'month', billing_interval: '1', last_payment_date_gmt: daysAgo(31) },
	...more,
});

const ran = (reader: string, more: Record<string, IDataObject[]> = {}) => ({
	...{ [reader]: [{}], 'Each Subscription': [], 'Each Member': [], ...more },
});

const systems: System[] = [
	{
		title: 'Stripe',
		file: 'stripe.json',
		page: (status) => ({ data: [subscription(status)] }),
		ran: ran('Read All Subscriptions'),
		some: { word: 'product', one: 'prod_A' },
		moved: () => ({ data: [subscription('active', 'prod_B')] }),
	},
	{
		title: 'Patreon',
		file: 'patreon.json',
		page: (status) => ({ data: [patron(status === 'null' ? null : status)] }),
		ran: ran('Read All Members', { 'Read My Campaign': [{ included: [PAID, FREE] }] }),
		some: { word: 'tier', one: '501' },
		moved: () => ({ data: [patron('active_patron', {}, ['502'])] }),
	},
	{
		title: 'Ghost',
		file: 'ghost.json',
		page: (status) => ({ members: [ghostMember(status)] }),
		ran: ran('Read All Members'),
		some: { word: 'tier', one: 'Gold' },
		moved: () => ({ members: [ghostMember('paid', { id: 't1', name: 'Golden' })] }),
	},
	{
		title: 'WooCommerce Subscriptions',
		file: 'woocommerce.json',
		page: (status) => ({ body: [order(status)] }),
		ran: ran('Read All Subscriptions'),
		some: { word: 'product', one: 'Bonus' },
		moved: () => ({ body: [order('active', { line_items: [{ product_id: 77, name: 'Extra' }] })] }),
	},
];

describe.each(systems)('$title', ({ title, file, page, ran, some, moved }) => {
	const accessOf = (status: string | null) => whoIs(file, [page(status)], { ran })[0]?.access;
	const documented = tableOf(title);

	it('has each status that it documents in Who Counts, and no other', () => {
		const rows = documented.map(([status, access]) => [status, access]);
		expect(rows.length).toBeGreaterThan(3);
		expect(countsOf(file)).toEqual(Object.fromEntries(rows));
	});

	it.each(documented)('%s: %s', (status = '', access) => {
		expect(accessOf(status)).toBe(access === 'grace' ? 'keep' : access);
		expect(whoIs(file, [page(status)], { ran })[0]?.status).toBe(status);
	});

	it.each(INVENTED)('nobody is opened or closed for the status %j', (status) => {
		expect(CHANGES).not.toContain(accessOf(status));
		expect(whoIs(file, [page(status)], { ran })[0]).toMatchObject({
			email: 'ana@example.com',
			status: status === '' ? expect.anything() : status,
		});
	});

	it('gives each record the access that a person has chosen for its status', () => {
		const [first = ''] = documented.find(([, access]) => access === 'open') ?? [];
		const edit = counting({ [`access.${first}`]: 'keep' });
		expect(whoIs(file, [page(first)], { ran, edit })[0]?.access).toBe('keep');
	});

	it('neither opens nor closes someone whose product has another name, or who has moved to another', () => {
		const { word, one } = some;
		const edit = counting({ [`${word}.other`]: '', [`${word}.${one}`]: 'open' });
		const active = documented.find(([, access]) => access === 'open')?.[0] ?? '';
		expect(whoIs(file, [page(active)], { ran, edit })[0]?.access).toBe('open');
		const [record] = whoIs(file, [moved()], { ran, edit });
		expect(CHANGES).not.toContain(record?.access);
		// The status says which, so that a person can decide.
		expect(record?.status).not.toBe(active);
	});

	it('makes nothing of an empty list, and of a page that is none', () => {
		for (const wrong of [{}, { data: '<html>' }, { data: null }, { members: null }]) {
			const [record] = whoIs(file, [wrong], { ran });
			expect([record?.email, record?.customerId]).toEqual([undefined, undefined]);
			expect(CHANGES).not.toContain(record?.access);
		}
	});
});

describe('a subscription of Stripe with several products', () => {
	const several = (...products: string[]) => ({
		...subscription('active'),
		items: { data: products.map((product) => ({ price: { product } })) },
	});
	const edit = counting({
		...{ 'product.prod_A': 'open', 'product.prod_Mug': 'close', 'product.other': 'keep' },
	});
	it.each([
		[['prod_A', 'prod_Mug'], 'open'],
		[['prod_Mug', 'prod_A'], 'open'],
		[['prod_Mug'], 'close'],
		[['prod_Mug', 'prod_New'], 'keep'],
		[['prod_New', 'prod_A'], 'open'],
	])('%j: %s', (products, access) => {
		const page = { data: [several(...products)] };
		expect(
			whoIs('stripe.json', [page], { ran: ran('Read All Subscriptions'), edit })[0]?.access,
		).toBe(access);
	});

	it('is unclear if no rule is left for a product', () => {
		const page = { data: [several('prod_Mug', 'prod_New')] };
		const unruled = counting({ 'product.prod_Mug': 'close', 'product.other': '' });
		const [record] = whoIs('stripe.json', [page], {
			...{ ran: ran('Read All Subscriptions'), edit: unruled },
		});
		expect(CHANGES).not.toContain(record?.access);
	});
});

describe('on hold at WooCommerce', () => {
	const accessOf = (more: object) =>
		whoIs('woocommerce.json', [{ body: [order('on-hold', more)] }], {
			ran: ran('Read All Subscriptions'),
		})[0]?.access;

	it.each([
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
	])('%s', (_, more, access) => {
		expect(accessOf(more)).toBe(access);
	});

	it('is unclear with a period that nobody knows', () => {
		for (const more of [{ billing_period: 'moon' }, { billing_period: undefined }])
			expect(CHANGES).not.toContain(accessOf(more));
	});
});

describe('a patron who is not active', () => {
	const accessOf = (status: string | null, more: object, tiers: string[] = []) => {
		const record = patron(status, more) as {
			relationships: { currently_entitled_tiers: { data: unknown } };
		};
		record.relationships.currently_entitled_tiers.data = tiers.map((id) => ({ id, type: 'tier' }));
		return whoIs('patreon.json', [{ data: [record] }], {
			ran: ran('Read All Members', { 'Read My Campaign': [{ included: [PAID, FREE] }] }),
		})[0];
	};
	const ago = (days: number) => DateTime.now().minus({ days }).toISO();

	it('keeps the email of a declined patron, so that another ID is the same person', () => {
		expect(accessOf('declined_patron', {})).toMatchObject({
			...{ access: 'keep', email: 'ana@example.com', customerId: 'patreon-9' },
		});
	});

	it.each([
		['declined_patron', { last_charge_date: ago(13) }, [], 'keep'],
		['declined_patron', { last_charge_date: ago(15) }, [], 'close'],
		['declined_patron', { last_charge_date: null }, [], 'keep'],
		['former_patron', {}, [], 'close'],
		[null, {}, [], 'close'],
		[null, {}, ['1'], 'close'],
	])('%s %j, tiers %j: %s', (status, more, tiers, access) => {
		expect(accessOf(status, more, tiers)?.access).toBe(access);
	});

	it.each([
		['former_patron', {}, ['501']],
		[null, {}, ['501']],
		['former_patron', { currently_entitled_amount_cents: 500 }, []],
		[null, { currently_entitled_amount_cents: 500 }, ['1']],
		['former_patron', {}, ['a deleted tier']],
		['declined_patron', { last_charge_date: ago(40) }, ['501']],
	])(
		'%s %j with tiers %j is neither opened nor closed, and the status says why',
		(status, more, tiers) => {
			const record = accessOf(status, more, tiers);
			expect(CHANGES).not.toContain(record?.access);
			expect(record?.status).toMatch(/, (?:entitled|paid tier)/);
		},
	);

	it('keeps counting an active patron without a tier, and says so', () => {
		expect(accessOf('active_patron', {})).toMatchObject({
			...{ access: 'open', status: 'active_patron, no tier' },
		});
	});
});

describe('Memberful', () => {
	const monthly = { id: '1', name: 'Monthly' };
	const one = (active: boolean | null, more: object = {}) => ({ active, plan: monthly, ...more });
	const recordOf = (node: object, edit?: ReturnType<typeof counting>) => {
		const member = { id: '31', email: 'ana@example.com', fullName: 'Ana Bell', ...node };
		const page = { data: { members: { totalCount: 1, edges: [{ node: member }] } } };
		return whoIs('memberful.json', [page], { ran: ran('Read All Members'), edit })[0];
	};

	it('has the accesses of the table in Who Counts', () => {
		const table = Object.fromEntries(
			tableOf('Memberful').map(([status, access]) => [status, access]),
		);
		const { active, ...others } = table;
		expect(countsOf('memberful.json')).toEqual(others);
		expect(countsOf('memberful.json', 'price').other).toBe(active);
	});

	it.each([
		['an active subscription', { subscriptions: [one(true)] }, 'open'],
		['one that is past due', { subscriptions: [one(true, { pastDue: true })] }, 'open'],
		['one that has ended', { subscriptions: [one(false)] }, 'close'],
		['one of each', { subscriptions: [one(false), one(true)] }, 'open'],
		['unrestricted access', { unrestrictedAccess: true, subscriptions: [one(false)] }, 'open'],
		['no subscription', { subscriptions: [] }, 'keep'],
	])('%s: %s', (_, node, access) => {
		expect(recordOf({ unrestrictedAccess: false, ...node })?.access).toBe(access);
	});

	it.each([
		['subscriptions are null', { subscriptions: null }],
		['subscriptions are missing', {}],
		['active is null', { subscriptions: [one(null)] }],
		['unrestricted access is null', { unrestrictedAccess: null, subscriptions: [one(false)] }],
	])('nobody is opened or closed if %s', (_, node) => {
		expect(CHANGES).not.toContain(recordOf({ unrestrictedAccess: false, ...node })?.access);
	});

	it('neither opens nor closes someone who has moved to another price', () => {
		const edit = counting({ 'price.other': 'keep', 'price.Monthly': 'open' });
		const at = (plan: object) =>
			recordOf({ unrestrictedAccess: false, subscriptions: [one(true, { plan })] }, edit);
		expect(at(monthly)?.access).toBe('open');
		expect(at({ id: '2', name: 'Yearly' })).toMatchObject({
			access: 'keep',
			status: 'active Yearly',
		});
	});
});
