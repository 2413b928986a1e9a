import {
	NodeConnectionTypes,
	NodeHelpers,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
} from 'n8n-workflow';

import { Supercast } from '../../../nodes/Supercast/Supercast.node.js';

/**
 * A start node that outputs the items of a test, so that output items have a source to pair with.
 */
class Items implements INodeType {
	description = {
		displayName: 'Items',
		name: 'items',
		group: ['input' as const],
		version: 1,
		description: 'Passes on the items of a test',
		defaults: { name: 'Items' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

/** `first` uses only output 1. On their first run, `loop` uses only output 2, and `check` both. */
class TwoOutputs extends Items {
	constructor(kind: 'check' | 'first' | 'loop') {
		super();
		this.description = {
			...this.description,
			outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main] as never,
		};
		this.execute = async function (this: IExecuteFunctions) {
			const isLater = Number(this.getWorkflowDataProxy(0).$runIndex) > 0;
			const items = this.getInputData();
			if (kind === 'first' || isLater) return [items, []];
			return kind === 'loop' ? [[], items] : [items.slice(1), items.slice(0, 1)];
		};
	}
}

/** A node that waits for both of its inputs. */
class Merge extends Items {
	constructor() {
		super();
		this.description = {
			...this.description,
			inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main] as never,
		};
		this.execute = async function (this: IExecuteFunctions) {
			return [[...(this.getInputData(0) ?? []), ...(this.getInputData(1) ?? [])]];
		};
	}
}

/** A trigger that is registered when the workflow is published, and keeps something between starts. */
class Schedule extends Items {
	async trigger(): Promise<undefined> {
		return undefined;
	}
}

/** The node as a tool of an AI agent. It differs only in its name, although n8n changes more. */
function asTool(node: Supercast): Supercast {
	node.description = { ...node.description, name: `${node.description.name}Tool` };
	return node;
}

/** The type names in saved workflows. */
const NODE_TYPES: Record<string, INodeType> = {
	'test.items': new Items(),
	'test.check': new TwoOutputs('check'),
	'test.first': new TwoOutputs('first'),
	'test.loop': new TwoOutputs('loop'),
	'test.merge': new Merge(),
	'test.schedule': new Schedule(),
	'n8n-nodes-supercast.supercast': new Supercast(),
	'n8n-nodes-supercast.supercastTool': asTool(new Supercast()),
};

/** Types of nodes by the names that workflows use for them. */
export type NodeTypes = Record<string, INodeType | IVersionedNodeType>;

/** The node types for the workflow of a test, including `more`. */
export function nodeTypesWith(more: NodeTypes): INodeTypes {
	const types: NodeTypes = { ...NODE_TYPES, ...more };
	return {
		getByName: (name) => types[name]!,
		getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(types[name]!, version),
		getKnownTypes: () => ({}),
	};
}
