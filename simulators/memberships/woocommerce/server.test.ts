import { startMockServers, type MockServers } from '..';
import { at } from '../requests';
import { basic } from '.';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => {
	servers.woocommerce.people.all.length = 0;
	servers.woocommerce.key.permissions = 'read';
});

const PATH = '/wp-json/wc/v3/subscriptions';
const list = async (query: Record<string, string> = {}, key = servers.woocommerce.key) =>
	await servers.ask('woocommerce', PATH, { query, headers: { authorization: basic(key) } });
const join = (email = 'ann@example.com') => servers.woocommerce.people.join(email);
const only = async () => ((await list()).json as unknown[])[0];

describe('keys', () => {
	it('refuses requests without a key, with another one, and with another secret', async () => {
		const { key } = servers.woocommerce;
		const none = await servers.ask('woocommerce', PATH);
		const other = await list({}, { ...key, key: 'ck_other' });
		const secret = await list({}, { ...key, secret: 'cs_other' });
		expect([none, other, secret].map(({ status }) => status)).toEqual([401, 401, 401]);
		expect([none, other, secret].map(({ json }) => at(json, 'code'))).toEqual([
			'woocommerce_rest_cannot_view',
			'woocommerce_rest_cannot_view',
			'woocommerce_rest_authentication_error',
		]);
	});

	it('refuses a key that may only write', async () => {
		servers.woocommerce.key.permissions = 'write';
		expect(at((await list()).json, 'message')).toContain('does not have read permissions');
	});

	it('takes a key in the query', async () => {
		const { key, secret } = servers.woocommerce.key;
		const query = { consumer_key: key, consumer_secret: secret };
		expect((await servers.ask('woocommerce', PATH, { query })).status).toBe(200);
	});
});

describe('subscriptions as they are', () => {
	it('sends whole subscriptions', async () => {
		join();
		expect(Object.keys((await only()) as object).length).toBeGreaterThan(50);
	});

	it('sends those without a product line, and with a line without a name', async () => {
		join().items.length = 0;
		expect(at(await only(), 'line_items')).toEqual([]);
		servers.woocommerce.people.all.length = 0;
		join().items[0]!.name = '';
		expect(at(await only(), 'line_items.0.name')).toBe('');
	});

	it('sends 0 as the customer ID of someone without an account', async () => {
		join().hasAccount = false;
		expect(at(await only(), 'customer_id')).toBe(0);
	});

	it('puts a subscription on hold at every renewal, until it is paid', async () => {
		const ann = join();
		servers.woocommerce.renew(ann);
		expect(await only()).toMatchObject({ status: 'on-hold', needs_payment: true });
		servers.woocommerce.pay(ann);
		expect(at(await only(), 'status')).toBe('active');
	});

	it('knows the last payment, which imports lack', async () => {
		const ann = join();
		ann.lastPaid = Date.UTC(2025, 0, 31);
		expect(at(await only(), 'last_payment_date_gmt')).toBe('2025-01-31T00:00:00');
		ann.lastPaid = null;
		expect(at(await only(), 'last_payment_date_gmt')).toBe('');
	});

	it('names the account that a gift is for', async () => {
		join().recipient = 4711;
		expect(at(await only(), 'meta_data')).toEqual([
			{ id: 1, key: '_recipient_user', value: '4711' },
		]);
	});
});

describe('pages', () => {
	it('says in headers how many records and pages there are', async () => {
		for (let count = 0; count < 5; count++) join(`m${count}@example.com`);
		const { headers } = await list({ per_page: '2', page: '2' });
		expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['5', '3']);
		expect(headers.get('link')).toMatch(/page=3.*rel="next"/);
	});

	it('sends an empty page after the last one', async () => {
		join();
		expect((await list({ page: '2' })).json).toEqual([]);
	});

	it.each([
		[{ per_page: '101' }, 'between 1 (inclusive) and 100 (inclusive)'],
		[{ page: '0' }, 'greater than or equal to 1'],
		[{ orderby: 'email' }, 'orderby is not one of'],
		[{ status: 'paid' }, 'status[0] is not one of'],
		[{ after: 'yesterday' }, 'Invalid date'],
	])('refuses %j', async (query, why) => {
		const { status, json } = await list(query);
		expect([status, at(json, 'code')]).toEqual([400, 'rest_invalid_param']);
		expect(Object.values(at(json, 'data.params') as object)).toEqual([
			expect.stringContaining(why),
		]);
	});

	it('ignores parameters that it does not know, as WordPress does', async () => {
		join();
		expect((await list({ flavor: 'red' })).json).toHaveLength(1);
	});

	it('lists by status and date', async () => {
		join().status = 'cancelled';
		join('old@example.com').created -= 3_600_000;
		join('new@example.com');
		const after = new Date(Date.now() - 60_000).toISOString();
		const emails = ((await list({ after, status: 'active' })).json as unknown[]).map((one) =>
			at(one, 'billing.email'),
		);
		expect(emails).toEqual(['new@example.com']);
	});
});
