import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { root } from '../../harness/system/paths';
import type { Edit, ImportedWorkflow } from '../../harness/workflows/run';
import { imported, openFeeds, set, subscriber, useMembers, withEmail } from './support';

const FILE = 'any-system.json';
const PAGE = readFileSync(join(root, 'docs', 'set-up-calls.md'), 'utf8');

/** Where the fields of the page are in **Set Access**. */
const FIELDS: Record<string, string> = {
	...{ Status: 'status', 'Open For': 'openFor', 'Keep For': 'keepFor', 'Close For': 'closeFor' },
	...{ Email: 'email', 'Customer ID': 'customerId' },
};
const OPTIONS: Record<string, string> = { Product: 'product', 'Access Until': 'accessUntil' };

/** What a person enters after reading the table of a system. */
function entered(system: string): Edit {
	const section = PAGE.split(`\n## ${system}\n`)[1]?.split('\n## ')[0] ?? '';
	const rows = section.split('\n').flatMap((line) => {
		const [, name, cell = ''] = /^\| \*\*([^*]+)\*\* +\| (.*?) *\|$/.exec(line) ?? [];
		if (name === undefined) return [];
		const text = cell.replaceAll('`', '').trim();
		return [[name, text.includes('{{') ? `=${text}` : text] as const];
	});
	expect(rows.length).toBeGreaterThan(3);
	const of = (names: Record<string, string>) =>
		Object.fromEntries(
			rows.flatMap(([name, text]) => (names[name] === undefined ? [] : [[names[name], text]])),
		);
	const none = { keepFor: '', closeFor: '' };
	return set('Set Access', { ...none, ...of(FIELDS) }, of(OPTIONS));
}

useMembers();

const workflow = (system: string, products = '', ...edits: Edit[]): ImportedWorkflow =>
	imported(FILE, entered(system), set('Set Access', {}, { products }), withEmail, ...edits);
const EMAIL = 'ana@example.com';

const gumroad = (name: string, more: object = {}) => ({
	...{ resource_name: name, product_name: 'Membership', subscription_id: 's1', sale_id: 'p1' },
	...(name === 'sale' ? { email: EMAIL } : { user_email: EMAIL }),
	...more,
});
const once = { subscription_id: undefined };
const lemon = (type: string, status: string, more: object = {}, id = '1') => ({
	meta: { event_name: 'subscription_updated' },
	data: {
		...{ type, id },
		attributes: {
			...{ status, user_email: EMAIL, customer_id: 9, ends_at: null, pause: null },
			...(type === 'orders'
				? { first_order_item: { product_name: 'Membership' } }
				: { product_name: 'Membership' }),
			...more,
		},
	},
});
const outseta = (AccountStage: number) => ({
	...{ AccountStage, Uid: 'u1' },
	PersonAccount: [
		{ IsPrimary: false, Person: { Email: 'colleague@example.com' } },
		{ IsPrimary: true, Person: { Email: EMAIL } },
	],
});
const kajabi = (offer_title: string) => ({
	payload: { offer_title, member_email: EMAIL, member_id: 7 },
});
const kofi = (type: string, tier_name: string | null = null) => ({
	data: JSON.stringify({ type, email: EMAIL, tier_name }),
});
const polar = (type: string, more: object = {}) => ({
	...{ type, timestamp: '2026-11-01T00:00:00Z' },
	data: {
		...{ id: '1', status: 'active', customer: { id: 'c1', email: EMAIL } },
		...{ product: { id: 'p1', name: 'Membership' }, ...more },
	},
});
const whop = (event: object) => ({
	...event,
	data: { id: 'mem_1', user: { email: EMAIL }, product: { id: 'prod_1', title: 'Membership' } },
});
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();

