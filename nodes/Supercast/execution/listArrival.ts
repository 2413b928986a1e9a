/** How the list of members reaches Sync: whether it is whole, and when it was read. */

import type { IExecuteFunctions } from 'n8n-workflow';

import type { ListArrival } from '../access/sync/list';
import { InputError } from '../api/errors/errors';
import { isTool, nodesBefore, runDataOf, spansBefore } from './context';

/**
 * How the list has reached the node. "Execute step" and a retry use what the earlier nodes returned
 * before, however old it is.
 * @param arrivedAt In milliseconds since 1970.
 */
export function listArrival(context: IExecuteFunctions, arrivedAt: number): ListArrival {
	const spans = spansBefore(context);
	const arrival = { arrivedAt, mayGetMore: mayGetMore(context) };
	if (spans === undefined) return { ...arrival, readingBeganAt: arrivedAt, idleMs: undefined };
	const readingBeganAt = Math.min(spans[0]?.start ?? arrivedAt, arrivedAt);
	let end = readingBeganAt;
	let idleMs = 0;
	for (const span of [...spans, { start: arrivedAt, end: arrivedAt }]) {
		idleMs = Math.max(idleMs, span.start - end);
		end = Math.max(end, span.end);
	}
	return { ...arrival, readingBeganAt, idleMs };
}

/** Throws InputError if the node does not receive the whole list, or receives it more than once. */
export function refusePartialList(context: IExecuteFunctions): void {
	const { name, executeOnce = false } = context.getNode();
	const isSecondRun = Number(context.getWorkflowDataProxy(0).$runIndex) > 0;
	const refusals: Array<[boolean, string, string]> = [
		[
			isTool(context),
			'Sync cannot be used as an AI agent tool',
			'An agent calls a tool with one item, which Sync would treat as the complete list. Use Sync in a separate workflow.',
		],
		[
			executeOnce,
			"The node's setting 'Execute Once' is on, so Sync receives only the first item",
			"Turn off 'Execute Once' in the node's settings.",
		],
		[
			isInLoop(context, name),
			'Sync is in a loop, where it would treat each round as the complete list',
			'Connect Sync after the loop, so that it receives all items together.',
		],
		[
			isSecondRun,
			'Sync would run twice in this execution and treat each part as the complete list',
			'Add a Merge node before Sync, so that Sync receives all items together.',
		],
	];
	for (const [isPartial, message, remedy] of refusals) {
		if (isPartial) throw new InputError(message, remedy);
	}
}

/**
 * Whether the list may arrive in parts. n8n runs one branch to its end before the next, so a node
 * before this one may still be due. Or such a node ran twice, and some of its items went elsewhere.
 */
function mayGetMore(context: IExecuteFunctions): boolean {
	const runExecutionData = runDataOf(context);
	const { nodeExecutionStack = [], waitingExecution = {} } = runExecutionData?.executionData ?? {};
	const due = nodeExecutionStack.map(({ node }) => node.name).concat(Object.keys(waitingExecution));
	const runs = runExecutionData?.resultData?.runData ?? {};
	const { name } = context.getNode();
	return [name, ...nodesBefore(context)].some((one) => {
		const isRepeated = (runs[one]?.length ?? 0) > 1 && !isInLoop(context, one);
		return isRepeated || due.includes(one);
	});
}

function isInLoop(context: IExecuteFunctions, name: string): boolean {
	const before = nodesBefore(context, name);
	return context.getChildNodes(name).some((node) => before.includes(node.name));
}
