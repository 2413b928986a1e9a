import { startMockServers, type MockServers } from '..';
import { ghostToken, GOLD, SILVER } from '.';
import { at, type MockAnswer } from '../requests';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => {
	const { ghost } = servers;
	ghost.people.all.length = 0;
	Object.assign(ghost, { database: 'mysql', host: undefined, isStarting: false });
});

const PATH = '/ghost/api/admin/members/';
const authorized = () => ({ authorization: ghostToken(servers.ghost.key) });
const list = async (query: Record<string, string> = {}, headers = authorized()) =>
	await servers.ask('ghost', PATH, { query, headers });
const membersIn = ({ json }: MockAnswer) => at(json, 'members') as Array<Record<string, unknown>>;
const emailsIn = (answer: MockAnswer) => membersIn(answer).map(({ email }) => email);
const join = (name = 'ann') => servers.ghost.people.join(`${name}@example.com`, 'Ann Bell');

describe('tokens', () => {
	const refused = async (authorization: string) => {
		const { status, json } = await list({}, { authorization });
		return [status, at(json, 'errors.0.code'), at(json, 'errors.0.message')];
	};

	it('refuses a request without one', async () => {
		const { status, json } = await servers.ask('ghost', PATH);
		expect([status, at(json, 'errors.0.type')]).toEqual([403, 'NoPermissionError']);
	});

	it('refuses another key, another secret, and a token that is no token', async () => {
		const { key } = servers.ghost;
		expect(await refused(ghostToken({ ...key, id: 'f'.repeat(24) }))).toEqual([
			401,
			'UNKNOWN_ADMIN_API_KEY',
			'Unknown Admin API Key',
		]);
		expect(await refused(ghostToken({ ...key, secret: 'ff'.repeat(32) }))).toEqual([
			401,
			'INVALID_JWT',
			'Invalid token: invalid signature',
		]);
		expect((await refused('Ghost nonsense'))[0]).toBe(400);
		expect((await refused('Bearer nonsense'))[1]).toBe('INVALID_AUTH_HEADER');
	});

	it.each([
		[{ age: 301, lasts: 3600 }, 'maxAge exceeded'],
		[{ age: 301 }, 'jwt expired'],
		[{ aud: '/content/' }, 'jwt audience invalid'],
	])('refuses a token with %j', async (how, why) => {
		const [status, code, message] = await refused(ghostToken(servers.ghost.key, how));
		expect([status, code]).toEqual([401, 'INVALID_JWT']);
		expect(message).toContain(why);
	});
});

describe('members as they are', () => {
	it('sends 26 fields, and IDs of 24 hexadecimal digits', async () => {
		join();
		const [ann] = membersIn(await list());
		expect(Object.keys(ann!)).toHaveLength(26);
		expect(ann?.id).toMatch(/^[0-9a-f]{24}$/);
		expect(ann?.created_at).toMatch(/:\d\d\.000Z$/);
	});

	it('sends tiers only if the request includes them, and ignores what it can not include', async () => {
		join();
		expect(membersIn(await list())[0]).not.toHaveProperty('tiers');
		expect(membersIn(await list({ include: 'labels' }))[0]).not.toHaveProperty('tiers');
		const [ann] = membersIn(await list({ include: 'tiers,nothing' }));
		expect(ann?.tiers).toMatchObject([{ id: GOLD.id, name: 'Gold' }]);
	});

	it.each([
		['comped', 'Complimentary'],
		['gift', 'Gift subscription'],
	])('%s: sends an active subscription without an ID', async (status, nickname) => {
		join().status = status;
		const [ann] = membersIn(await list());
		expect(ann?.comped).toBe(status === 'comped');
		expect(ann?.subscriptions).toMatchObject([
			{ id: '', status: 'active', customer: { id: '' }, plan: { nickname } },
		]);
	});

	it('calls someone paid whose payment is late, and sends null for no name', async () => {
		Object.assign(join(), { subscriptionStatus: 'past_due', name: '' });
		expect(membersIn(await list())[0]).toMatchObject({
			status: 'paid',
			name: null,
			subscriptions: [{ status: 'past_due' }],
		});
	});
});

