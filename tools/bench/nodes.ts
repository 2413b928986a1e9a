import { createRequire } from 'node:module';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IVersionedNodeType,
} from 'n8n-workflow';

import { runSupercast } from '../../test/harness/engine';
import type { NodeTypes } from '../../test/harness/engine/nodeTypes';

/** The nodes to compare. */
export type NodeName = 'httpRequest' | 'supercast';

/** One run of one node, which gets all items. */
export interface NodeRun {
	node: NodeName;
	parameters: INodeParameters;
	/** Settings of the node, such as Retry On Fail. */
	settings?: Partial<INode>;
	credential: { type: string; data: ICredentialDataDecryptedObject };
	items: IDataObject[];
}

/** How it ended. */
export interface Ended {
	ms: number;
	output: INodeExecutionData[];
	error?: string;
}

const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';

function loadHttpRequest(): IVersionedNodeType {
	// This node is not a development dependency. It comes with the n8n that the demo pins.
	const load = createRequire(__filename);
	const { HttpRequest } = load('n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node') as {
		HttpRequest: new () => IVersionedNodeType;
	};
	return new HttpRequest();
}

const nodeTypes: NodeTypes = { [HTTP_REQUEST]: loadHttpRequest() };

/** Runs a node on n8n's engine, like the server in an execution. */
export async function runNode(run: NodeRun): Promise<Ended> {
	const { type, data } = run.credential;
	const other: Partial<INode> = { type: HTTP_REQUEST, typeVersion: 4.2 };
	const node: Partial<INode> = {
		...(run.node === 'httpRequest' ? other : {}),
		credentials: { [type]: { id: 'bench', name: 'Bench' } },
		...run.settings,
	};
	const start = performance.now();
	const { output, error } = await runSupercast({
		parameters: run.parameters,
		credential: data,
		items: run.items,
		node,
		nodeTypes,
	});
	const ms = performance.now() - start;
	return { ms, output, error: error?.message };
}
