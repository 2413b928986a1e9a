import type { PatreonMember } from '../../../simulators/memberships/patreon';
import { OTHER_PRODUCT, PRODUCT } from '../../../simulators/memberships/stripe';
import type { Edit } from '../../harness/workflows/run';
import {
	imported,
	listen,
	live,
	membersOf,
	mockServers,
	openFeeds,
	set,
	statusesOf,
	useMembers,
	withEmail,
} from './support';

const DAY = 86_400_000;
const EMAIL = 'ana@example.com';

useMembers();

/** What becomes of Ana, with an open feed and without a subscriber. */
async function access(file: string, customerId: string, ...edits: Edit[]): Promise<string> {
	listen(EMAIL, customerId);
	const ran = await imported(file, live, ...edits).run();
	if (ran.error !== undefined) return ran.error.message;
	if (!openFeeds().includes(EMAIL)) return 'close';
	// Others may be on the list, too, and pay.
	const given = statusesOf(ran).map((one) => one.access);
	return given.find((one) => one === 'keep' || one === 'unclear') ?? 'open';
}

describe('Patreon', () => {
	const pledge = (status: string, more: Partial<PatreonMember> = {}): string => {
		const { people } = mockServers().patreon;
		const member = Object.assign(people.join(EMAIL, 'Ana Bell'), { status, ...more });
		return `patreon-${member.user}`;
	};
	const ago = (days: number) => ({ created: Date.now() - days * DAY });

	it.each([
		['active_patron', {}, 'open'],
		['active_patron', { products: [] }, 'open'],
		['declined_patron', ago(13), 'keep'],
		['declined_patron', ago(15), 'close'],
		['former_patron', {}, 'close'],
		['', {}, 'close'],
		// Patreon entitles them, although they don't pay. Nobody knows why.
		['former_patron', { keepsTiers: true }, 'unclear'],
		['', { keepsTiers: true }, 'unclear'],
	])('%s, %j: %s', async (status, more, expected) => {
		// Someone who has a status shows that the column is not lost.
		mockServers().patreon.people.join('ben@example.com');
		const id = pledge(status, more);
		expect(await access('patreon.json', id)).toBe(expected);
	});

	it.each(['', 'former_patron'])('free members lose nothing they have not: %j', async (status) => {
		mockServers().patreon.tiers.set('1', 'Free');
		const id = pledge(status, { keepsTiers: true, products: ['1'] });
		expect(await access('patreon.json', id)).toBe('close');
	});

	it.each([
		['Listener', 'open'],
		['501', 'open'],
		['Gold', 'unclear'],
	])('counts only the tier %s, by name or ID: %s', async (tier, expected) => {
		const id = pledge('active_patron');
		expect(await access('patreon.json', id, set('Sync', {}, { products: tier }))).toBe(expected);
	});

	it('closes whose only tier gives no access', async () => {
		const id = pledge('active_patron');
		const other = set('Sync', {}, { products: 'Gold', otherProducts: 'Listener' });
		expect(await access('patreon.json', id, other)).toBe('close');
	});

	it('names someone without an account by email, and someone without an email by ID', async () => {
		pledge('active_patron', { user: null });
		listen('ben@example.com', 'patreon-77');
		const { people } = mockServers().patreon;
		Object.assign(people.join(null, 'Ben'), { user: '77' });
		await imported('patreon.json', live).run();
		expect(openFeeds()).toEqual([EMAIL, 'ben@example.com']);
	});

	it('stops if every tier and status is missing, as without the right to read them', async () => {
		mockServers().patreon.scopes.delete('campaigns.members');
		pledge('active_patron');
		listen(EMAIL, 'patreon-1');
		const ran = await imported('patreon.json', live).run();
		expect([ran.failed, openFeeds()]).toEqual(['Read All Members', [EMAIL]]);
	});
});

describe('WooCommerce', () => {
	const subscribe = (status: string, more: object = {}): string => {
		const member = mockServers().woocommerce.people.join(EMAIL, 'Ana Bell');
		return `woo-${Object.assign(member, { status, ...more }).id}`;
	};
	const paid = (days: number) => ({ lastPaid: Date.now() - days * DAY });

	it.each([
		['due yesterday', paid(31), 'keep'],
		['due 13 days ago', paid(43), 'keep'],
		['due 16 days ago', paid(46), 'close'],
		['imported, without a date', { lastPaid: null }, 'keep'],
	])('on hold, %s', async (_, more, expected) => {
		const id = subscribe('on-hold', more);
		expect(await access('woocommerce.json', id)).toBe(expected);
	});

	it('keeps who pays late in the list of those who pay', async () => {
		expect(await access('woocommerce.json', subscribe('active', paid(90)))).toBe('open');
	});

	it('names someone without an account by email', async () => {
		subscribe('active', { hasAccount: false });
		mockServers().woocommerce.people.join('ben@example.com');
		const ran = await imported('woocommerce.json', live).run();
		expect([ran.error, openFeeds()]).toEqual([undefined, [EMAIL, 'ben@example.com']]);
	});

	it.each([
		['Podcast membership', 'open'],
		['Mug', 'unclear'],
	])('counts only %s: %s', async (product, expected) => {
		const id = subscribe('active');
		const edit = set('Sync', {}, { products: product });
		expect(await access('woocommerce.json', id, edit)).toBe(expected);
	});

	it('does not take missing lines for another product', async () => {
		const id = subscribe('active', { items: [] });
		const edit = set('Sync', {}, { products: 'Podcast membership', otherProducts: 'Mug' });
		expect(await access('woocommerce.json', id, edit)).toBe('unclear');
	});
});

