import type { INodeType } from 'n8n-workflow';

import type { NodeTypes } from '../harness/engine/nodeTypes';

type Module = { Supercast: new () => INodeType };

/** n8n processes in one test. Each one has loaded the node by itself, and knows only what it did. */
export class Processes {
	private readonly loaded = new Map<string, NodeTypes>();

	/** The node as this process has loaded it. */
	nodeTypes(name: string): NodeTypes {
		const known = this.loaded.get(name);
		if (known !== undefined) return known;
		let types: NodeTypes = {};
		jest.isolateModules(() => {
			const { Supercast } = jest.requireActual<Module>('../../nodes/Supercast/Supercast.node');
			types = { 'n8n-nodes-supercast.supercast': new Supercast() };
		});
		this.loaded.set(name, types);
		return types;
	}
}
