import {
	createRunExecutionData,
	Workflow,
	type IDataObject,
	type INode,
	type INodeTypes,
	type ITaskData,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { readWorkflowFile } from '../files';
import { MISSING } from './hostile';

/**
 * The items that an expression can read: the input (`$json`), a page (`$response`), and other nodes'.
 * `$runIndex` says how often the node has run before.
 */
export type Items = Record<string, IDataObject[]>;

const workflows = new Map<string, Workflow>();

/** Evaluates an expression with n8n's own engine. Anything that it throws is the result, too. */
export function evaluate(file: string, node: string, text: unknown, items: Items): unknown {
	const { $json: [json = {}] = [], $response: [response] = [], $runIndex, ...ran } = items;
	const runIndex = Number($runIndex?.[0]?.value ?? 0);
	const runData = Object.fromEntries(
		Object.entries(ran).map(([name, list]) => [name, [runOf(list)]]),
	);
	// What a model fills in for $fromAI.
	const override = { ai_tool: [[{ json }]] };
	runData[node] = [{ ...runOf([]), inputOverride: override }];
	try {
		return workflowOf(file).expression.getParameterValue(
			text as NodeParameterValueType,
			createRunExecutionData({ resultData: { runData } }),
			runIndex,
			0,
			node,
			[{ json, pairedItem: { item: 0 } }],
			'manual',
			{ $execution: EXECUTION, ...(response && { $response: response, $pageCount: 1 }) },
			{ data: { main: [[{ json }]] }, node: nodeOf(file, node), source: sourceOf(text) },
		);
	} catch (error) {
		return error;
	}
}

const EXECUTION = { id: '77', mode: 'production', resumeUrl: '', resumeFormUrl: '' } as const;

/** Replaces one field of the first item. A path such as `One Alert.subscriber.email` can be deep. */
export function withValue(items: Items, path: string, value: unknown): Items {
	const copy = structuredClone(items);
	const [node = '', ...keys] = path.split('.');
	const last = keys.pop() ?? '';
	const box = keys.reduce<IDataObject>(
		(found, key) => found[key] as IDataObject,
		copy[node]?.[0] ?? {},
	);
	if (value === MISSING) delete box[last];
	else box[last] = value as IDataObject[string];
	return copy;
}

/** Where the item comes from: the node whose item the expression reads, as in `$('Access').item`. */
function sourceOf(text: unknown) {
	const [, previousNode = 'Somewhere'] = /\$\('([^']+)'\)\.item/.exec(String(text)) ?? [];
	return { main: [{ previousNode, previousNodeOutput: 0, previousNodeRun: 0 }] };
}

function workflowOf(file: string): Workflow {
	const known = workflows.get(file);
	if (known !== undefined) return known;
	const { nodes, connections } = readWorkflowFile(file);
	const workflow = new Workflow({
		id: 'w1',
		name: 'Members',
		nodes: nodes as unknown as INode[],
		connections: connections as Workflow['connectionsBySourceNode'],
		active: false,
		nodeTypes: noTypes,
	});
	workflows.set(file, workflow);
	return workflow;
}

const nodeOf = (file: string, name: string): INode => workflowOf(file).getNode(name) as INode;

function runOf(items: IDataObject[]): ITaskData {
	return {
		startTime: 0,
		executionTime: 0,
		executionIndex: 0,
		source: [],
		data: { main: [[], []].map(() => items.map((json) => ({ json }))) },
	};
}

/** Without types, n8n takes the nodes as they are in the file. */
const noTypes = {
	getByName: () => undefined,
	getByNameAndVersion: () => undefined,
	getKnownTypes: () => ({}),
} as unknown as INodeTypes;
