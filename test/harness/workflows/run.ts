/** Runs a workflow file on n8n's engine, with the mock servers and the sandbox. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type IRun,
	type IRunExecutionData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { SYSTEMS, systemNames, type MockServers } from '../../../simulators/memberships';
import { additionalData } from '../engine';
import { nodeTypesWith } from '../engine/nodeTypes';
import type { Workflow as WorkflowFile, WorkflowNode } from '../n8n/setup';
import { root } from '../system/paths';
import { nodeDoubles, type Outside } from './nodeDoubles';
import { readWorkflowPages } from './paging';

/** What a test changes in a file, as a person does in the editor. */
export type Edit = (node: WorkflowNode) => void;

/** What a run has left. */
export interface Ran {
	/** What a node returned through its first output. */
	output: (node: string) => IDataObject[];
	/** What stopped the run. */
	error: Error | undefined;
	/** The node that stopped it. */
	failed: string | undefined;
}

/** A workflow that has been imported and published. It remembers what n8n would remember. */
export class ImportedWorkflow {
	/** The emails that it has sent. */
	readonly emails: IDataObject[] = [];

	/** Whether the email server takes emails. */
	takesEmails = true;

	private readonly file: WorkflowFile;
	private readonly staticData: IDataObject = {};
	private readonly seen: Outside['seen'] = new Map();

	/** @param edits Changes of nodes, one after the other. */
	constructor(
		readonly name: string,
		private readonly servers: MockServers,
		private readonly credential: ICredentialDataDecryptedObject,
		...edits: Edit[]
	) {
		const text = readFileSync(join(root, 'workflows', name), 'utf8');
		this.file = JSON.parse(servers.redirect(name, text)) as WorkflowFile;
		for (const edit of edits) this.edit(edit);
	}

	edit(change: Edit): void {
		this.file.nodes.forEach(change);
	}

	/** Changes the whole workflow, as a person does with pasted nodes. */
	rewrite(change: (file: WorkflowFile) => void): void {
		change(this.file);
	}

	/** Adds a node behind another one, as a person does. */
	insert(
		after: string,
		node: Pick<WorkflowNode, 'name' | 'parameters' | 'type' | 'typeVersion'>,
	): void {
		this.file.nodes.push({ id: node.name, position: [0, 0], ...node });
		const { connections } = this.file as unknown as { connections: Record<string, unknown> };
		connections[node.name] = connections[after];
		connections[after] = { main: [[{ node: node.name, type: 'main', index: 0 }]] };
	}

	/**
	 * Runs the workflow as its schedule does. If a node fails, n8n starts the workflow again at its
	 * Error Trigger, except after a run by hand.
	 */
	async run(trigger = 'Every 5 Minutes', mode: WorkflowExecuteMode = 'trigger'): Promise<Ran> {
		const ran = await this.runFrom(trigger, mode, {});
		const about = this.file.nodes.find(({ type }) => type === 'n8n-nodes-base.errorTrigger');
		if (ran.error !== undefined && mode !== 'manual' && about !== undefined) {
			const execution = {
				...{ id: '1', url: 'https://n8n.example.com/execution/1', mode },
				...{ error: ran.error, lastNodeExecuted: ran.failed },
			};
			await this.runFrom(about.name, 'error', { execution });
		}
		return ran;
	}

	/** Runs it for a call of its webhook. */
	async call(body: IDataObject | IDataObject[]): Promise<Ran> {
		return await this.runFrom('Access Call', 'webhook', { body });
	}

	private async runFrom(name: string, mode: WorkflowExecuteMode, json: IDataObject): Promise<Ran> {
		const workflow = this.build();
		const node = workflow.getNode(name) as INode;
		const data = { main: [[{ json }]] };
		const runData = {
			...{ version: 1, startData: {}, resultData: { runData: {}, pinData: null } },
			executionData: {
				...{ contextData: {}, metadata: {}, waitingExecution: {}, waitingExecutionSource: {} },
				nodeExecutionStack: [{ node, data, source: null }],
			},
		} as unknown as IRunExecutionData;
		const { credential } = this;
		const additional = additionalData({ credential, parameters: {} }, workflow);
		const run = await new WorkflowExecute(additional, mode, runData).processRunExecutionData(
			workflow,
		);
		return ranOf(run);
	}

	private build(): Workflow {
		const nodes = this.file.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		const outside: Outside = {
			read: async (context, node, item) =>
				await readWorkflowPages(context, { workflow, node, item }, this.allowed()),
			send: (email) => this.send(email),
			seen: this.seen,
		};
		const workflow: Workflow = new Workflow({
			id: this.name,
			name: String(this.file.name),
			nodes: nodes.map(prepared) as unknown as INode[],
			connections: this.file.connections as Workflow['connectionsBySourceNode'],
			active: true,
			nodeTypes: nodeTypesWith(nodeDoubles(outside)),
			settings: this.file.settings as Workflow['settings'],
			staticData: this.staticData,
		});
		// n8n drops parameters that a type does not have, and doubles have none.
		for (const { name, type, parameters } of nodes) {
			const node = workflow.getNode(name);
			if (node !== null && !type.includes('supercast')) node.parameters = parameters as never;
		}
		return workflow;
	}

	private send(email: IDataObject): void {
		if (!this.takesEmails) throw new Error('The email server is down');
		this.emails.push(email);
	}

	/** How the requests of this file prove who they are. */
	private allowed() {
		const { servers } = this;
		const headersFor = (url: string): Record<string, string> => {
			const name = systemNames.find((one) => url.startsWith(`${servers.addressOf(one)}/`));
			if (name === undefined) return {};
			const asked = { number: 1, size: 1, before: undefined };
			return SYSTEMS[name].list.request(servers[name], asked).headers ?? {};
		};
		return { app: servers.app, headersFor };
	}
}

/** Without pauses between tries, so that a test does not wait. */
function prepared(node: WorkflowNode): WorkflowNode {
	const quick = { ...node, retryOnFail: false };
	if (!node.type.includes('supercast')) return quick;
	return { ...quick, credentials: { supercastApi: { id: 'test', name: 'Test' } } };
}

function ranOf({ data: { resultData } }: IRun): Ran {
	const { runData, error, lastNodeExecuted } = resultData;
	return {
		output: (node) =>
			(runData[node] ?? []).flatMap(({ data }) => (data?.main?.[0] ?? []).map(({ json }) => json)),
		error: error,
		failed: lastNodeExecuted,
	};
}
