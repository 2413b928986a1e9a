import {
	createRunExecutionData,
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeTypes,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { nodeNamed, readWorkflowFile } from './files';

/** What nodes of a workflow have returned, by their names. A node that is missing has not run. */
export type Ran = Record<string, IDataObject[]>;

/** Resolves a parameter of a node, as n8n does for the first item. */
export function resolved(
	file: string,
	node: string,
	parameter: string,
	{ input, ran = {} }: { input: IDataObject; ran?: Ran },
): unknown {
	const { nodes, connections } = readWorkflowFile(file);
	const workflow = new Workflow({
		nodes: nodes as unknown as INode[],
		connections: connections as Workflow['connectionsBySourceNode'],
		active: false,
		nodeTypes: noTypes,
	});
	const runData = Object.fromEntries(
		Object.entries(ran).map(([name, items]) => [name, [runOf(items.map((json) => ({ json })))]]),
	);
	const value = nodeNamed(file, node)?.parameters[parameter] as NodeParameterValueType;
	return workflow.expression.getParameterValue(
		value,
		createRunExecutionData({ resultData: { runData } }),
		0,
		0,
		node,
		[{ json: input }],
		'manual',
		{},
	);
}

/** The fields that an Edit Fields node adds to an item. */
export function fieldsOf(
	file: string,
	node: string,
	from: { input: IDataObject; ran?: Ran },
): IDataObject {
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
		data: { main: [items] },
	};
}

/** Without types, n8n takes the nodes as they are in the file. */
const noTypes = {
	getByName: () => undefined,
	getByNameAndVersion: () => undefined,
	getKnownTypes: () => ({}),
} as unknown as INodeTypes;
