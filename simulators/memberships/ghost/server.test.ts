import { startMockServers, type MockServers } from '..';
import { ghostToken, GOLD } from '.';
import { at, type MockAnswer } from '../requests';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => servers.clear());

const PATH = '/ghost/api/admin/members/';
const authorized = () => ({ authorization: ghostToken(servers.ghost.key) });
const list = async (query: Record<string, string> = {}, headers = authorized()) =>
	await servers.ask('ghost', PATH, { query, headers });
const membersIn = ({ json }: MockAnswer) => at(json, 'members') as Array<Record<string, unknown>>;
const emailsIn = (answer: MockAnswer) => membersIn(answer).map(({ email }) => email);
const join = (name = 'ann') => servers.ghost.people.join(`${name}@example.com`, 'Ann Bell');

it.each([
	['another key', { id: 'f'.repeat(24) }, {}, 'UNKNOWN_ADMIN_API_KEY'],
	['another secret', { secret: 'ff'.repeat(32) }, {}, 'INVALID_JWT'],
	['an old token', {}, { age: 301 }, 'INVALID_JWT'],
	['a token for another address', {}, { aud: '/content/' }, 'INVALID_JWT'],
])('refuses %s', async (_, key, how, code) => {
	const authorization = ghostToken({ ...servers.ghost.key, ...key }, how);
	const { status, json } = await list({}, { authorization });
	expect([status, at(json, 'errors.0.code')]).toEqual([401, code]);
});

it('sends 26 fields, and tiers only if the request includes them', async () => {
	join();
	const [ann] = membersIn(await list());
	expect(Object.keys(ann!)).toHaveLength(26);
	expect(ann).toMatchObject({ status: 'paid', subscriptions: [{ status: 'active' }] });
	expect(ann?.id).toMatch(/^[0-9a-f]{24}$/);
	expect(ann).not.toHaveProperty('tiers');
	const [one] = membersIn(await list({ include: 'tiers,nothing' }));
	expect(one?.tiers).toMatchObject([{ id: GOLD.id, name: 'Gold' }]);
});

it('sends at most 100 members, and no next page after the last one', async () => {
	for (let count = 0; count < 101; count++) join(`m${count}`);
	expect(membersIn(await list())).toHaveLength(15);
	const first = await list({ limit: 'all' });
	expect(membersIn(first)).toHaveLength(100);
	expect(at(first.json, 'meta.pagination')).toMatchObject({ next: 2, total: 101, pages: 2 });
	const last = await list({ page: '2', limit: '100' });
	expect([membersIn(last).length, at(last.json, 'meta.pagination.next')]).toEqual([1, null]);
});

it('repeats members who joined in the same second, unless the order is by ID', async () => {
	const created = Date.now();
	for (let count = 0; count < 55; count++) join(`m${count}`).created = created;
	const all = async (order: string) => {
		const pages = ['1', '2', '3'].map(async (page) =>
			emailsIn(await list({ order, page, limit: '20' })),
		);
		return new Set((await Promise.all(pages)).flat());
	};
	expect((await all('created_at asc')).size).toBeLessThan(55);
	expect((await all('id asc')).size).toBe(55);
});

it.each([
	['status:-free', ['paid', 'comped']],
	['status:[paid,free]', ['paid', 'free']],
	["status:paid+created_at:>'2020-01-01 00:00:00'", ['paid']],
	['tier:gold', ['paid', 'comped']],
])('filters by %s', async (filter, names) => {
	for (const status of ['paid', 'comped', 'free']) join(status).status = status;
	const emails = emailsIn(await list({ filter, order: 'id asc' }));
	expect(emails).toEqual(names.map((name) => `${name}@example.com`));
});

it('refuses a filter that is not one', async () => {
	const { status, json } = await list({ filter: 'status-free' });
	expect([status, at(json, 'errors.0.message')]).toEqual([400, 'Error parsing filter']);
});