describe('pages', () => {
	it('sends at most 100 members, an empty page after the last one, and no next page', async () => {
		for (let count = 0; count < 101; count++) join(`m${count}`);
		for (const limit of ['all', '1000']) expect(membersIn(await list({ limit }))).toHaveLength(100);
		expect(membersIn(await list())).toHaveLength(15);
		const past = await list({ page: '3', limit: '100' });
		expect([membersIn(past), at(past.json, 'meta.pagination.next')]).toEqual([[], null]);
		expect(at(past.json, 'meta.pagination.total')).toBe(101);
	});

	/** The emails of all pages. */
	async function all(order: string): Promise<unknown[]> {
		const pages = ['1', '2', '3'].map(async (page) =>
			emailsIn(await list({ order, page, limit: '20' })),
		);
		return (await Promise.all(pages)).flat();
	}

	it('lists some members twice and others never if they joined in the same second, by MySQL and created_at', async () => {
		const created = Date.now();
		for (let count = 0; count < 55; count++) join(`m${count}`).created = created;
		expect(new Set(await all('created_at asc')).size).toBeLessThan(55);
		expect(new Set(await all('created_at asc,id asc')).size).toBe(55);
		expect(new Set(await all('id asc')).size).toBe(55);
		servers.ghost.database = 'sqlite';
		expect(new Set(await all('created_at asc')).size).toBe(55);
	});

	it('sorts by what the request says, and the newest first if it says nothing', async () => {
		for (const [index, name] of ['ben', 'ann', 'cleo'].entries())
			join(name).created += index * 5_000;
		expect(emailsIn(await list())[0]).toBe('cleo@example.com');
		expect(emailsIn(await list({ order: 'created_at asc' }))[0]).toBe('ben@example.com');
		expect(emailsIn(await list({ order: 'email asc' }))[0]).toBe('ann@example.com');
		expect(emailsIn(await list({ order: 'id desc' }))[0]).toBe('cleo@example.com');
	});

	it.each([{ page: 'x' }, { limit: 'x' }, { order: 'id;asc' }])('refuses %j', async (query) => {
		const { status, json } = await list(query as unknown as Record<string, string>);
		expect([status, at(json, 'errors.0.type')]).toEqual([422, 'ValidationError']);
	});
});

describe('filters', () => {
	it.each([
		['status:-free', ['paid', 'comped']],
		['status:[paid,free]', ['paid', 'free']],
		['status:comped,label:vip', ['paid', 'comped']],
		["status:paid+created_at:>'2020-01-01 00:00:00'", ['paid']],
		["created_at:>'2099-01-01 00:00:00'", []],
		['created_at:>now-1h', ['paid', 'comped', 'free']],
		['(status:paid)+tier:silver', []],
		['tier:gold', ['paid', 'comped']],
		["email:~'comped@'", ['comped']],
	])('%s', async (filter, names) => {
		for (const status of ['paid', 'comped', 'free']) join(status).status = status;
		servers.ghost.people.all[0]?.labels.push('VIP');
		const emails = emailsIn(await list({ filter, order: 'id asc' }));
		expect(emails).toEqual(names.map((name) => `${name}@example.com`));
	});

	it('refuses a filter that is not one, and fails with one that names no column', async () => {
		join().products = [SILVER.id];
		const bad = await list({ filter: 'status-free' });
		expect([bad.status, at(bad.json, 'errors.0.message')]).toEqual([400, 'Error parsing filter']);
		expect((await list({ filter: 'flavor:red' })).status).toBe(500);
	});
});

describe('the address', () => {
	it('redirects from another domain, without the query', async () => {
		servers.ghost.host = 'admin.example.com';
		const { status, headers } = await list({ filter: 'status:-free' });
		expect(status).toBe(301);
		expect(headers.get('location')).toBe(`http://admin.example.com/ghost${PATH}`);
	});

	it('answers with a web page and status 503 while it is starting', async () => {
		servers.ghost.isStarting = true;
		const { status, headers, text } = await list();
		expect([status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
		expect(text).toContain('be right back');
	});
});
