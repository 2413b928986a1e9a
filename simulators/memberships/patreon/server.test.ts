import { startMockServers, type MockServers } from '..';
import { TIER } from '.';
import { at, type MockAnswer } from '../requests';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => servers.clear());

const MEMBERS = '/api/oauth2/v2/campaigns/77/members';
const headers = () => ({ authorization: `Bearer token-${servers.patreon.token}` });
const list = async (query: Record<string, string> = {}) =>
	await servers.ask('patreon', MEMBERS, { query, headers: headers() });
const whole = {
	include: 'currently_entitled_tiers,user',
	'fields[member]': 'email,full_name,patron_status,currently_entitled_amount_cents',
	'fields[tier]': 'title',
};
const join = (name = 'ann') => servers.patreon.people.join(`${name}@example.com`);
const first = ({ json }: MockAnswer) => (at(json, 'data') as unknown[])[0];
const tiersOf = (record: unknown) => at(record, 'relationships.currently_entitled_tiers.data');

it('sends only the fields and relationships that a request asks for', async () => {
	join();
	expect(first(await list())).toEqual({
		id: expect.stringMatching(/^[0-9a-f-]{36}$/),
		type: 'member',
		attributes: {},
	});
	const record = first(await list(whole));
	expect(Object.keys(at(record, 'attributes') as object)).toHaveLength(4);
	expect(at(record, 'attributes.patron_status')).toBe('active_patron');
	expect(tiersOf(record)).toEqual([{ id: TIER, type: 'tier' }]);
});

it('sends the related resources of a page once each, and a cursor of the next page', async () => {
	for (const name of ['ann', 'ben', 'cleo']) join(name);
	const { json } = await list({ ...whole, 'page[count]': '2' });
	const included = at(json, 'included') as Array<{ type: string; attributes: object }>;
	expect(included.map(({ type }) => type)).toEqual(['tier', 'user', 'user']);
	expect(included[0]?.attributes).toEqual({ title: 'Listener' });
	const cursor = String(at(json, 'meta.pagination.cursors.next'));
	const last = await list({ ...whole, 'page[cursor]': cursor });
	expect(at(last.json, 'data')).toHaveLength(1);
	expect(at(last.json, 'meta.pagination')).toEqual({ cursors: { next: null }, total: 3 });
});

it.each([
	['include', 'media'],
	['fields[member]', 'e-mail'],
	['page[cursor]', 'bm90IG9uZQ=='],
])('refuses %s=%s', async (name, value) => {
	join();
	expect((await list({ ...whole, [name]: value })).status).toBe(400);
});

it('refuses parameters whose brackets are not encoded', async () => {
	const path = `${MEMBERS}?fields[member]=email`;
	expect((await servers.ask('patreon', path, { headers: headers() })).status).toBe(400);
});

it.each(['declined_patron', 'former_patron'])('%s: has no tiers', async (status) => {
	join().status = status;
	const record = first(await list(whole));
	expect([at(record, 'attributes.patron_status'), tiersOf(record)]).toEqual([status, []]);
});

it('refuses a token that has expired, and renews it once with each refresh token', async () => {
	const { patreon } = servers;
	const authorization = `Bearer token-${patreon.token}`;
	const body = { grant_type: 'refresh_token', refresh_token: `refresh-${patreon.token}` };
	patreon.expire();
	const { status } = await servers.ask('patreon', MEMBERS, { headers: { authorization } });
	const renewed = await servers.ask('patreon', '/api/oauth2/token', { body });
	expect([status, at(renewed.json, 'access_token')]).toEqual([401, `token-${patreon.token}`]);
	patreon.expire();
	expect((await servers.ask('patreon', '/api/oauth2/token', { body })).status).toBe(400);
});
