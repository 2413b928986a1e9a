import { startMockServers, type MockServers } from '..';
import {
	ARCHIVED_PRODUCT,
	PRODUCT,
	RESTRICTED_KEY,
	type StripeStatus,
	type StripeSubscription,
} from '.';
import { at, type MockAnswer } from '../requests';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => {
	servers.stripe.subscriptions.length = 0;
});

async function get(
	path: string,
	query: Record<string, string> = {},
	key = RESTRICTED_KEY,
): Promise<MockAnswer> {
	const headers = { authorization: `Bearer ${key}` };
	return await servers.ask('stripe', path, { query, headers });
}

const list = async (query?: Record<string, string>, key?: string) =>
	await get('/v1/subscriptions', query, key);
const idsIn = ({ json }: MockAnswer) =>
	(at(json, 'data') as Array<{ id: string }>).map(({ id }) => id);
const messageIn = ({ json }: MockAnswer) => at(json, 'error.message');

function join(count: number): StripeSubscription[] {
	return Array.from({ length: count }, (_, index) => servers.stripe.join(`m${index}@example.com`));
}

describe('keys', () => {
	it('takes a restricted key, and refuses one without a right, which the message names', async () => {
		const { keys } = servers.stripe;
		keys.set('rk_test_narrow', { rights: ['subscription_read'] });
		expect((await list({ 'expand[]': 'data.customer' })).status).toBe(200);
		expect((await list({}, 'rk_test_narrow')).status).toBe(200);
		const expanded = await list({ 'expand[]': 'data.customer' }, 'rk_test_narrow');
		const products = await get('/v1/products', {}, 'rk_test_narrow');
		expect([expanded.status, products.status]).toEqual([403, 403]);
		expect(messageIn(expanded)).toContain('"Customers Read" (\'customer_read\')');
		expect(messageIn(products)).toContain('"Products Read" (\'product_read\')');
	});

	it('lets n8n test only a key that may read charges', async () => {
		expect((await get('/v1/charges')).status).toBe(403);
		expect((await get('/v1/charges', {}, 'sk_test_1')).status).toBe(200);
	});

	it.each([
		['rk_test_unknown', 'Invalid API Key provided: rk_test_***'],
		['whatever', 'Invalid API Key provided'],
		['rk_test_expired', 'Expired API Key provided'],
	])('refuses the key %s', async (key, message) => {
		servers.stripe.keys.set('rk_test_expired', { isExpired: true });
		const answer = await list({}, key);
		expect([answer.status, messageIn(answer)]).toEqual([401, expect.stringContaining(message)]);
	});
});

describe('parameters', () => {
	it.each([
		[{ flavor: 'red' }, 'Received unknown parameter: flavor'],
		[{ starting_after: '' }, "You passed an empty string for 'starting_after'"],
		[{ limit: '101' }, 'less than or equal to 100'],
		[{ limit: 'many' }, 'Invalid integer: many'],
		[{ 'expand[]': 'customer' }, "You may want to try expanding 'data.customer' instead"],
		[{ starting_after: 'sub_unknown' }, "No such subscription: 'sub_unknown'"],
	])('refuses %j', async (query, message) => {
		const answer = await list(query);
		expect([answer.status, messageIn(answer)]).toEqual([400, expect.stringContaining(message)]);
	});

	it('says so if the mock server does not understand a parameter that Stripe has', async () => {
		expect((await list({ test_clock: 'clock_1' })).status).toBe(501);
	});

	it('refuses to go on after a subscription that has been canceled meanwhile', async () => {
		const [first, second] = join(2);
		const query = { limit: '1', starting_after: String(second?.id) };
		expect(idsIn(await list(query))).toEqual([first?.id]);
		servers.stripe.end(second!);
		expect((await list(query)).status).toBe(400);
		expect(idsIn(await list({ ...query, status: 'all' }))).toEqual([first?.id]);
	});

	it('lists by the time of creation, and the newest first', async () => {
		const [old, recent] = join(2);
		old!.created -= 3_600_000;
		expect(idsIn(await list())).toEqual([recent?.id, old?.id]);
		const since = String(Math.floor(Date.now() / 1000) - 60);
		expect(idsIn(await list({ 'created[gte]': since }))).toEqual([recent?.id]);
	});
});

describe('objects', () => {
	it('sends whole subscriptions, of about the size of real ones', async () => {
		join(1);
		const { json } = await list({ 'expand[]': 'data.customer' });
		const [one] = at(json, 'data') as Array<Record<string, unknown>>;
		expect(Object.keys(one!).length).toBeGreaterThan(40);
		expect(Object.keys(one?.customer as object).length).toBeGreaterThan(20);
		expect(JSON.stringify(one).length).toBeGreaterThan(3_000);
	});

	it('sends the ID of a customer who is not expanded', async () => {
		const [one] = join(1);
		const { json } = await list();
		expect(at(json, 'data.0.customer')).toBe(one?.customer.id);
	});

	it('sends nothing but the ID of a deleted customer, whose subscriptions have ended', async () => {
		const [one] = join(1);
		servers.stripe.deleteCustomer(one!.customer);
		const query = { 'expand[]': 'data.customer' };
		expect(idsIn(await list(query))).toEqual([]);
		const { json } = await list({ ...query, status: 'canceled' });
		expect(at(json, 'data.0.customer')).toEqual({
			id: one?.customer.id,
			object: 'customer',
			deleted: true,
		});
	});

	it('lists every status but canceled, unless the request says otherwise', async () => {
		const statuses: StripeStatus[] = [
			...(['active', 'canceled', 'incomplete', 'incomplete_expired'] as const),
			...(['past_due', 'paused', 'trialing', 'unpaid'] as const),
		];
		const all = join(statuses.length);
		all.forEach((one, index) => (one.status = statuses[index]!));
		const found = async (query: Record<string, string>) =>
			(at((await list(query)).json, 'data') as Array<{ status: string }>).map(
				({ status }) => status,
			);
		expect((await found({})).sort()).toEqual(statuses.filter((one) => one !== 'canceled'));
		expect((await found({ status: 'all' })).sort()).toEqual(statuses);
		expect(await found({ status: 'ended' })).toEqual(['incomplete_expired', 'canceled']);
		expect(await found({ status: 'paused' })).toEqual(['paused']);
	});

	it('sends each product of a subscription as an item', async () => {
		const [one] = join(1);
		one?.moreProducts.push('podcast-premium');
		const items = at((await list()).json, 'data.0.items.data') as Array<{ price: object }>;
		expect(items.map(({ price }) => at(price, 'product'))).toEqual([PRODUCT, 'podcast-premium']);
	});
});

describe('products', () => {
	it('sends those that are offered, those that are not, or both', async () => {
		const all = idsIn(await get('/v1/products'));
		expect(all).toContain(ARCHIVED_PRODUCT);
		expect(idsIn(await get('/v1/products', { active: 'false' }))).toEqual([ARCHIVED_PRODUCT]);
		expect(idsIn(await get('/v1/products', { active: 'true' }))).toHaveLength(all.length - 1);
	});

	it('refuses parameters that do not exist', async () => {
		expect((await get('/v1/products', { status: 'active' })).status).toBe(400);
	});
});
