import { startMockServers, type MockServers } from '..';
import { PRODUCT, RESTRICTED_KEY, type StripeStatus, type StripeSubscription } from '.';
import { at, type MockAnswer } from '../requests';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => servers.clear());

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

it('refuses an unknown key, and one without a right, which the message names', async () => {
	servers.stripe.keys.set('rk_test_narrow', { rights: ['subscription_read'] });
	expect((await list({ 'expand[]': 'data.customer' })).status).toBe(200);
	expect((await list({}, 'rk_test_unknown')).status).toBe(401);
	const expanded = await list({ 'expand[]': 'data.customer' }, 'rk_test_narrow');
	expect([expanded.status, messageIn(expanded)]).toEqual([
		403,
		expect.stringContaining('"Customers Read" (\'customer_read\')'),
	]);
});

it.each([
	[{ flavor: 'red' }, 'Received unknown parameter: flavor'],
	[{ starting_after: '' }, "You passed an empty string for 'starting_after'"],
	[{ limit: '101' }, 'less than or equal to 100'],
	[{ starting_after: 'sub_unknown' }, "No such subscription: 'sub_unknown'"],
])('refuses %j', async (query, message) => {
	const answer = await list(query);
	expect([answer.status, messageIn(answer)]).toEqual([400, expect.stringContaining(message)]);
});

it('sends pages with the newest first, each after the last subscription of the page before', async () => {
	const ids = join(3).map(({ id }) => id);
	const page = await list({ limit: '2' });
	expect([idsIn(page), at(page.json, 'has_more')]).toEqual([[ids[2], ids[1]], true]);
	const last = await list({ limit: '2', starting_after: ids[1]! });
	expect([idsIn(last), at(last.json, 'has_more')]).toEqual([[ids[0]], false]);
});

it('refuses to go on after a subscription that has been canceled meanwhile', async () => {
	const [first, second] = join(2);
	servers.stripe.end(second!);
	const query = { starting_after: second!.id };
	expect((await list(query)).status).toBe(400);
	expect(idsIn(await list({ ...query, status: 'all' }))).toEqual([first?.id]);
});

it('lists every status but canceled, unless the request says otherwise', async () => {
	const statuses: StripeStatus[] = [
		...(['active', 'canceled', 'incomplete', 'incomplete_expired'] as const),
		...(['past_due', 'paused', 'trialing', 'unpaid'] as const),
	];
	join(statuses.length).forEach((one, index) => (one.status = statuses[index]!));
	const found = async (query: Record<string, string>) =>
		(at((await list(query)).json, 'data') as Array<{ status: string }>).map(({ status }) => status);
	expect((await found({})).sort()).toEqual(statuses.filter((one) => one !== 'canceled'));
	expect((await found({ status: 'all' })).sort()).toEqual(statuses);
	expect(await found({ status: 'paused' })).toEqual(['paused']);
});

it('sends whole objects, with the customer expanded or only their ID', async () => {
	const [one] = join(1);
	one?.moreProducts.push('podcast-premium');
	const plain = at((await list()).json, 'data.0') as Record<string, unknown>;
	expect(plain.customer).toBe(one?.customer.id);
	expect(Object.keys(plain).length).toBeGreaterThan(40);
	const items = at(plain, 'items.data') as Array<{ price: object }>;
	expect(items.map(({ price }) => at(price, 'product'))).toEqual([PRODUCT, 'podcast-premium']);
	const { json } = await list({ 'expand[]': 'data.customer' });
	expect(at(json, 'data.0.customer.email')).toBe('m0@example.com');
});

it('sends products with their names, if the request asks also those no longer offered', async () => {
	const { json } = await get('/v1/products', { active: 'true' });
	const [first] = at(json, 'data') as unknown[];
	expect(first).toMatchObject({ id: PRODUCT, name: 'Podcast membership', active: true });
	expect(idsIn(await get('/v1/products'))).toHaveLength(4);
	expect((await get('/v1/products', { status: 'active' })).status).toBe(400);
});
