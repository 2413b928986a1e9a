/** Runs the node as n8n does: its real context, the workflow's static data, and a clock that jumps. */

import 'reflect-metadata';

import { setMaxListeners } from 'node:events';

import { ExecuteContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeTypes,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { channels } from '../../../nodes/Supercast/api/sharedChannel';
import { runtime } from '../../../nodes/Supercast/api/clock';
import { Supercast } from '../../../nodes/Supercast/Supercast.node.js';
import { VirtualClock } from '../../support/virtualClock';
import type { Answer } from '../../doubles/supercast';
import { requestOf, type Channel } from './channel';

const node = new Supercast();

const PASSING = { properties: [], inputs: ['main'], outputs: ['main'] };
const TYPES: Record<string, object> = {
	'n8n-nodes-supercast.supercast': node,
	'n8n-nodes-base.scheduleTrigger': { description: PASSING, trigger: async () => undefined },
	'n8n-nodes-base.webhook': { description: PASSING, webhook: async () => ({}) },
	'n8n-nodes-base.code': { description: PASSING },
};
const nodeTypes = {
	getByName: (name: string) => TYPES[name],
	getByNameAndVersion: (name: string) => TYPES[name],
	getKnownTypes: () => ({}),
} as INodeTypes;

/** Lets work run in a separate time, for which no test has to wait. */
export async function inVirtualTime<T>(work: (clock: VirtualClock) => Promise<T>): Promise<T> {
	const clock = new VirtualClock();
	const before = { clock: runtime.clock, setTimeout: globalThis.setTimeout };
	runtime.clock = clock;
	// The node lets n8n work in between. Meanwhile, the clock must not jump to the next event.
	const quick = (work: () => void, ms = 0): unknown =>
		ms > 0 ? before.setTimeout(work, ms) : void Promise.resolve().then(work);
	globalThis.setTimeout = quick as typeof setTimeout;
	channels.clear();
	try {
		return await work(clock);
	} finally {
		runtime.clock = before.clock;
		globalThis.setTimeout = before.setTimeout;
	}
}

/** How n8n starts a run. */
export interface Start {
	parameters: INodeParameters;
	items: IDataObject[];
	mode?: WorkflowExecuteMode;
	/** When the node before this one returned the items. Earlier than now for "Execute step". */
	readAt?: number;
}

/** What a run said. */
export class Outcome {
	private said: string | undefined;

	constructor(
		readonly at: number,
		readonly items: IDataObject[],
		private readonly thrown: Error | undefined,
	) {}

	/** What went wrong. Undefined if n8n shows the run as successful. */
	get failure(): string | undefined {
		const failed = this.items.find(({ error }) => error !== undefined);
		return this.thrown ? wordsOf(this.thrown) : (failed?.error as string | undefined);
	}

	/** Whether the report or the error names one of these. */
	names(some: readonly string[]): boolean {
		this.said ??= `${JSON.stringify(this.items)} ${this.failure}`.toLowerCase();
		const { said } = this;
		return some.some((one) => said.includes(one.toLowerCase()));
	}
}

function wordsOf(error: Error & { description?: string | null }): string {
	return `${error.message}. ${error.description ?? ''}`;
}

let workflows = 0;

/** A published workflow with one Supercast node, and what n8n has stored for it. */
export class NodeInN8n {
	private readonly id = `workflow-${(workflows += 1)}`;

	private staticData: IDataObject;

	private built: { workflow: Workflow; key: string } | undefined;

	constructor(
		private readonly clock: VirtualClock,
		private readonly channel: Channel,
		private readonly actor: string,
		private readonly trigger: 'scheduleTrigger' | 'webhook' = 'scheduleTrigger',
	) {
		// n8n stores this when it publishes a workflow with a schedule.
		this.staticData = trigger === 'webhook' ? {} : { 'node:Start': { recurrenceRules: [] } };
	}

	/** Starts a run. Its requests take time, so it only ends while the clock goes on. */
	async start({ parameters, items, mode = 'trigger', readAt }: Start): Promise<Outcome> {
		const workflow = this.workflowWith(parameters);
		const at = this.clock.date();
		const input = items.map((json) => ({ json, pairedItem: { item: 0 } }));
		const context = this.contextOf(workflow, { input, mode, readAt: readAt ?? at });
		const running = node.execute.call(context);
		const [output, thrown] = await running.then(
			([done = []]) => [done, undefined] as const,
			(error: Error) => [[], error] as const,
		);
		if (mode !== 'manual') {
			this.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
		}
		return new Outcome(
			at,
			output.map(({ json }) => json),
			thrown,
		);
	}

	private workflowWith(parameters: INodeParameters): Workflow {
		const key = JSON.stringify(parameters);
		if (this.built?.key !== key) this.built = { key, workflow: this.build(parameters) };
		const { workflow } = this.built;
		workflow.overrideStaticData(structuredClone(this.staticData));
		return workflow;
	}

	private build(parameters: INodeParameters): Workflow {
		const position: [number, number] = [0, 0];
		const plain = { typeVersion: 1, position, parameters: {} };
		const supercast: INode = {
			...{ ...plain, id: 'supercast', name: 'Supercast', onError: 'continueErrorOutput' },
			...{ type: 'n8n-nodes-supercast.supercast', parameters },
			credentials: { supercastApi: { id: this.channel.name, name: 'Supercast' } },
		};
		const before: INode[] = [
			{ ...plain, id: 'start', name: 'Start', type: `n8n-nodes-base.${this.trigger}` },
			{ ...plain, id: 'list', name: 'The List', type: 'n8n-nodes-base.code' },
		];
		const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
		return new Workflow({
			...{ id: this.id, active: true, nodeTypes, nodes: [...before, supercast] },
			connections: { Start: to('The List'), 'The List': to('Supercast') },
			settings: { timezone: 'UTC' },
		});
	}

	private contextOf(
		workflow: Workflow,
		{
			input,
			mode,
			readAt,
		}: { input: INodeExecutionData[]; mode: WorkflowExecuteMode; readAt: number },
	): IExecuteFunctions {
		const supercast = workflow.getNode('Supercast')!;
		const source = { main: [{ previousNode: 'The List' }] };
		const data = { main: [input] };
		const run = [
			workflow,
			supercast,
			this.additionalData(),
			mode,
			runDataOf(input, readAt),
		] as const;
		const executeData = { node: supercast, data, source };
		const { signal } = new AbortController();
		// All requests of a run wait with the same signal.
		setMaxListeners(0, signal);
		const context = new ExecuteContext(...run, 0, input, data, executeData, [], signal);
		Object.assign(context.helpers, {
			httpRequestWithAuthentication: async (_type: string, options: never) =>
				await this.respond(options),
			prepareBinaryData: async () => ({ mimeType: 'text/plain', data: '' }),
		});
		// Older versions of n8n have no store of seen items, and here it has no database.
		Reflect.deleteProperty(context.helpers, 'checkProcessedAndRecord');
		return context;
	}

	private additionalData(): IWorkflowExecuteAdditionalData {
		const { name } = this.channel;
		const credential = {
			accessToken: `token-of-${name}`,
			baseUrl: `https://${name}.supercast.tech/api/v1`,
			requestsPerMinute: 0,
		};
		const credentialsHelper = {
			getDecrypted: async () => ({ ...credential }),
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
		};
		return { credentialsHelper, executionId: '1', variables: {} } as never;
	}

	/** As Supercast's server, a moment later. */
	private async respond(options: Parameters<typeof requestOf>[0]): Promise<object> {
		await this.clock.sleep(this.channel.latencyMs);
		const {
			status,
			headers = {},
			body,
		}: Answer = this.channel.answer(requestOf(options), this.actor);
		const copied = Array.isArray(body) ? body.map((one: object) => ({ ...one })) : body;
		return { statusCode: status, headers, body: copied };
	}
}

function runDataOf(input: INodeExecutionData[], startTime: number): IRunExecutionData {
	const run = { startTime, executionTime: 5, executionIndex: 0, data: { main: [input] } };
	const list = { ...run, source: [{ previousNode: 'Start' }] };
	const stack = { nodeExecutionStack: [], waitingExecution: {}, waitingExecutionSource: {} };
	return {
		...{ version: 1, startData: {} },
		resultData: { runData: { Start: [{ ...run, source: [] }], 'The List': [list] }, pinData: null },
		executionData: { ...stack, contextData: {}, metadata: {} },
	} as never;
}
