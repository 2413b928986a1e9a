import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createClient, type SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { nameKey } from '../api/identity';
import { textOf } from '../api/json';
import { readRequestOptions } from '../operations/properties';
import { taskForTool } from '../operations/output';
import type { ItemTask, Operation } from '../operations/types';
import { findOperation } from '../resources';
import { authenticationOf, isStopped } from './context';
import { executeSync } from './executeSync';
import { readItems, runConcurrently } from './items';
import { failedItem, toNodeError } from './nodeErrors';

/** Each item may add a different hint, so the editor shows only some of them. */
const MOST_HINTS = 3;

const NONE_COMPLETED = 'No other item was completed.';

/**
 * Runs the chosen operation: Sync once for all input items, and any other once for each item.
 * @throws NodeApiError or NodeOperationError, also if the execution was stopped.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = textOf(context.getNodeParameter('resource', 0));
	const name = textOf(context.getNodeParameter('operation', 0));
	const operation = findOperation(resource, name);
	if (operation !== undefined && !('prepare' in operation)) return await executeSync(context);
	try {
		if (operation !== undefined) return await executeItems(context, operation);
		throw new InputError(
			`The operation "${name}" does not exist for the resource "${resource}"`,
			"Choose the 'Operation' again in the node.",
		);
	} catch (error) {
		const nodeError = toNodeError(context, error);
		if (!context.continueOnFail() || isStopped(context)) throw nodeError;
		return context.getInputData().map((_, index) => failedItem(nodeError, [index]));
	}
}

/**
 * Runs an operation for every input item. If one item has invalid input, nothing is sent, unless
 * "Continue on Fail" is on. The error names the first failed item.
 */
async function executeItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const others = context.getInputData().length - 1;
	const tasks = await readItems(context, others === 0 ? '' : NONE_COMPLETED, (item) => {
		const task = operation.prepare(item);
		return item.isTool ? taskForTool(task, item) : task;
	});
	const options = readRequestOptions(context.getNodeParameter('options', 0, {}));
	let client: Promise<SupercastClient> | undefined;
	const hints = new Set<string>();
	const runTask = async (task: Error | ItemTask, index: number): Promise<INodeExecutionData[]> => {
		if (task instanceof Error) throw task;
		client ??= createClient(context, authenticationOf(context), options);
		const records = await task.run(await client, (hint) => hints.add(hint));
		return records.map((json) => ({ json, pairedItem: { item: index } }));
	};
	const { results, failure } = await runConcurrently(
		tasks,
		options.parallelRequests,
		async (task, index) =>
			await runTask(task, index).catch((error: unknown) => {
				if (!context.continueOnFail() || isStopped(context)) throw error;
				return [failedItem(toNodeError(context, error, index), [index])];
			}),
		orderingKeys(tasks),
	);
	if (failure !== undefined) {
		const done = results.filter((one) => one !== undefined).length;
		throw toNodeError(context, failure.error, failure.index, othersSentence(others, done));
	}
	for (const message of [...hints].slice(0, MOST_HINTS)) {
		// Versions of n8n that do not support hints show none.
		context.addExecutionHints?.({ message, location: 'outputPane' });
	}
	return results.flatMap((items) => items ?? []);
}

/** Gives the tasks of one record the same key. A task with two names connects them. */
function orderingKeys(tasks: ReadonlyArray<Error | ItemTask>): Array<string | undefined> {
	const parents = new Map<string, string>();
	const root = (name: string): string => {
		let top = name;
		for (let next = parents.get(top); next !== undefined; next = parents.get(top)) top = next;
		if (top !== name) parents.set(name, top);
		return top;
	};
	const first: Array<string | undefined> = [];
	for (const task of tasks) {
		const given = task instanceof Error ? [] : (task.record ?? []);
		const [key, ...others] = [given].flat().map(nameKey);
		for (const other of others) {
			if (root(other) !== root(key!)) parents.set(root(other), root(key!));
		}
		first.push(key);
	}
	return first.map((key) => key && root(key));
}

function othersSentence(others: number, done: number): string {
	if (others === 0) return '';
	if (done === 0) return NONE_COMPLETED;
	if (done === others) {
		return done === 1 ? 'The other item was completed.' : 'All other items were completed.';
	}
	return `${done} of the other ${others} items ${done === 1 ? 'was' : 'were'} completed.`;
}