type Outcome = 'closes' | 'keeps' | 'opens' | 'tells';
const cases: Array<[system: string, call: IDataObject, Outcome]> = [
	['Gumroad', gumroad('sale'), 'opens'],
	['Gumroad', gumroad('sale', { resource_name: undefined }), 'opens'],
	['Gumroad', gumroad('subscription_restarted'), 'opens'],
	['Gumroad', gumroad('subscription_ended'), 'closes'],
	['Gumroad', gumroad('cancellation'), 'keeps'],
	['Gumroad', gumroad('refund'), 'keeps'],
	['Gumroad', gumroad('dispute'), 'keeps'],
	['Gumroad', gumroad('sale', { test: 'true' }), 'keeps'],
	['Gumroad', gumroad('sale', once), 'opens'],
	['Gumroad', gumroad('refund', once), 'closes'],
	['Gumroad', gumroad('sale', { product_name: 'E-book' }), 'tells'],
	['Gumroad', gumroad('membership.went_invalid'), 'tells'],
	['Kajabi', kajabi('Membership'), 'opens'],
	[
		'Kajabi',
		{
			event: 'purchase.created',
			payload: { offer: { id: 1, title: 'Membership' }, member: { id: 7, email: EMAIL } },
		},
		'opens',
	],
	['Kajabi', kajabi('Course'), 'tells'],
	['Kajabi', { payload: { member_email: EMAIL, member_id: 7 } }, 'tells'],
	['Ko-fi', kofi('Subscription', 'Membership'), 'opens'],
	['Ko-fi', kofi('Subscription', 'Bronze'), 'tells'],
	['Ko-fi', kofi('Subscription'), 'tells'],
	['Ko-fi', kofi('Donation'), 'keeps'],
	['Ko-fi', kofi('Shop Order'), 'keeps'],
	['Ko-fi', kofi('Raffle'), 'tells'],
	['Lemon Squeezy', lemon('subscriptions', 'active'), 'opens'],
	['Lemon Squeezy', lemon('subscriptions', 'on_trial'), 'opens'],
	['Lemon Squeezy', lemon('subscriptions', 'cancelled', { ends_at: days(3) }), 'opens'],
	['Lemon Squeezy', lemon('subscriptions', 'cancelled', { ends_at: days(-3) }), 'closes'],
	['Lemon Squeezy', lemon('subscriptions', 'paused', { pause: { mode: 'void' } }), 'closes'],
	['Lemon Squeezy', lemon('subscriptions', 'paused', { pause: { mode: 'free' } }), 'opens'],
	['Lemon Squeezy', lemon('subscriptions', 'past_due'), 'keeps'],
	['Lemon Squeezy', lemon('subscriptions', 'unpaid'), 'closes'],
	['Lemon Squeezy', lemon('subscriptions', 'expired', { ends_at: days(-1) }), 'closes'],
	['Lemon Squeezy', lemon('orders', 'paid'), 'opens'],
	['Lemon Squeezy', lemon('orders', 'refunded'), 'closes'],
	['Lemon Squeezy', lemon('subscription-invoices', 'paid'), 'keeps'],
	['Lemon Squeezy', lemon('subscriptions', 'active', { product_name: 'Mug' }), 'tells'],
	['Lemon Squeezy', lemon('license-keys', 'active'), 'tells'],
	...[2, 3, 4, 8].map((stage): [string, IDataObject, Outcome] => [
		'Outseta',
		outseta(stage),
		'opens',
	]),
	...[5, 6].map((stage): [string, IDataObject, Outcome] => ['Outseta', outseta(stage), 'closes']),
	['Outseta', outseta(7), 'keeps'],
	['Outseta', outseta(9), 'tells'],
	['Polar', polar('subscription.active'), 'opens'],
	['Polar', polar('subscription.canceled'), 'keeps'],
	['Polar', polar('subscription.past_due'), 'keeps'],
	['Polar', polar('subscription.revoked'), 'closes'],
	['Polar', polar('benefit_grant.created'), 'tells'],
	['Polar', polar('subscription.active', { product: { id: 'p2', name: 'Mug' } }), 'tells'],
	['Whop', whop({ type: 'membership.activated' }), 'opens'],
	['Whop', whop({ type: 'membership.deactivated' }), 'closes'],
	['Whop', whop({ action: 'membership.went_valid' }), 'opens'],
	['Whop', whop({ action: 'membership.went_invalid' }), 'closes'],
	['Whop', whop({ type: 'payment.succeeded' }), 'tells'],
];

/** Systems whose table has a product, so that other products must not count. */
const withProduct = ['Gumroad', 'Lemon Squeezy', 'Polar', 'Whop'];

