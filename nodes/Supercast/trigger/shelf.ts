/** Where n8n keeps a trigger's memory. */

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Shelf } from './detect';
import { parseMemory, type Memory } from './memory';

const SHARED_KEY = 'supercastTrigger';

/** Nodes that are gone leave their memory behind; so many nodes of a workflow are remembered. */
const MOST_NODES = 8;

/**
 * The memory of one node for one event.
 *
 * n8n files a node's memory under the node's name, so that a renamed node finds none, and there are
 * versions of n8n that do not save it after an activation without news. A copy is kept with the
 * workflow, under the node's id. The node's own memory goes first: n8n may save it together with the
 * execution.
 */
export function shelfOf(context: IPollFunctions, event: string): Shelf {
	const own = context.getWorkflowStaticData('node');
	const workflow = context.getWorkflowStaticData('global');
	const node = context.getNode().id;
	return {
		recall: () => parseMemory(own[event]) ?? parseMemory(sharedMemories(workflow, node)[event]),
		keep: (memory) => {
			if (!isSame(own[event], memory)) own[event] = copyOf(memory);
			const shared = sharedMemories(workflow, node);
			if (isSame(shared[event], memory)) return;
			const others = Object.entries(asObject(workflow[SHARED_KEY])).filter(([id]) => id !== node);
			workflow[SHARED_KEY] = {
				...Object.fromEntries(others.slice(1 - MOST_NODES)),
				[node]: { ...shared, [event]: copyOf(memory) },
			};
		},
	};
}

function sharedMemories(workflow: IDataObject, node: string): IDataObject {
	return asObject(asObject(workflow[SHARED_KEY])[node]);
}

function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null ? (value as IDataObject) : {};
}

// n8n makes stored objects observable, so that none should stand in two places.
function copyOf(memory: Memory): IDataObject {
	return { ...memory, ...(memory.last === undefined ? {} : { last: { ...memory.last } }) };
}

function isSame(stored: unknown, memory: Memory): boolean {
	return JSON.stringify(stored) === JSON.stringify(memory);
}
