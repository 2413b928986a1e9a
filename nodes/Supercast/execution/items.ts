import type { IExecuteFunctions } from 'n8n-workflow';

import { runtime } from '../api/clock';
import { forEach, paced } from '../operations/steps';
import type { ItemParameters } from '../operations/types';
import { isStopped, parameterReader } from './context';
import { toNodeError, type NodeError } from './nodeErrors';

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

/** Few items are read without a pause, because an event must not overtake one that came earlier. */
async function forEachItem(
	context: IExecuteFunctions,
	parametersOf: (index: number) => ItemParameters,
	read: (item: ItemParameters, index: number) => void,
): Promise<void> {
	const reading = forEach(indexesUntilStop(context), (index) => read(parametersOf(index), index));
	await paced(reading, runtime.clock);
}

function* indexesUntilStop(context: IExecuteFunctions): Generator<number> {
	for (const index of context.getInputData().keys()) {
		yield index;
		if (isStopped(context)) return;
	}
}
