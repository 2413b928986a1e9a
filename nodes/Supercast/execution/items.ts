import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { nameKey } from '../api/identity';
import { textOf } from '../api/json';
import { readRequestOptions } from '../operations/properties';
import { taskForTool } from '../operations/output';
import type { ItemParameters, ItemTask } from '../operations/types';
import { findOperation } from '../resources';
import {
	Parameters,
	clientOpener,
	failedItem,
	isStopped,
	showHints,
	type NodeError,
} from './context';
import { executeSync } from './executeSync';
import { toNodeError } from './nodeErrors';
import { runConcurrently } from './pool';

/** The number of items to prepare within a few dozen milliseconds, before n8n can do other work. */
const PREPARED_AT_ONCE = 500;

/** Each item may add a different hint, so the editor shows only some of them. */
const MOST_HINTS = 3;

type Prepare = (item: ItemParameters) => ItemTask;

/** Runs the chosen operation: Sync once for all input items, and any other once for each item. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = textOf(context.getNodeParameter('resource', 0));
	const name = textOf(context.getNodeParameter('operation', 0));
	const operation = findOperation(resource, name);
	const prepare: Prepare = (item) => {
		if (operation !== undefined && 'prepare' in operation) return operation.prepare(item);
		throw new InputError(
			`The operation "${name}" does not exist for the resource "${resource}"`,
			"Choose the 'Operation' again in the node.",
		);
	};
	try {
		const isSync = operation !== undefined && !('prepare' in operation);
		return isSync ? await executeSync(context) : await executeItems(context, prepare);
	} catch (error) {
		throw toNodeError(context, error);
	}
}

/**
 * Runs an operation for every input item, several at a time.
 *
 * Reads and checks all items before the first request. If one item has invalid input, nothing is
 * sent, unless "Continue on Fail" is on.
 *
 * @returns The output items in the order of the input, each paired with its input item. With
 * "Continue on Fail", a failed item becomes one item with `error`.
 * @throws NodeApiError or NodeOperationError if an item fails and "Continue on Fail" is off. The
 * node first waits for the requests in progress. The error names the first failed item and says how
 * many others were completed. Also throws if the execution was stopped.
 */
async function executeItems(
	context: IExecuteFunctions,
	prepare: Prepare,
): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const tasks = await prepareItems(context, prepare, count);
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	const openClient = clientOpener(context, options.maxWaitMs);
	const hints = new Set<string>();
	const keys = orderingKeys(tasks);
	const runTask = async (index: number): Promise<INodeExecutionData[]> => {
		const task = tasks[index]!;
		if (task instanceof Error) throw task;
		const records = await task.run(await openClient(), (hint) => hints.add(hint));
		const pairedItem = { item: index };
		return records.map((json) => ({ json, pairedItem }));
	};
	const { results, failure, done } = await runConcurrently({
		count: tasks.length,
		width: options.parallelRequests,
		orderingKey: (index) => keys[index],
		task: async (index) =>
			await runTask(index).catch((error: unknown) => {
				if (!context.continueOnFail() || isStopped(context)) throw error;
				return [failedItem(toNodeError(context, error, index), [index])];
			}),
	});
	if (failure !== undefined) {
		const note = othersSentence(count - 1, done);
		throw toNodeError(context, failure.error, failure.index, note);
	}
	const shown = [...hints].slice(0, MOST_HINTS);
	showHints(
		context,
		shown.map((message) => ({ message })),
	);
	return results.flatMap((items) => items ?? []);
}

/**
 * Reads and checks every item.
 *
 * @returns The task of each item. With "Continue on Fail", an item with invalid input has an error
 * instead of a task. Ends early if the execution was stopped.
 * @throws NodeOperationError for the first item with invalid input, if "Continue on Fail" is off.
 */
async function prepareItems(
	context: IExecuteFunctions,
	prepare: Prepare,
	count: number,
): Promise<Array<ItemTask | NodeError>> {
	const parameters = new Parameters(context);
	const tasks: Array<ItemTask | NodeError> = [];
	for (let index = 0; index < count; index++) {
		try {
			const item = parameters.of(index);
			const task = prepare(item);
			tasks.push(item.isTool ? taskForTool(task, item) : task);
		} catch (error) {
			const note = othersSentence(count - 1, 0);
			if (!context.continueOnFail()) throw toNodeError(context, error, index, note);
			tasks.push(toNodeError(context, error, index));
		}
		if (tasks.length % PREPARED_AT_ONCE !== 0) continue;
		// Resolving expressions takes a long time, so let n8n do other work in between.
		await sleep(0);
		if (isStopped(context)) break;
	}
	return tasks;
}

/**
 * Gives the tasks of one record the same key. Names that differ only in case are the same, and a
 * task with two names connects them.
 */
function orderingKeys(tasks: Array<ItemTask | NodeError>): Array<string | undefined> {
	const parents = new Map<string, string>();
	const root = (name: string): string => {
		let parent = name;
		for (let next = parents.get(parent); next !== undefined; next = parents.get(parent)) {
			parent = next;
		}
		if (parent !== name) parents.set(name, parent);
		return parent;
	};
	const first = tasks.map((task) => {
		const given = task instanceof Error ? undefined : task.record;
		const [key, ...others] = [given ?? []].flat().map(nameKey);
		for (const other of others) {
			if (root(other) !== root(key!)) parents.set(root(other), root(key!));
		}
		return key;
	});
	return first.map((key) => (key === undefined ? undefined : root(key)));
}

/** How many other items were completed when one item stopped the node. */
function othersSentence(others: number, done: number): string {
	if (others === 0) return '';
	if (done === 0) return 'No other item was completed.';
	if (done === others) {
		return done === 1 ? 'The other item was completed.' : 'All other items were completed.';
	}
	return `${done} of the other ${others} items ${done === 1 ? 'was' : 'were'} completed.`;
}
