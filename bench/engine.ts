import 'reflect-metadata';

import { createRequire } from 'node:module';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	ICredentialsHelper,
	NodeHelpers,
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { SupercastApi } from '../credentials/SupercastApi.credentials';
import { Supercast } from '../nodes/Supercast/Supercast.node';

/** The nodes to compare. */
export type NodeName = 'httpRequest' | 'supercast';

/** One run of one node. Its workflow holds no other node. */
export interface NodeRun {
	node: NodeName;
	parameters: INodeParameters;
	/** Settings of the node, such as Retry On Fail. */
	settings?: Partial<INode>;
	credentials: Record<string, ICredentialDataDecryptedObject>;
	items: IDataObject[];
}

/** How it ended. */
export interface Ended {
	ms: number;
	output: INodeExecutionData[];
	error?: string;
}

const TYPES: Record<NodeName, string> = {
	httpRequest: 'n8n-nodes-base.httpRequest',
	supercast: 'n8n-nodes-supercast.supercast',
};

function loadHttpRequest(): IVersionedNodeType {
	// This node is not a development dependency. It comes with the n8n that the demo pins.
	const load = createRequire(__filename);
	const { HttpRequest } = load('n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node') as {
		HttpRequest: new () => IVersionedNodeType;
	};
	return new HttpRequest();
}

const nodes: Record<string, INodeType | IVersionedNodeType> = {
	[TYPES.httpRequest]: loadHttpRequest(),
	[TYPES.supercast]: new Supercast(),
};

const nodeTypes: INodeTypes = {
	getByName: (name) => nodes[name]!,
	getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(nodes[name]!, version),
	getKnownTypes: () => ({}),
};

/** Holds the credentials of a run, like the server's store. */
class Credentials extends ICredentialsHelper {
	constructor(private readonly data: NodeRun['credentials']) {
		super();
	}

	getParentTypes = (): string[] => [];
	isCredentialUsableByNode = (): boolean => true;
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => await new SupercastApi().authenticate(credentials, options);
	preAuthentication = async (): Promise<undefined> => undefined;
	runPreAuthentication = async (): Promise<undefined> => undefined;
	getCredentials = async (): Promise<ICredentials> => {
		throw new Error('not used by the engine');
	};
	getDecrypted = async (
		_data: unknown,
		_credentials: unknown,
		type: string,
	): Promise<ICredentialDataDecryptedObject> => ({ ...this.data[type] });
	updateCredentials = async (): Promise<void> => undefined;
	updateCredentialsOauthTokenData = async (): Promise<void> => undefined;
	getCredentialsProperties = (): [] => [];
}

/** Runs a node on n8n's engine, like the server in an execution. */
export async function runNode(run: NodeRun): Promise<Ended> {
	const node: INode = {
		id: 'node',
		name: 'Node',
		type: TYPES[run.node],
		typeVersion: run.node === 'supercast' ? 1 : 4.2,
		position: [0, 0],
		parameters: run.parameters,
		credentials: Object.fromEntries(
			Object.keys(run.credentials).map((type) => [type, { id: 'bench', name: 'Bench' }]),
		),
		...run.settings,
	};
	const workflow = new Workflow({
		id: 'bench',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	const main = [run.items.map((json) => ({ json }))];
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main }, source: null }] },
	});
	const engine = new WorkflowExecute(additionalData(run, node), 'trigger', data);
	const start = performance.now();
	const { resultData } = (await engine.processRunExecutionData(workflow)).data;
	const ms = performance.now() - start;
	const task = resultData.runData.Node?.[0];
	const error = task?.error ?? resultData.error;
	return {
		ms,
		output: task?.data?.main?.[0] ?? [],
		...(error === undefined ? {} : { error: error.message }),
	};
}

function additionalData(run: NodeRun, node: INode): IWorkflowExecuteAdditionalData {
	const times = { createdAt: new Date(0), updatedAt: new Date(0), activeVersionId: null };
	const workflow = { id: 'bench', name: 'bench', nodes: [node], connections: {}, active: false };
	const local = 'http://127.0.0.1';
	return {
		credentialsHelper: new Credentials(run.credentials),
		hooks: new ExecutionLifecycleHooks('trigger', 'bench', {
			...workflow,
			...times,
			isArchived: false,
		}),
		executionId: 'bench',
		webhookBaseUrl: local,
		webhookWaitingBaseUrl: local,
		webhookTestBaseUrl: local,
		formWaitingBaseUrl: local,
		instanceBaseUrl: local,
		restApiUrl: local,
		currentNodeExecutionIndex: 0,
		variables: {},
		setExecutionStatus: () => undefined,
	} as unknown as IWorkflowExecuteAdditionalData;
}