describe('the tables of the page', () => {
	it('have an example each, and all examples have a table', () => {
		const sections = [...PAGE.matchAll(/\n## (.+)\n(?:(?!\n## )[\s\S])*?\| \*\*Status/g)];
		const systems = new Set([...cases.map(([system]) => system), 'Paddle']);
		expect(new Set(sections.map(([, name]) => name))).toEqual(systems);
	});

	it.each(cases)('%s, %j: %s', async (system, call, outcome) => {
		const tool = workflow(system, withProduct.includes(system) ? 'Membership' : '');
		const { output } = await tool.call(call);
		expect(openFeeds()).toEqual(outcome === 'opens' ? [EMAIL] : []);
		// The end of a membership that Supercast never knew is told, too.
		const isTold = outcome === 'tells' || outcome === 'closes';
		expect([outcome, tool.emails.length]).toEqual([outcome, isTold ? 1 : 0]);
		if (outcome === 'tells') expect(tool.emails[0]?.subject).toContain(EMAIL);
		expect(output('Answer')).toHaveLength(1);
	});

	const leaving = cases.filter(([, , outcome]) => outcome === 'closes');

	it.each(leaving)('%s, %j: closes the feed that it has opened', async (system, call) => {
		const tool = workflow(system);
		const joining = cases.find(
			([name, body, outcome]) =>
				name === system && outcome === 'opens' && idOf(body) === idOf(call),
		);
		await tool.call(joining![1]);
		expect(openFeeds()).toEqual([EMAIL]);
		await tool.call(call);
		expect(openFeeds()).toEqual([]);
	});
});

/** What tells two purchases of one person apart. */
function idOf({ subscription_id: id, data }: IDataObject): string {
	return `${String(id)} ${String((data as IDataObject | undefined)?.type)}`;
}

describe('a purchase beside the membership', () => {
	it.each([
		['Kajabi', kajabi('Membership'), kajabi('Course')],
		['Ko-fi', kofi('Subscription', 'Membership'), kofi('Donation')],
		['Ko-fi', kofi('Subscription', 'Membership'), kofi('Shop Order')],
	])('%s, %j: closes nothing, and is not told with (other)', async (system, joining, other) => {
		const tool = workflow(system, '', set('Set Access', { keepFor: '(other)' }));
		await tool.call(joining);
		await tool.call(other);
		expect([openFeeds(), tool.emails]).toEqual([[EMAIL], []]);
	});
});

describe('two subscriptions of one customer', () => {
	it.each([
		['an upgrade', lemon('subscriptions', 'active', {}, '2')],
		['a lifetime purchase', lemon('orders', 'paid', {}, '1')],
	])('the end of the first closes nothing after %s', async (_, second) => {
		const tool = workflow('Lemon Squeezy');
		await tool.call(lemon('subscriptions', 'active'));
		await tool.call(second);
		await tool.call(lemon('subscriptions', 'expired', { ends_at: days(-1) }));
		expect(openFeeds()).toEqual([EMAIL]);
	});
});

describe('Paddle, whose calls have no email', () => {
	const call = (status: string) => ({
		event_type: 'subscription.updated',
		data: {
			...{ id: 'sub_1', status, customer_id: 'ctm_1' },
			items: [{ price: { product_id: 'pro_1' }, product: { id: 'pro_1', name: 'Membership' } }],
		},
	});

	it('the node that reads the customer gives the email', async () => {
		const tool = workflow('Paddle', 'Membership', (node) => {
			// As the page says, the item is then the customer.
			const text = node.parameters.email;
			if (node.name === 'Set Access' && text === '={{ $json.data.email }}')
				node.parameters.email = `={{ '${EMAIL}' }}`;
		});
		await tool.call(call('active'));
		expect(openFeeds()).toEqual([EMAIL]);
		expect(subscriber(EMAIL)).toMatchObject({ customer_id: 'paddle-sub_1' });
		await tool.call(call('canceled'));
		expect(openFeeds()).toEqual([]);
	});
});

describe('calls of your own', () => {
	const own = (): ImportedWorkflow => imported(FILE, withEmail);

	it.each([
		['open', [EMAIL]],
		[' OPEN ', [EMAIL]],
		['keep', []],
		['opened', []],
	])('%j', async (access, open) => {
		await own().call({ access, email: EMAIL, customerId: '17', firstName: 'Ana' });
		expect(openFeeds()).toEqual(open);
	});

	it.each([
		[17, '17'],
		[null, null],
	])('%j as a customer ID is %j', async (customerId, stored) => {
		await own().call({ access: 'open', email: EMAIL, customerId });
		expect(subscriber(EMAIL)).toMatchObject({ state: 'available', customer_id: stored });
	});

	it.each([
		['an email that is none', { access: 'open', email: 'ana' }],
		['a word that is no ID', { access: 'open', customerId: 'undefined' }],
		['no name', { access: 'open' }],
	])('a call with %s is told, and answered as failed', async (_, call) => {
		const tool = own();
		const { output } = await tool.call(call);
		expect([openFeeds(), tool.emails.length]).toEqual([[], 1]);
		expect(output('Answer')).toEqual([{ error: expect.any(String) }]);
	});

	it('an empty call is told', async () => {
		const tool = own();
		await tool.call({});
		expect([openFeeds(), tool.emails.length]).toEqual([[], 1]);
	});

	it('each person is told, and the same one once an hour', async () => {
		const tool = own();
		for (const email of ['ana@example.com', 'ben@example.com', 'ana@example.com'])
			await tool.call({ access: 'paused', email });
		expect(tool.emails.map(({ subject }) => subject)).toEqual([
			expect.stringContaining('ana@example.com'),
			expect.stringContaining('ben@example.com'),
		]);
	});

	it('each call whose fields were not found is told, and its repetition is not', async () => {
		const tool = own();
		for (const mail of ['ana@example.com', 'ben@example.com', 'ana@example.com'])
			await tool.call({ access: 'open', mail });
		expect(tool.emails).toHaveLength(2);
	});

	it('an alert that could not be sent comes with the next call', async () => {
		const tool = own();
		tool.takesEmails = false;
		await tool.call({ access: 'paused', email: EMAIL });
		tool.takesEmails = true;
		await tool.call({ access: 'paused', email: EMAIL });
		expect(tool.emails).toHaveLength(1);
	});
});
