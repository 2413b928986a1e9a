import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import type { Workflow, WorkflowNode } from '../harness/n8n/setup';
import { findOperation, resources } from '../../nodes/Supercast/resources';
import { cases, type OperationCase } from '../harness/engine/cases';
import { startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';
import { webhook } from './support/workflows';
import { until } from './workflows/fixture';

/** What the mocked model calls: a tool, and its arguments. */
interface Call {
	tool: string;
	args: IDataObject;
}

interface Message {
	role: string;
	content: string;
}

interface Tool {
	function: { name: string; description: string };
}

/** Every operation that agents get, with the deletes last. */
const operations = Object.entries(resources)
	.flatMap(([resource, { operations: all }]) =>
		Object.keys(all).map((operation) => [resource, operation] as const),
	)
	.filter(([, operation]) => operation !== 'sync')
	.sort(([, one], [, other]) => rank(one) - rank(other));

function rank(operation: string): number {
	return operation === 'delete' ? 1 : 0;
}

const caseOf = (resource: string, operation: string): OperationCase =>
	cases[resource as 'channel'][operation as 'get'];

let environment: E2eEnvironment;
let model: Server;
let calls: Call[] = [];
/** What the model was offered, and the results of its calls. */
let offered: Tool[] = [];
let results: string[] = [];
let isDone = false;

beforeAll(async () => {
	model = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(answerTo(JSON.parse(body) as ModelRequest)));
		});
	});
	await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
	const { port } = model.address() as AddressInfo;
	environment = await startE2eEnvironment('agent-tools', {
		sandbox: { subscribers: 20, usageAlerts: 8 },
		credentials: ({ accessToken, baseUrl }) => [
			{
				id: 'tools',
				name: 'Supercast',
				type: 'supercastApi',
				data: { accessToken, baseUrl, requestsPerMinute: 0 },
			},
			{
				id: 'model',
				name: 'Model',
				type: 'openAiApi',
				data: { apiKey: 'none', url: `http://127.0.0.1:${port}/v1` },
			},
		],
		workflows: [agentWithEveryTool()],
	});
});
afterAll(async () => {
	await environment?.stop();
	model?.close();
});

interface ModelRequest {
	messages: Message[];
	tools?: Tool[];
}

/** Calls the next tool, as a model does that has seen the results of the earlier calls. */
function answerTo({ messages, tools = [] }: ModelRequest): unknown {
	offered = tools;
	results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
	const next = calls[results.length];
	isDone = next === undefined;
	const call = next && {
		id: `call_${results.length}`,
		type: 'function',
		function: { name: next.tool, arguments: JSON.stringify(next.args) },
	};
	const message = call
		? { role: 'assistant', content: null, tool_calls: [call] }
		: { role: 'assistant', content: 'All done.' };
	const choice = { index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' };
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	return { id: 'mocked', object: 'chat.completion', created: 0, choices: [choice], usage };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}

function agentWithEveryTool(): Workflow {
	const agent: WorkflowNode = {
		id: 'agent',
		name: 'Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: 3.1,
		position: [300, 0],
		parameters: { promptType: 'define', text: 'Try every tool.', options: { maxIterations: 100 } },
	};
	const chat: WorkflowNode = {
		id: 'chat',
		name: 'Chat',
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.2,
		position: [100, 300],
		parameters: { model: { __rl: true, mode: 'id', value: 'mocked' }, options: {} },
		credentials: { openAiApi: { id: 'model', name: 'Model' } },
	};
	const tools = operations.map(([resource, operation], index) => ({
		id: `tool-${index}`,
		name: `${resource}_${operation}`,
		type: 'n8n-nodes-supercast.supercastTool',
		typeVersion: 1,
		position: [300 + 200 * index, 300],
		parameters: {
			resource,
			operation,
			...(JSON.parse(filledByModel(caseOf(resource, operation))) as IDataObject),
		},
		credentials: { supercastApi: { id: 'tools', name: 'Supercast' } },
	}));
	const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	const start = webhook('agent');
	start.parameters.responseMode = 'onReceived';
	return {
		id: 'agentTools',
		name: 'Agent',
		nodes: [start, agent, chat, ...tools],
		connections: {
			[start.name]: to('main'),
			Chat: to('ai_languageModel'),
			...Object.fromEntries(tools.map(({ name }) => [name, to('ai_tool')])),
		},
		// The editor chooses it for new workflows. Without it, a model gets no result.
		settings: { executionOrder: 'v1' },
		active: false,
	};
}

/** The parameters of a case, with the model in place of the input item. */
function filledByModel({ parameters }: OperationCase): string {
	return JSON.stringify(parameters).replace(
		/\$json\.(\w+)/g,
		(_, name: string) => `$fromAI('${name}', '', '${name === 'limit' ? 'number' : 'string'}')`,
	);
}

/** The arguments of the model: the fields of an item, and defaults for those that it lacks. */
function argumentsFor(tried: OperationCase, place: 0 | 1): IDataObject {
	const names = [...JSON.stringify(tried.parameters).matchAll(/\$json\.(\w+)/g)];
	const item = tried.items(environment.sandbox)[place];
	const defaults: IDataObject = { other: '{}', access: 'open', id: 'cus_agent' };
	return Object.fromEntries(names.map(([, name]) => [name!, item[name!] ?? defaults[name!]]));
}

async function run(wanted: Call[]): Promise<string[]> {
	calls = wanted;
	isDone = false;
	await fetch(`${environment.server.url}/webhook/agent`, { method: 'POST' });
	await until('the model has seen the results of all calls', () => isDone, 120_000);
	return results;
}

it('a model can call every operation, and each does what it says', async () => {
	environment.sandbox.reset();
	const wanted = operations.map(([resource, operation]) => {
		const tried = caseOf(resource, operation);
		const args = argumentsFor(tried, operation === 'delete' ? 1 : 0);
		// Each action on an alert removes it from the list.
		const place = ['dismiss', 'ignore', 'suspend'].indexOf(operation);
		if (resource === 'usageAlert' && place >= 0) {
			args.id = String(environment.sandbox.state.usageAlerts[place]!.id);
		}
		return { tool: `${resource}_${operation}`, args, tried };
	});
	const answers = await run(wanted);
	expect(answers).toHaveLength(operations.length);
	answers.forEach((answer, index) => {
		expect([wanted[index]!.tool, answer]).toEqual([
			wanted[index]!.tool,
			expect.stringMatching(/^\[?\{|^\[\]/),
		]);
		expect([wanted[index]!.tool, answer]).not.toEqual([
			wanted[index]!.tool,
			expect.stringMatching(/feed_url|\/feeds\/|^\W*error/i),
		]);
	});
	for (const { tool, args, tried } of wanted.filter(({ tried: { after } }) => after)) {
		const isLast = !wanted.some((other) => other.tool > tool && other.args.email === args.email);
		if (isLast)
			expect([tool, tried.witness(environment.sandbox, args)]).toEqual([tool, tried.after!(args)]);
	}
});

it('a model can tell the tools apart: each has the name of its action', () => {
	const descriptions = new Map(offered.map(({ function: one }) => [one.name, one.description]));
	expect(descriptions.size).toBe(operations.length);
	expect(new Set(descriptions.values()).size).toBe(operations.length);
	for (const [resource, operation] of operations) {
		const { action } = findOperation(resource, operation)!;
		expect(descriptions.get(`${resource}_${operation}`)).toContain(action);
	}
});