describe('Memberful', () => {
	const other = (isActive: boolean) => ({
		...{ id: '9', isActive, isPastDue: false, pass: 'Podcast', plan: 'Yearly', created: 0 },
	});
	const join = (status: string, others: object[] = []): string => {
		const member = mockServers().memberful.people.join(EMAIL, 'Ana Bell');
		return `memberful-${Object.assign(member, { status, others }).id}`;
	};

	it.each([
		['active', [], 'open'],
		['ended', [], 'close'],
		['ended', [other(true)], 'open'],
		['active', [other(false)], 'open'],
		['unrestricted', [], 'open'],
		['unrestricted', [other(false)], 'open'],
	])('%s, beside %j: %s', async (status, others, expected) => {
		const id = join(status, others);
		expect(await access('memberful.json', id)).toBe(expected);
	});

	it.each([
		['Podcast, monthly\nYearly', 'open'],
		['Podcast, monthly', 'unclear'],
	])('counts the price of an active subscription only: %j', async (products, expected) => {
		const id = join('ended', [other(true)]);
		expect(await access('memberful.json', id, set('Sync', {}, { products }))).toBe(expected);
	});

	it('leaves members without any subscription as they are', async () => {
		// Someone who has one shows that the column is not lost.
		mockServers().memberful.people.join('ben@example.com');
		expect(await access('memberful.json', join('none'))).not.toBe('close');
		expect(openFeeds()).toEqual([EMAIL, 'ben@example.com']);
	});
});

describe('Stripe', () => {
	const subscribe = (...products: string[]): string => {
		const subscription = mockServers().stripe.join(EMAIL, 'Ana Bell', products[0]);
		subscription.moreProducts = products.slice(1);
		return subscription.customer.id;
	};
	const counts = set('Sync', {}, { products: 'Podcast membership', otherProducts: 'Mugs' });

	it.each([
		[[PRODUCT], 'open'],
		[[OTHER_PRODUCT], 'close'],
		[[OTHER_PRODUCT, PRODUCT], 'open'],
		[['prod_New'], 'unclear'],
		[[OTHER_PRODUCT, 'prod_New'], 'unclear'],
		[['prod_New', PRODUCT], 'open'],
	])('with the products %j: %s', async (products, expected) => {
		const id = subscribe(...products);
		expect(await access('stripe.json', id, counts)).toBe(expected);
	});

	it('names the product that Stripe has, if nobody has the one that counts', async () => {
		listen(EMAIL, subscribe(PRODUCT));
		const typed = set('Sync', {}, { products: 'prod_Typo' });
		const workflow = imported('stripe.json', live, withEmail, typed);
		await workflow.run();
		expect(workflow.emails[0]?.text).toContain('Podcast membership');
		expect(openFeeds()).toEqual([EMAIL]);
	});

	it('knows products by ID if it may not read their names', async () => {
		mockServers().faults.push({ path: '/v1/products', status: 403 });
		const id = subscribe(PRODUCT);
		const byId = set('Sync', {}, { products: PRODUCT });
		expect(await access('stripe.json', id, byId)).toBe('open');
	});

	it('opens no feed for another product, if it may not read the names', async () => {
		mockServers().faults.push({ path: '/v1/products', status: 403 });
		const id = subscribe(OTHER_PRODUCT);
		const byName = set('Sync', {}, { otherProducts: 'Mugs' });
		expect(await access('stripe.json', id, byName)).toBe('unclear');
	});

	it('keeps the feed of a member who switches plans, and closes that of a deleted customer', async () => {
		const { stripe } = mockServers();
		const id = subscribe(PRODUCT);
		stripe.end(stripe.subscriptions[0]!);
		stripe.subscribe(stripe.customers.get(id)!);
		const gone = stripe.join('gone@example.com');
		listen('gone@example.com', gone.customer.id);
		stripe.deleteCustomer(gone.customer);
		expect(await access('stripe.json', id)).toBe('open');
		expect(openFeeds()).toEqual([EMAIL]);
	});
});

describe('Ghost', () => {
	it.each([
		['Gold', 'open'],
		['Silver', 'unclear'],
	])('counts only the tier %s: %s', async (tier, expected) => {
		const { id } = membersOf('ghost').join(EMAIL, 'Ana Bell');
		const edit = set('Sync', {}, { products: tier });
		expect(await access('ghost.json', `ghost-${id}`, edit)).toBe(expected);
	});
});
