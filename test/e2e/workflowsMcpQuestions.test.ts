import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

import { startKit, type Kit } from './workflows/kit';
import { callTool, connect } from './workflows/mcp';
import { addListener } from './workflows/people';

const email = 'pat.member@example.com';

let kit: Kit;

describe('ten questions that people ask an agent', () => {
	let client: Client;
	beforeAll(async () => {
		kit = await startKit({ subscribers: 60 });
		await addListener(kit, email);
		await kit.use('mcp-server.json');
		client = await connect(kit);
		const { subscribers } = kit.sandbox.state;
		const states = ['deactivated', 'suspended', 'charge_failure'];
		for (let index = 0; index < 12; index++)
			Object.assign(subscribers[index * 3]!, { state: states[index % 3] });
		Object.assign(subscribers.at(-1)!, { last_name: 'Hawthorne' });
	});
	afterAll(async () => {
		await client?.close();
		await kit?.stop();
	});

	const counted = (...states: string[]): number =>
		kit.sandbox.state.subscribers.filter(({ state }) => states.includes(state)).length;
	const total = (): number => kit.sandbox.state.subscribers.length;
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
			answer: () => new Date(first(kit.sandbox.state.subscribers)).toISOString(),
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
			answer: () => String(kit.sandbox.state.subscribers.at(-1)?.email),
		},
		{
			question: 'How many usage alerts wait for me?',
			tool: 'List_Usage_Alerts',
			args: { limit: 1 },
			answer: () => `of ${kit.sandbox.state.usageAlerts.length} usage alerts, newest first`,
		},
		{
			question: 'What is our latest episode?',
			tool: 'List_Episodes',
			args: { limit: 1 },
			answer: () => new Date(first(kit.sandbox.state.episodes)).toISOString(),
		},
		{
			question: 'What was asked last?',
			tool: 'List_Questions',
			args: { limit: 1 },
			answer: () => new Date(first(kit.sandbox.state.questions)).toISOString(),
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
		for (const state of ['available', 'deactivated', 'suspended', 'charge_failure', 'pending']) {
			expect(about.get('List_Subscribers')).toContain(state);
		}
		expect(about.get('List_Subscribers')).toContain('how many there are');
		expect(about.get('List_Episodes')).toContain('newest first');
	});
});
