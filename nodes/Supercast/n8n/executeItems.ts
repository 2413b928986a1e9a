import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';
import { taskForTool } from '../operations/output/toolOutput';
import { readRequestOptions } from '../operations/requestOptions';
import type { ItemParameters, ItemTask, Operation } from '../operations/types';
import { findOperation } from '../resources';
import { toNodeError } from './nodeErrors';
import { Parameters } from './parameters';
import { clientOpener, failedItem, isStopped, showHints, type NodeError } from './runContext';
import { runConcurrently } from './runConcurrently';

/** For how long places of finished items stay free, so that requests leave together. */
const REFILL_MS = 50;

/** After how many items other work in n8n gets a turn. They take some tens of milliseconds. */
const PREPARED_AT_ONCE = 500;

/** How many hints the editor shows for a run, since each item may lead to a different one. */
const MOST_HINTS = 3;

/**
 * Runs the chosen operation for every input item, several at a time.
 *
 * It reads and checks all items before the first request. So one item with bad input means that
 * nothing is sent, unless "Continue on Fail" is on.
 *
 * @returns The output items in the order of the input, each paired to the item it came from. With
 * "Continue on Fail", an item that failed gives one item with `error`.
 * @throws NodeApiError or NodeOperationError otherwise, after the requests under way have ended. It
 * names the first item that failed and how many others were done. Also throws whenever the
 * execution was stopped.
 */
export async function executeItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const tasks = await prepareItems(context, count);
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	const openClient = clientOpener(context, options.maxWaitMs);
	const hints = new Set<string>();
	const { results, failure, done } = await runConcurrently({
		count: tasks.length,
		width: options.parallelRequests,
		orderingKey: (index) => orderingKey(tasks[index]),
		task: async (index) =>
			await runTask(tasks[index]!, { index, openClient, hints }).catch((error: unknown) => {
				if (!context.continueOnFail() || isStopped(context)) throw error;
				return [failedItem(toNodeError(context, error, index), [index])];
			}),
		pause: async () => await sleep(REFILL_MS),
	});
	if (failure === undefined) {
		const shown = [...hints].slice(0, MOST_HINTS);
		showHints(
			context,
			shown.map((message) => ({ message })),
		);
		return results.flatMap((items) => items ?? []);
	}
	const { error, index } = failure;
	throw toNodeError(context, error, index, othersSentence(count - 1, done));
}

/**
 * Reads and checks every item.
 *
 * @returns For each item its task, or with "Continue on Fail" the error that its input leads to.
 * Ends early when the execution was stopped.
 * @throws NodeOperationError otherwise, naming the first item with bad input.
 */
async function prepareItems(
	context: IExecuteFunctions,
	count: number,
): Promise<Array<ItemTask | NodeError>> {
	const parameters = new Parameters(context);
	const tasks: Array<ItemTask | NodeError> = [];
	for (let index = 0; index < count; index++) {
		try {
			const item = parameters.of(index);
			const task = chosenOperation(item).prepare(item);
			tasks.push(item.isTool ? taskForTool(task, item) : task);
		} catch (error) {
			const note = othersSentence(count - 1, 0);
			if (!context.continueOnFail()) throw toNodeError(context, error, index, note);
			tasks.push(toNodeError(context, error, index));
		}
		if (tasks.length % PREPARED_AT_ONCE !== 0) continue;
		// Resolving expressions takes long, and n8n has other work to do meanwhile.
		await sleep(0);
		if (isStopped(context)) break;
	}
	return tasks;
}

function chosenOperation(item: ItemParameters): Operation {
	const resource = textOf(item.parameter('resource'));
	const name = textOf(item.parameter('operation'));
	const operation = findOperation(resource, name);
	if (operation === undefined || !('prepare' in operation)) {
		throw new InputError(
			`The operation "${name}" does not exist for the resource "${resource}"`,
			"Choose the 'Operation' again in the node.",
		);
	}
	return operation;
}

/** What a task needs besides itself. */
interface TaskTools {
	index: number;
	openClient: () => Promise<SupercastClient>;
	/** Collects the hints of all tasks, each once. */
	hints: Set<string>;
}

async function runTask(
	task: ItemTask | NodeError,
	{ index, openClient, hints }: TaskTools,
): Promise<INodeExecutionData[]> {
	if (task instanceof Error) throw task;
	const records = await task.run(await openClient(), (hint) => hints.add(hint));
	const pairedItem = { item: index };
	return records.map((json) => ({ json, pairedItem }));
}

/** Compares names of records as people write them: emails in any case. */
function orderingKey(task: ItemTask | NodeError | undefined): string | undefined {
	if (task === undefined || task instanceof Error) return undefined;
	return task.record?.trim().toLowerCase();
}

/** What happened to the other items when one item stopped the node. */
function othersSentence(others: number, done: number): string {
	if (others === 0) return '';
	if (done === 0) return 'No other item was completed.';
	return `${done} of the other ${others} ${others === 1 ? 'item' : 'items'} ${done === 1 ? 'was' : 'were'} completed.`;
}
