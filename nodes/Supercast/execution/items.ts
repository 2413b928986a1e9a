import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { ItemParameters } from '../operations/types';
import { isStopped, parameterReader } from './context';
import { toNodeError, type NodeError } from './nodeErrors';

/** Resolving the expressions of this many items takes a few dozen milliseconds. */
const READ_AT_ONCE = 500;

/**
 * Reads and checks every input item, before the first request. Ends early after a stop.
 * @param note A sentence for the error that stops the node.
 * @throws NodeOperationError for the first invalid item, if "Continue on Fail" is off.
 */
export async function readItems<T>(
	context: IExecuteFunctions,
	note: string,
	read: (item: ItemParameters, index: number) => T,
): Promise<Array<NodeError | T>> {
	const isLenient = context.continueOnFail();
	const all: Array<NodeError | T> = [];
	await forEachItem(context, parameterReader(context), (item, index) => {
		try {
			all.push(read(item, index));
		} catch (error) {
			const nodeError = toNodeError(context, error, index, isLenient ? '' : note);
			if (!isLenient) throw nodeError;
			all.push(nodeError);
		}
	});
	return all;
}

/**
 * Reads the items that together are a list.
 * @param once Fields of collections, such as `options.limit`, that are read for the first item only,
 * because they are the same for all items and their expressions may read whole lists.
 */
export async function readEach(
	context: IExecuteFunctions,
	once: readonly string[],
	read: (item: ItemParameters, index: number) => void,
): Promise<void> {
	await forEachItem(context, parameterReader(context, { once }), read);
}

async function forEachItem(
	context: IExecuteFunctions,
	parametersOf: (index: number) => ItemParameters,
	read: (item: ItemParameters, index: number) => void,
): Promise<void> {
	for (const index of context.getInputData().keys()) {
		read(parametersOf(index), index);
		if ((index + 1) % READ_AT_ONCE !== 0) continue;
		// Let n8n do other work in between.
		await sleep(0);
		if (isStopped(context)) break;
	}
}
