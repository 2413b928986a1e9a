import 'reflect-metadata';

import { ExecutionLifecycleHooks, LoadOptionsContext, WorkflowExecute } from 'n8n-core';
import {
	setGlobalState,
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type IRun,
	type IRunExecutionData,
	type ITaskData,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { Supercast } from '../../../nodes/Supercast/Supercast.node.js';
import { TestCredentialsHelper } from './credentialsHelper';
import { nodeTypesWith, type NodeTypes } from './nodeTypes';
import { giveRegularExpressionsTime } from './regularExpressions';

giveRegularExpressionsTime();

// Every expression asks for the time in the server's zone, which is slow in any zone but UTC.
setGlobalState({ defaultTimezone: 'UTC' });

/** The input of a test: the node's parameters, its credential, and the items. */
export interface RunOptions {
	parameters: INodeParameters;
	/** The data of an access token's credential, or a store with a credential of any type. */
	credential: ICredentialDataDecryptedObject | TestCredentialsHelper;
	items?: IDataObject[];
	onError?: INode['onError'];
	/** Settings of the node, such as `executeOnce`, or another type. */
	node?: Partial<INode>;
	/** Connections other than the one from the items to the node, such as a loop. */
	connections?: IConnections;
	/** Additional nodes, by name. A `merge` has two inputs, and `check`, `first` and `loop` two outputs. */
	nodes?: Record<string, 'check' | 'first' | 'items' | 'loop' | 'merge' | 'schedule'>;
	/** Additional node types, by name. */
	nodeTypes?: NodeTypes;
	executionOrder?: 'v0' | 'v1';
	workflowId?: string;
	/** The time zone of the workflow. */
	timezone?: string;
	/** What n8n has stored for the workflow. The run changes it. */
	staticData?: IDataObject;
	mode?: 'manual' | 'retry' | 'trigger';
	/**
	 * When an earlier execution of the node before this one returned the items, which n8n uses again,
	 * as for "Execute step" and for a retry. In milliseconds since 1970.
	 */
	readAt?: number;
	/** Whether the items are pinned to the node before this one. */
	isPinned?: boolean;
	/** Whether an AI agent runs the node as its tool. */
	isTool?: boolean;
	/** Receives the function that stops the execution, like the button in the editor. */
	onStart?: (stop: () => void) => void;
}

/** The result of a run: the items of the node's outputs, and the error if the node failed. */
export interface RunResult {
	output: INodeExecutionData[];
	/** The second output, which exists only with `onError: 'continueErrorOutput'`. */
	errorOutput: INodeExecutionData[];
	error: ITaskData['error'];
	run: IRun;
}

/** Runs the Supercast node on n8n's engine, as the server does for an execution. */
export async function runSupercast(options: RunOptions): Promise<RunResult> {
	const { workflow, start } = buildWorkflow(options);
	const items = (options.items ?? [{}]).map((json) => ({ json }));
	const { mode = 'trigger', readAt, isPinned = false } = options;
	const node = workflow.getNode('Supercast');
	const source = { main: [{ previousNode: start.name }] };
	const before = { startTime: readAt, executionTime: 5, source: [], data: { main: [items] } };
	// Written out, because older versions of n8n have no `createRunExecutionData`.
	const runData = {
		version: 1,
		startData: {},
		resultData: {
			runData: readAt === undefined ? {} : { [start.name]: [before] },
			// Without pinned items, n8n's server has null here.
			pinData: isPinned ? { [start.name]: items } : null,
		},
		executionData: {
			contextData: {},
			nodeExecutionStack: [
				readAt === undefined
					? { node: start, data: { main: [items] }, source: null }
					: { node, data: { main: [items] }, source },
			],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	} as unknown as IRunExecutionData;
	const engine = new WorkflowExecute(additionalData(options, workflow), mode, runData);
	const execution = engine.processRunExecutionData(workflow);
	options.onStart?.(() => execution.cancel());
	const run = await execution;
	const [task] = run.data.resultData.runData.Supercast ?? [];
	return {
		output: task?.data?.main?.[0] ?? [],
		errorOutput: task?.data?.main?.[1] ?? [],
		error: task?.error ?? run.data.resultData.error,
		run,
	};
}

/** The content of a resource locator's list in the editor, filled as the server fills it. */
export async function searchList(
	options: RunOptions,
	method: string,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { workflow } = buildWorkflow(options);
	const node = workflow.getNode('Supercast')!;
	const context = new LoadOptionsContext(workflow, node, additionalData(options, workflow), '');
	const search = new Supercast().methods.listSearch[method]!;
	return await search.call(context, filter, paginationToken);
}

function storeOf({ credential }: RunOptions): TestCredentialsHelper {
	return credential instanceof TestCredentialsHelper
		? credential
		: new TestCredentialsHelper(credential);
}

/** The workflow of a test: its items, followed by the node. */
export function buildWorkflow(options: RunOptions): { workflow: Workflow; start: INode } {
	const authentication = options.parameters.authentication ?? 'accessToken';
	const credentialType = authentication === 'oAuth2' ? 'supercastOAuth2Api' : 'supercastApi';
	const { id } = storeOf(options);
	const start: INode = {
		id: '1',
		name: 'Items',
		type: 'test.items',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const supercast: INode = {
		id: '2',
		name: 'Supercast',
		type: `n8n-nodes-supercast.supercast${options.isTool === true ? 'Tool' : ''}`,
		typeVersion: 1,
		position: [200, 0],
		parameters: { authentication, ...options.parameters },
		credentials: { [credentialType]: { id, name: 'Test' } },
		...(options.onError === undefined ? {} : { onError: options.onError }),
		...options.node,
	};
	const more = Object.entries({ 'More Items': 'items', ...options.nodes }).map(
		([name, kind]): INode => ({ ...start, id: name, name, type: `test.${kind}` }),
	);
	const workflow = new Workflow({
		id: options.workflowId ?? 'test',
		nodes: [start, supercast, ...more],
		connections: {
			Items: { main: [[{ node: 'Supercast', type: 'main', index: 0 }]] },
			...options.connections,
		},
		active: options.mode !== 'manual',
		nodeTypes: nodeTypesWith(options.nodeTypes ?? {}),
		settings: { executionOrder: options.executionOrder, timezone: options.timezone },
		staticData: options.staticData,
	});
	return { workflow, start };
}

/** What the server would provide to an execution. */
export function additionalData(
	options: RunOptions,
	workflow: Workflow,
): IWorkflowExecuteAdditionalData {
	const { name = 'test', nodes, connections } = { ...workflow, nodes: [], connections: {} };
	const times = { createdAt: new Date(0), updatedAt: new Date(0), activeVersionId: null };
	const data = { id: 'test', name, nodes, connections, active: false, isArchived: false, ...times };
	return {
		credentialsHelper: storeOf(options),
		hooks: new ExecutionLifecycleHooks('trigger', 'test', data),
		executionId: 'test',
		webhookBaseUrl: 'http://127.0.0.1/webhook',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		webhookTestBaseUrl: 'http://127.0.0.1/webhook-test',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		instanceBaseUrl: 'http://127.0.0.1',
		restApiUrl: 'http://127.0.0.1/rest',
		currentNodeExecutionIndex: 0,
		variables: {},
		setExecutionStatus: () => undefined,
	} as unknown as IWorkflowExecuteAdditionalData;
}
