import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

import { type Fixture, startFixture } from './workflows/fixture';
import { callTool, connect } from './workflows/mcp';
import { addListener, person } from './workflows/people';

const email = 'pat.member@example.com';

describe('tools', () => {
	const affectingMembers = [
		'Activate_Feed',
		'Create_or_Update_Subscriber',
		'Delete_Subscriber',
		'Dismiss_Usage_Alert',
		'Suspend_Feed',
	] as const;

	let fixture: Fixture;

	beforeAll(async () => (fixture = await startFixture({ subscribers: 150 })));
	afterAll(async () => await fixture?.stop());
	beforeEach(async () => {
		fixture.sandbox.reset();
		await addListener(fixture, email);
	});

	describe('the MCP server as imported', () => {
		let id: string;
		let client: Client;
		beforeAll(async () => {
			id = await fixture.use('mcp-server.json');
			client = await connect(fixture);
		});
		afterAll(async () => {
			await client.close();
			await fixture.unuse(id);
		});

		it('rejects everyone who does not know the secret', async () => {
			await expect(connect(fixture, 'a guess')).rejects.toThrow();
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
			const list = tools.find(({ name }) => name === 'List_Subscribers');
			for (const words of ['open only in the state available', 'how many there are'])
				expect(list?.description).toContain(words);
		});

		it('gets a subscriber', async () => {
			const { content } = await callTool(client, 'Get_Subscriber', { email });
			expect(content[0]?.text).toContain(email);
			expect(content[0]?.text).toContain('available');
		});

		it('lets the model leave out what has a default', async () => {
			const { tools } = await client.listTools();
			const requiredOf = (name: string) =>
				(tools.find((one) => one.name === name)?.inputSchema.required ?? []).sort();
			expect(requiredOf('List_Subscribers')).toEqual([]);
			expect(requiredOf('Find_Subscribers')).toEqual(['name']);
		});

		it.each([
			['Get_Feed', { email }, 'available'],
			['List_Subscribers', { limit: 3 }, '3 of 151 subscribers, newest first'],
			['Find_Subscribers', { name: 'a' }, 'subscribers that match'],
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
			const before = JSON.stringify(fixture.sandbox.controls.state());
			const refused = await callTool(client, name, { email, id: '1' }).then(
				({ isError }) => isError === true,
				() => true,
			);
			expect(refused).toBe(true);
			expect(JSON.stringify(fixture.sandbox.controls.state())).toBe(before);
		});

		it('says in words what is wrong', async () => {
			const { content } = await callTool(client, 'Get_Subscriber', { email: 'nobody@example.com' });
			expect(content[0]?.text).toContain('nobody@example.com');
		});
	});

	describe('the MCP server with an enabled tool', () => {
		it('suspends a feed and adds a subscriber once those tools are enabled', async () => {
			const id = await fixture.use('mcp-server.json', (node) => {
				if (['Suspend Feed', 'Create or Update Subscriber'].includes(node.name))
					node.disabled = false;
			});
			const client = await connect(fixture);
			await callTool(client, 'Suspend_Feed', { email });
			expect(person(fixture, email)?.state).toBe('suspended');
			const args = { email: 'new@example.com', first_name: 'Nora', last_name: 'New' };
			await callTool(client, 'Create_or_Update_Subscriber', args);
			expect(person(fixture, 'new@example.com')).toMatchObject({
				first_name: 'Nora',
				state: 'available',
			});
			const { email: same } = args;
			await callTool(client, 'Create_or_Update_Subscriber', { email: same, first_name: 'Nina' });
			expect(person(fixture, same)).toMatchObject({ first_name: 'Nina', last_name: 'New' });
			await client.close();
			await fixture.unuse(id);
		});
	});
});
