import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

import { startKit, type Kit } from './workflows/kit';
import { callTool, connect } from './workflows/mcp';
import { addListener, person } from './workflows/people';

const email = 'pat.member@example.com';
const affectingMembers = [
	'Activate_Feed',
	'Create_or_Update_Subscriber',
	'Delete_Subscriber',
	'Dismiss_Usage_Alert',
	'Suspend_Feed',
] as const;

let kit: Kit;

beforeAll(async () => (kit = await startKit()));
afterAll(async () => await kit?.stop());
beforeEach(async () => {
	kit.sandbox.reset();
	await addListener(kit, email);
});

describe('the MCP server as imported', () => {
	let id: string;
	let client: Client;
	beforeAll(async () => {
		id = await kit.use('mcp-server.json');
		client = await connect(kit);
	});
	afterAll(async () => {
		await client.close();
		await kit.unuse(id);
	});

	it('rejects everyone who does not know the secret', async () => {
		await expect(connect(kit, 'a guess')).rejects.toThrow();
	});

	it('lists the tools that look things up, and none that closes a feed', async () => {
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name).sort()).toEqual([
			'Find_Subscribers',
			'Get_Channel',
			'Get_Episode',
			'Get_Feed',
			'Get_Subscriber',
			'List_Episodes',
			'List_Questions',
			'List_Subscribers',
			'List_Usage_Alerts',
		]);
		const get = tools.find(({ name }) => name === 'Get_Subscriber');
		expect(get?.description).toMatch(/^Look up one subscriber/);
		expect(Object.keys(get?.inputSchema.properties ?? {})).toEqual(['email']);
	});

	it('gets a subscriber', async () => {
		const { content } = await callTool(client, 'Get_Subscriber', { email });
		expect(content[0]?.text).toContain(email);
		expect(content[0]?.text).toContain('available');
	});

	it('lists as many as requested', async () => {
		const { content } = await callTool(client, 'List_Subscribers', { limit: 3 });
		expect(
			content
				.map(({ text }) => text)
				.join('')
				.match(/"uuid"/g),
		).toHaveLength(3);
	});

	it.each([
		['Get_Feed', { email }, 'available'],
		['List_Usage_Alerts', { limit: 2 }, 'message'],
		['List_Episodes', { limit: 2 }, 'Episode'],
		['Get_Episode', { id: '1' }, 'Episode'],
		['List_Questions', { limit: 2 }, 'Question'],
		['Get_Channel', {}, 'The Demo Hour'],
	])('%s responds', async (name, args, expected) => {
		const { content } = await callTool(client, name, args);
		expect(content.map(({ text }) => text).join('')).toContain(expected);
	});

	it.each(affectingMembers)('refuses %s', async (name) => {
		const before = JSON.stringify(kit.sandbox.controls.state());
		const refused = await callTool(client, name, { email, id: '1' }).then(
			({ isError }) => isError === true,
			() => true,
		);
		expect(refused).toBe(true);
		expect(JSON.stringify(kit.sandbox.controls.state())).toBe(before);
	});

	it('says in words what is wrong', async () => {
		const { content } = await callTool(client, 'Get_Subscriber', { email: 'nobody@example.com' });
		expect(content[0]?.text).toContain('nobody@example.com');
	});
});

describe('the MCP server with an enabled tool', () => {
	it('suspends a feed and adds a subscriber once those tools are enabled', async () => {
		const id = await kit.use('mcp-server.json', (node) => {
			if (['Suspend Feed', 'Create or Update Subscriber'].includes(node.name))
				node.disabled = false;
		});
		const client = await connect(kit);
		await callTool(client, 'Suspend_Feed', { email });
		expect(person(kit, email)?.state).toBe('suspended');
		const args = { email: 'new@example.com', first_name: 'Nora', last_name: 'New' };
		await callTool(client, 'Create_or_Update_Subscriber', args);
		expect(person(kit, 'new@example.com')).toMatchObject({
			first_name: 'Nora',
			state: 'available',
		});
		await client.close();
		await kit.unuse(id);
	});
});
