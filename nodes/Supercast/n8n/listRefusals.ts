/**
 * Checks whether an operation on a whole list may run. It must not run if the node would treat only
 * a part of the list as the whole list.
 */

import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';

/**
 * Makes sure that the node receives the whole list, and only once.
 *
 * @throws InputError if the node is an AI agent tool, has 'Execute Once' on, is in a loop, or runs
 * more than once.
 */
export function refusePartialList(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (isTool(context, node)) {
		throw new InputError(
			'Sync cannot be used as an AI agent tool',
			'An agent calls a tool with one item, which Sync would treat as the whole list. Use Sync in a separate workflow.',
		);
	}
	if (node.executeOnce === true) {
		throw new InputError(
			"The node's setting 'Execute Once' is on, so Sync receives only the first item",
			"Turn off 'Execute Once' in the node's settings.",
		);
	}
	if (isInLoop(context, node)) {
		throw new InputError(
			'Sync is in a loop, where it would treat each round as the whole list',
			'Connect Sync after the loop, so that it receives all items together.',
		);
	}
	if (isLaterRun(context)) {
		throw new InputError(
			'Sync would run twice in this execution and treat each part as the whole list',
			'Add a Merge node before Sync, so that Sync receives all items together.',
		);
	}
}

/** n8n gives the tool variant of a node a separate type, which ends in "Tool". */
function isTool(context: IExecuteFunctions, { type, rewireOutputLogTo }: INode): boolean {
	const isToolCall = context.isToolExecution?.() === true;
	return isToolCall || type.endsWith('Tool') || rewireOutputLogTo === 'ai_tool';
}

function isInLoop(context: IExecuteFunctions, { name }: INode): boolean {
	const before = new Set(context.getParentNodes(name).map((node) => node.name));
	return context.getChildNodes(name).some((node) => before.has(node.name));
}

function isLaterRun(context: IExecuteFunctions): boolean {
	return Number(context.getWorkflowDataProxy(0).$runIndex) > 0;
}
