import { startMockServers, type MockServers } from '..';
import { at } from '../requests';
import { basic } from '.';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => servers.clear());

const PATH = '/wp-json/wc/v3/subscriptions';
const list = async (query: Record<string, string> = {}, key = servers.woocommerce.key) =>
	await servers.ask('woocommerce', PATH, { query, headers: { authorization: basic(key) } });
const join = (email = 'ann@example.com') => servers.woocommerce.people.join(email);
const only = async () => ((await list()).json as unknown[])[0];

it('refuses requests with another key, and with another secret', async () => {
	const { key } = servers.woocommerce;
	const other = await list({}, { ...key, key: 'ck_other' });
	const secret = await list({}, { ...key, secret: 'cs_other' });
	expect([other, secret].map(({ status, json }) => [status, at(json, 'code')])).toEqual([
		[401, 'woocommerce_rest_cannot_view'],
		[401, 'woocommerce_rest_authentication_error'],
	]);
});

it('sends whole subscriptions, and 0 as the customer of someone without an account', async () => {
	const ann = join();
	ann.lastPaid = Date.UTC(2025, 0, 31);
	const one = (await only()) as object;
	expect(Object.keys(one).length).toBeGreaterThan(50);
	expect(one).toMatchObject({
		status: 'active',
		customer_id: Number(ann.id),
		last_payment_date_gmt: '2025-01-31T00:00:00',
		billing: { email: 'ann@example.com' },
		line_items: [{ product_id: 77, name: 'Podcast membership' }],
	});
	Object.assign(ann, { hasAccount: false, lastPaid: null });
	expect(await only()).toMatchObject({ customer_id: 0, last_payment_date_gmt: '' });
});

it('says in headers how many records and pages there are', async () => {
	for (let count = 0; count < 5; count++) join(`m${count}@example.com`);
	const { headers } = await list({ per_page: '2', page: '2' });
	expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['5', '3']);
	expect((await list({ page: '2' })).json).toEqual([]);
});

it.each([
	[{ per_page: '101' }, 400],
	[{ page: '0' }, 400],
	[{ orderby: 'email' }, 400],
	[{ status: 'paid' }, 400],
	// WordPress ignores parameters that it does not know.
	[{ flavor: 'red' }, 200],
])('answers %j with %i', async (query, status) => {
	expect((await list(query as unknown as Record<string, string>)).status).toBe(status);
});

it('lists by status and date', async () => {
	join().status = 'cancelled';
	join('old@example.com').created -= 3_600_000;
	join('new@example.com');
	const after = new Date(Date.now() - 60_000).toISOString();
	const { json } = await list({ after, status: 'active' });
	expect((json as unknown[]).map((one) => at(one, 'billing.email'))).toEqual(['new@example.com']);
});
