import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createClient, type Authentication, type SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { nameKey } from '../api/identity';
import { textOf } from '../api/json';
import { readRequestOptions } from '../operations/properties';
import { taskForTool } from '../operations/output';
import type { ItemTask } from '../operations/types';
import { findOperation } from '../resources';
import { isStopped } from './context';
import { executeSync } from './executeSync';
import { readItems, runConcurrently } from './items';
import { failedItem, toNodeError } from './nodeErrors';

/** Each item may add a different hint, so the editor shows only some of them. */
const MOST_HINTS = 3;

/**
 * Runs the chosen operation: Sync once for all input items, and any other once for each item. If one
 * item has invalid input, nothing is sent, unless "Continue on Fail" is on.
 * @throws NodeApiError or NodeOperationError for the first failed item, or after a stop.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = textOf(context.getNodeParameter('resource', 0));
	const name = textOf(context.getNodeParameter('operation', 0));
	const operation = findOperation(resource, name);
	if (operation !== undefined && !('prepare' in operation)) return await executeSync(context);
	const others = context.getInputData().length - 1;
	let options = readRequestOptions({});
	const tasks = await readItems(context, othersSentence(others, 0), (item, index) => {
		if (operation === undefined) {
			throw new InputError(
				`The operation "${name}" does not exist for the resource "${resource}"`,
				"Choose the 'Operation' again in the node.",
			);
		}
		const given = readRequestOptions(item.collection('options'));
		if (index === 0) options = given;
		const task = operation.prepare(item);
		return item.isTool ? taskForTool(task, item) : task;
	});
	let client: Promise<SupercastClient> | undefined;
	const hints = new Set<string>();
	const runTask = async (task: Error | ItemTask, index: number): Promise<INodeExecutionData[]> => {
		if (task instanceof Error) throw task;
		client ??= createClient(
			context,
			context.getNodeParameter('authentication', 0) as Authentication,
			options,
		);
		const records = await task.run(await client, (hint) => hints.add(hint));
		return records.map((json) => ({ json, pairedItem: { item: index } }));
	};
	const outputs: INodeExecutionData[][] = [];
	const work = async (task: Error | ItemTask, index: number): Promise<void> => {
		outputs[index] = await runTask(task, index).catch((error: unknown) => {
			if (!context.continueOnFail() || isStopped(context)) throw error;
			return [failedItem(toNodeError(context, error, index), { item: index })];
		});
	};
	const failure = await runConcurrently(tasks, options.parallelRequests, work, namesOf);
	if (failure !== undefined) {
		const done = Object.keys(outputs).length;
		throw toNodeError(context, failure.error, failure.index, othersSentence(others, done));
	}
	for (const message of [...hints].slice(0, MOST_HINTS)) {
		// Versions of n8n that do not support hints show none.
		context.addExecutionHints?.({ message, location: 'outputPane' });
	}
	return outputs.flat();
}

/** Tasks that share a name keep their order. */
function namesOf(task: Error | ItemTask): string[] {
	return task instanceof Error ? [] : [task.record ?? []].flat().map(nameKey);
}

function othersSentence(others: number, done: number): string {
	if (others === 0) return '';
	if (done === 0) return 'No other item was completed.';
	if (done === others) {
		return done === 1 ? 'The other item was completed.' : 'All other items were completed.';
	}
	return `${done} of the other ${others} items ${done === 1 ? 'was' : 'were'} completed.`;
}
