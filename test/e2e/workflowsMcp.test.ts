import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

import { SUBSCRIBER_STATES } from '../../nodes/Supercast/subscriber/states';
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
			['1e9', { limit: 1e9 }, 100],
			['no limit', {}, 20],
			['0', { limit: 0 }, 20],
			['1e9, in all states', { limit: 1e9, states: 'all' }, 100],
			['1e9, in no state', { limit: 1e9, states: '' }, 100],
		])('lists 1 to 100 if the model fills in %s', async (_, args, expected) => {
			const { content } = await callTool(client, 'List_Subscribers', args);
			const text = content.map((one) => one.text).join('');
			expect(text.match(/"uuid"/g)).toHaveLength(expected);
		});

		it('counts everyone, also people in a state that nobody knows', async () => {
			Object.assign(fixture.sandbox.state.subscribers[0] ?? {}, { state: 'on_hold' });
			const { length } = fixture.sandbox.state.subscribers;
			for (const states of ['all', ' ALL ', '', undefined]) {
				const { content } = await callTool(client, 'List_Subscribers', { limit: 1, states });
				expect(content.map(({ text }) => text).join('')).toContain(`1 of ${length} subscribers, `);
			}
		});

		it('tells the model which states there are if it asks for another one', async () => {
			const { content } = await callTool(client, 'List_Subscribers', { states: 'closed' });
			for (const state of SUBSCRIBER_STATES) expect(content[0]?.text).toContain(state);
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

describe('ten questions that people ask an agent', () => {
	let fixture: Fixture;

	let client: Client;
	beforeAll(async () => {
		fixture = await startFixture({ subscribers: 60 });
		await addListener(fixture, email);
		await fixture.use('mcp-server.json');
		client = await connect(fixture);
		const { subscribers } = fixture.sandbox.state;
		const states = ['deactivated', 'suspended', 'charge_failure'];
		for (let index = 0; index < 12; index++)
			Object.assign(subscribers[index * 3]!, { state: states[index % 3] });
		Object.assign(subscribers.at(-1)!, { last_name: 'Hawthorne' });
	});
	afterAll(async () => {
		await client?.close();
		await fixture?.stop();
	});

	const counted = (...states: string[]): number =>
		fixture.sandbox.state.subscribers.filter(({ state }) => states.includes(state)).length;
	const total = (): number => fixture.sandbox.state.subscribers.length;
	const first = (rows: ReadonlyArray<{ created_at: string }>): number =>
		Math.max(...rows.map(({ created_at }) => Date.parse(created_at)));

	interface Question {
		question: string;
		tool: string;
		args?: Record<string, unknown>;
		/** What the result must contain, so that an agent answers correctly. */
		answer: () => string;
	}
	const questions: Question[] = [
		{
			question: 'How many subscribers do we have?',
			tool: 'List_Subscribers',
			args: { limit: 1 },
			answer: () => `1 of ${total()} subscribers, newest first`,
		},
		{
			question: 'How many feeds are closed?',
			tool: 'List_Subscribers',
			args: { limit: 1, states: 'deactivated,suspended,charge_failure' },
			answer: () =>
				`1 of ${counted('deactivated', 'suspended', 'charge_failure')} subscribers that match`,
		},
		{
			question: 'How many can listen today?',
			tool: 'List_Subscribers',
			args: { limit: 1, states: 'available' },
			answer: () => `1 of ${counted('available')} subscribers that match`,
		},
		{
			question: 'Whose payment failed?',
			tool: 'List_Subscribers',
			args: { limit: 100, states: 'charge_failure' },
			answer: () => `All ${counted('charge_failure')} subscribers that match`,
		},
		{
			question: 'Who joined last?',
			tool: 'List_Subscribers',
			args: { limit: 1 },
			answer: () => new Date(first(fixture.sandbox.state.subscribers)).toISOString(),
		},
		{
			question: `Can ${email} listen?`,
			tool: 'Get_Subscriber',
			args: { email },
			answer: () => '"state":"available"',
		},
		{
			question: "What is Hawthorne's email?",
			tool: 'Find_Subscribers',
			args: { name: 'hawthorne' },
			answer: () => String(fixture.sandbox.state.subscribers.at(-1)?.email),
		},
		{
			question: 'How many usage alerts wait for me?',
			tool: 'List_Usage_Alerts',
			args: { limit: 1 },
			answer: () => `of ${fixture.sandbox.state.usageAlerts.length} usage alerts, newest first`,
		},
		{
			question: 'What is our latest episode?',
			tool: 'List_Episodes',
			args: { limit: 1 },
			answer: () => new Date(first(fixture.sandbox.state.episodes)).toISOString(),
		},
		{
			question: 'What was asked last?',
			tool: 'List_Questions',
			args: { limit: 1 },
			answer: () => new Date(first(fixture.sandbox.state.questions)).toISOString(),
		},
	];

	it.each(questions)('$question', async ({ tool, args, answer }) => {
		const { content } = await callTool(client, tool, args ?? {});
		const text = content
			.map((one) => one.text)
			.join('')
			.replaceAll('\\"', '"');
		expect(text).toContain(answer());
	});

	it('the descriptions of the tools say what an agent must know for them', async () => {
		const { tools } = await client.listTools();
		const about = new Map(tools.map(({ name, description }) => [name, description ?? '']));
		for (const words of ['open only in the state available', 'returns the list of states'])
			expect(about.get('List_Subscribers')).toContain(words);
		expect(about.get('List_Subscribers')).toContain('how many there are');
		expect(about.get('List_Episodes')).toContain('newest first');
	});
});
