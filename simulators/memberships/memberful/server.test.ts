import { startMockServers, type MockServers } from '..';
import { at, type MockAnswer } from '../requests';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => servers.clear());

async function ask(query: string, key = servers.memberful.key): Promise<MockAnswer> {
	const headers = { authorization: `Bearer ${key}` };
	return await servers.ask('memberful', '/api/graphql', { body: { query }, headers });
}

const NODE = 'node { email unrestrictedAccess subscriptions { active plan { name } } }';
const members = async (asked: string) =>
	await ask(
		`{ members(${asked}) { totalCount edges { ${NODE} } pageInfo { hasNextPage endCursor } } }`,
	);

it('checks the key, and sends the error with status 200', async () => {
	const { status, json } = await ask('{ members { totalCount } }', 'another');
	expect([status, json]).toEqual([200, { errors: [{ message: 'Invalid authentication token.' }] }]);
});

it.each([
	['a field that does not exist', '{ members(first: 1) { edges { node { age } } } }'],
	['a parameter that does not exist', '{ members(page: 2) { totalCount } }'],
	['a cursor that is not one', '{ members(after: "bm90IG9uZQ==") { totalCount } }'],
])('answers %s with status 200 and errors', async (_, query) => {
	const { status, json } = await ask(query);
	expect([status, at(json, 'errors.0.message')]).toEqual([200, expect.any(String)]);
	expect(at(json, 'data.members')).toBeUndefined();
});

it('sends pages with a cursor and a total, and subscriptions of which some are active', async () => {
	const { people } = servers.memberful;
	for (const [name, status] of Object.entries({ a: 'active', b: 'ended', c: 'unrestricted' }))
		people.join(`${name}@example.com`).status = status;
	const page = at((await members('first: 2, after: ""')).json, 'data.members');
	expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
	const active = (at(page, 'edges') as unknown[]).map((edge) =>
		at(edge, 'node.subscriptions.0.active'),
	);
	expect(active).toEqual([true, false]);
	const after = at(page, 'pageInfo.endCursor') as string;
	const last = at((await members(`first: 2, after: "${after}"`)).json, 'data.members');
	expect(last).toMatchObject({
		edges: [{ node: { email: 'c@example.com', unrestrictedAccess: true, subscriptions: [] } }],
		pageInfo: { hasNextPage: false },
	});
});
