import { startMockServers, type MockServers } from '..';
import { TIER } from '.';
import { at, type MockAnswer } from '../requests';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => {
	const { patreon } = servers;
	patreon.people.all.length = 0;
	patreon.pageSize = 1000;
	for (const scope of ['campaigns', 'campaigns.members', 'campaigns.members[email]'])
		patreon.scopes.add(scope);
});

const MEMBERS = '/api/oauth2/v2/campaigns/77/members';
const headers = () => ({ authorization: `Bearer token-${servers.patreon.token}` });
const list = async (query: Record<string, string> = {}) =>
	await servers.ask('patreon', MEMBERS, { query, headers: headers() });
const whole = {
	include: 'currently_entitled_tiers,user',
	'fields[member]': 'email,full_name,patron_status,currently_entitled_amount_cents',
	'fields[tier]': 'title',
};
const first = ({ json }: MockAnswer) => (at(json, 'data') as unknown[])[0];
const tiersOf = (record: unknown) => at(record, 'relationships.currently_entitled_tiers.data');

describe('what a request gets', () => {
	it('sends only the fields and relationships that it asks for', async () => {
		servers.patreon.people.join('ann@example.com');
		expect(first(await list())).toEqual({
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			type: 'member',
			attributes: {},
		});
		const record = first(await list(whole));
		expect(Object.keys(at(record, 'attributes') as object)).toHaveLength(4);
		expect(at(record, 'relationships.user.links.related')).toContain('/user/');
		expect(tiersOf(record)).toEqual([{ id: TIER, type: 'tier' }]);
	});

	it('sends the related resources of a page once each, and a link to the next page', async () => {
		const { people } = servers.patreon;
		for (const name of ['ann', 'ben', 'cleo']) people.join(`${name}@example.com`);
		const answer = await list({ ...whole, 'page[count]': '2' });
		const included = at(answer.json, 'included') as Array<{ type: string; attributes: object }>;
		expect(included.map(({ type }) => type)).toEqual(['tier', 'user', 'user']);
		expect(included[0]?.attributes).toEqual({ title: 'Listener' });
		const cursor = String(at(answer.json, 'meta.pagination.cursors.next'));
		expect(at(answer.json, 'links.next')).toContain(
			`${encodeURIComponent('page[cursor]')}=${cursor}`,
		);
		const last = await list({ ...whole, 'page[cursor]': cursor });
		expect(at(last.json, 'meta.pagination')).toEqual({ cursors: { next: null }, total: 3 });
		expect(last.json).not.toHaveProperty('links');
	});

	it.each([
		['include', 'media'],
		['fields[member]', 'e-mail'],
		['page[cursor]', 'bm90IG9uZQ=='],
	])('refuses %s=%s', async (name, value) => {
		servers.patreon.people.join('ann@example.com');
		const answer = await list({ ...whole, [name]: value });
		expect([answer.status, at(answer.json, 'errors.0.status')]).toEqual([400, '400']);
	});

	it('refuses parameters whose brackets are not encoded', async () => {
		const path = `${MEMBERS}?fields[member]=email`;
		expect((await servers.ask('patreon', path, { headers: headers() })).status).toBe(400);
	});

	it('names the tiers of the campaign', async () => {
		const query = { include: 'tiers', 'fields[tier]': 'title' };
		const path = '/api/oauth2/v2/campaigns';
		const { json } = await servers.ask('patreon', path, { query, headers: headers() });
		expect(at(json, 'data.0.id')).toBe('77');
		expect(at(json, 'included.0')).toMatchObject({ id: TIER, attributes: { title: 'Listener' } });
	});
});

describe('members as they are', () => {
	it.each(['declined_patron', 'former_patron'])('%s: has no tiers', async (status) => {
		servers.patreon.people.join('ann@example.com').status = status;
		const record = first(await list(whole));
		expect([at(record, 'attributes.patron_status'), tiersOf(record)]).toEqual([status, []]);
	});

	it('may still show the tiers of someone who has left', async () => {
		const ann = servers.patreon.people.join('ann@example.com');
		Object.assign(ann, { status: 'former_patron', keepsTiers: true });
		expect(tiersOf(first(await list(whole)))).toEqual([expect.objectContaining({ id: TIER })]);
	});

	it('someone who never paid has no status', async () => {
		Object.assign(servers.patreon.people.join('ann@example.com'), { status: '', products: [] });
		expect(at(first(await list(whole)), 'attributes.patron_status')).toBeNull();
	});

	it('someone whose account is gone has no user', async () => {
		servers.patreon.people.join('ann@example.com').user = null;
		const { json } = await list(whole);
		expect(at(json, 'data.0.relationships.user')).toEqual({ data: null });
	});

	it.each(['an amount of the own choice', 'a deleted tier', 'tiers that Patreon has emptied'])(
		'someone with %s pays and has no tier',
		async () => {
			Object.assign(servers.patreon.people.join('ann@example.com'), { products: [] });
			const record = first(await list(whole));
			expect(at(record, 'attributes')).toMatchObject({
				patron_status: 'active_patron',
				currently_entitled_amount_cents: 500,
			});
			expect(tiersOf(record)).toEqual([]);
		},
	);
});

describe('tokens', () => {
	it('sends no email to a token without that scope', async () => {
		for (const name of ['ann', 'ben']) servers.patreon.people.join(`${name}@example.com`);
		servers.patreon.scopes.delete('campaigns.members[email]');
		const { status, json } = await list(whole);
		const emails = (at(json, 'data') as unknown[]).map((one) => at(one, 'attributes.email'));
		expect([status, emails]).toEqual([200, [null, null]]);
	});

	it('refuses a token that may not read members', async () => {
		servers.patreon.scopes.delete('campaigns.members');
		expect((await list()).status).toBe(403);
	});

	it('refuses a token that has expired, and renews it once with each refresh token', async () => {
		const { patreon } = servers;
		const old = patreon.token;
		patreon.expire();
		const path = MEMBERS;
		const expired = await servers.ask('patreon', path, {
			headers: { authorization: `Bearer token-${old}` },
		});
		expect([expired.status, at(expired.json, 'errors.0.code_name')]).toEqual([401, 'Unauthorized']);
		const body = { grant_type: 'refresh_token', refresh_token: `refresh-${old}` };
		const renewed = await servers.ask('patreon', '/api/oauth2/token', { body });
		expect(at(renewed.json, 'access_token')).toBe(`token-${patreon.token}`);
		patreon.expire();
		expect((await servers.ask('patreon', '/api/oauth2/token', { body })).status).toBe(400);
	});
});
