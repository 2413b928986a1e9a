import { startMockServers, type MockServers } from '..';
import { at, type MockAnswer } from '../requests';

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => {
	servers.memberful.people.all.length = 0;
});

async function ask(query: string, key = servers.memberful.key): Promise<MockAnswer> {
	const headers = { authorization: `Bearer ${key}` };
	return await servers.ask('memberful', '/api/graphql', { body: { query }, headers });
}

const NODES = 'subscriptions { active plan { name } pass { name } }';
const members = async (fields = NODES, asked = 'first: 100') =>
	await ask(
		`{ members(${asked}) { totalCount edges { node { id ${fields} } } pageInfo { hasNextPage endCursor } } }`,
	);

it('checks the key, and sends the error with status 200', async () => {
	const { status, json } = await ask('{ members { totalCount } }', 'another');
	expect([status, json]).toEqual([200, { errors: [{ message: 'Invalid authentication token.' }] }]);
});

it.each([
	['a field that does not exist', '{ members(first: 1) { edges { node { age } } } }'],
	['a parameter that does not exist', '{ members(page: 2) { totalCount } }'],
	['no query', '{ members'],
	['a cursor that is not one', '{ members(after: "bm90IG9uZQ==") { totalCount } }'],
])('answers %s with status 200 and errors', async (_, query) => {
	const { status, json } = await ask(query);
	expect(status).toBe(200);
	expect(at(json, 'errors.0.message')).toEqual(expect.any(String));
	expect(at(json, 'data.members')).toBeUndefined();
});

it('sends what is left of the data beside the errors', async () => {
	for (let count = 0; count < 10; count++) servers.memberful.people.join(`m${count}@example.com`);
	servers.memberful.pageFaults.push({ kind: 'errorsWithData' });
	const { status, json } = await members();
	servers.memberful.pageFaults.length = 0;
	expect([status, at(json, 'data.members.edges')]).toEqual([200, expect.any(Array)]);
	expect(at(json, 'data.members.edges')).toHaveLength(5);
	expect(at(json, 'errors.0.message')).toEqual(expect.any(String));
});

it('sends several subscriptions of one member, of which only some are active', async () => {
	const ann = servers.memberful.people.join('ann@example.com');
	ann.others.push({
		...{ id: '1', isActive: false, isPastDue: false, created: 0 },
		...{ pass: 'Newsletter', plan: 'Yearly' },
	});
	const { json } = await members();
	expect(at(json, 'data.members.edges.0.node.subscriptions')).toEqual([
		{ active: false, plan: { name: 'Yearly' }, pass: { name: 'Newsletter' } },
		{ active: true, plan: { name: 'Podcast, monthly' }, pass: { name: 'Podcast' } },
	]);
});

it('sends no subscription of someone with unrestricted access', async () => {
	servers.memberful.people.join('ann@example.com').status = 'unrestricted';
	const { json } = await members('unrestrictedAccess subscriptions { active }');
	expect(at(json, 'data.members.edges.0.node')).toMatchObject({
		unrestrictedAccess: true,
		subscriptions: [],
	});
});

it('has a total of members and of subscriptions, and an empty cursor means the first page', async () => {
	for (let count = 0; count < 5; count++) servers.memberful.people.join(`m${count}@example.com`);
	const page = await members(NODES, 'first: 2, after: ""');
	expect(at(page.json, 'data.members')).toMatchObject({
		totalCount: 5,
		pageInfo: { hasNextPage: true },
	});
	const { json } = await ask('{ subscriptions(first: 2) { totalCount nodes { member { id } } } }');
	expect(at(json, 'data.subscriptions.totalCount')).toBe(5);
	expect(at(json, 'data.subscriptions.nodes')).toHaveLength(2);
});
