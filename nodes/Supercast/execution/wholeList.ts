/** Checks whether Sync receives the whole list, and not only a part of it. */

import type { IConnections, IExecuteFunctions, INode, IRunData } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { isTool } from './context';

/**
 * Makes sure that the node receives the whole list, and only once.
 *
 * @throws InputError if the node is an AI agent tool, has 'Execute Once' on, is in a loop, or runs
 * more than once.
 */
export function refusePartialList(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (isTool(context)) {
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
	if (Number(context.getWorkflowDataProxy(0).$runIndex) > 0) {
		throw new InputError(
			'Sync would run twice in this execution and treat each part as the whole list',
			'Add a Merge node before Sync, so that Sync receives all items together.',
		);
	}
}

function isInLoop(context: IExecuteFunctions, { name }: INode): boolean {
	const before = new Set(context.getParentNodes(name).map((node) => node.name));
	return context.getChildNodes(name).some((node) => before.has(node.name));
}

/** What n8n's context holds beyond its documented interface (n8n-core, NodeExecutionContext). */
interface Inside {
	workflow?: { connectionsByDestinationNode?: IConnections };
	runExecutionData?: { resultData?: { runData?: IRunData } } | null;
}

/**
 * Whether another branch of this execution may bring more items to the node later. n8n runs one
 * branch to its end before the next, so the node then gets only a part of the list.
 *
 * @returns True if two branches meet before the node, at an input that does not wait for both. A
 * branch counts if its items are already there, or if an earlier node has sent items into it.
 */
export function mayGetMore(context: IExecuteFunctions): boolean {
	const { workflow, runExecutionData } = context as unknown as Inside;
	const sources = workflow?.connectionsByDestinationNode ?? {};
	const runData = runExecutionData?.resultData?.runData ?? {};
	const inputsOf = (node: string) => (sources[node]?.main ?? []).map((input) => input ?? []);

	const isLive = ({ node, index }: { node: string; index: number }, path: string[]): boolean => {
		const runs = runData[node];
		if (runs !== undefined) return runs.some(({ data }) => (data?.main?.[index]?.length ?? 0) > 0);
		if (path.includes(node)) return false;
		return inputsOf(node)
			.flat()
			.some((source) => isLive(source, [...path, node]));
	};
	const { name } = context.getNode();
	const before = [name, ...context.getParentNodes(name).map((parent) => parent.name)];
	return before.some((node) => {
		const after = new Set(context.getChildNodes(node).map((child) => child.name));
		return inputsOf(node).some((input) => {
			// A connection from a later node closes a loop, and is no further branch.
			const branches = input.filter((source) => source.node !== node && !after.has(source.node));
			return branches.filter((source) => isLive(source, [])).length > 1;
		});
	});
}
