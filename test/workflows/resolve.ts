import {
	createRunExecutionData,
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeTypes,
	type NodeParameterValueType,
} from 'n8n-workflow';

import type { WorkflowNode } from '../harness/n8n/setup';
import { readWorkflowFile } from './files';

/** What nodes of a workflow have returned, by their names. A node that is missing has not run. */
export type Ran = Record<string, IDataObject[]>;

/** The item for which n8n resolves a parameter, and what it can refer to. */
export interface From {
	input: IDataObject;
	/** All items that the node receives, and the place of this one. Without them, it is the only one. */
	items?: IDataObject[];
	index?: number;
	ran?: Ran;
	/** What a person changes in the file. */
	edit?: (node: WorkflowNode) => void;
}

/** Resolves a parameter of a node, as n8n does for an item. */
export function resolved(
	file: string,
	node: string,
	parameter: string,
	{ input, items = [input], index = 0, ran = {}, edit }: From,
): unknown {
	const { nodes, connections } = readWorkflowFile(file);
	if (edit !== undefined) nodes.forEach(edit);
	const workflow = new Workflow({
		id: 'w1',
		name: 'Members',
		nodes: nodes as unknown as INode[],
		connections: connections as Workflow['connectionsBySourceNode'],
		active: false,
		nodeTypes: noTypes,
	});
	const runData = Object.fromEntries(
		Object.entries(ran).map(([name, items]) => [name, [runOf(items.map((json) => ({ json })))]]),
	);
	const parameters = nodes.find(({ name }) => name === node)?.parameters ?? {};
	const value = parameters[parameter] as NodeParameterValueType;
	return workflow.expression.getParameterValue(
		value,
		createRunExecutionData({ resultData: { runData } }),
		0,
		index,
		node,
		items.map((json) => ({ json })),
		'manual',
		{},
	);
}

/** The fields that an Edit Fields node adds to an item. */
export function fieldsOf(file: string, node: string, from: From): IDataObject {
	const { assignments } = resolved(file, node, 'assignments', from) as {
		assignments: Array<{ name: string; value: NodeParameterValueType }>;
	};
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

function runOf(items: INodeExecutionData[]) {
	return {
		startTime: 0,
		executionTime: 0,
		executionIndex: 0,
		source: [],
		// An expression reads the output that leads to its node, such as that of a loop.
		data: { main: [items, items] },
	};
}

/** Without types, n8n takes the nodes as they are in the file. */
const noTypes = {
	getByName: () => undefined,
	getByNameAndVersion: () => undefined,
	getKnownTypes: () => ({}),
} as unknown as INodeTypes;
