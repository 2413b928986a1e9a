/** What the runs of all operations share: the client, the stop signal, and failed items. */

import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { createClient, type Authentication, type SupercastClient } from '../api/client';
import { asRecord } from '../api/json';
import { readRequestOptions, type RequestOptions } from '../operations/requestOptions';
import { toNodeError } from './nodeErrors';

/** An error in n8n's format. */
export type NodeError = NodeApiError | NodeOperationError;

/** Whether someone has stopped the execution. */
export function isStopped(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal?.()?.aborted === true;
}

/** Returns a function that creates the client at its first call and reuses it after that. */
export function clientOpener(
	context: IExecuteFunctions,
	maxWaitMs: number,
): () => Promise<SupercastClient> {
	let client: Promise<SupercastClient> | undefined;
	return async () => {
		client ??= createClient(context, authenticationOf(context), { maxWaitMs });
		return await client;
	};
}

/**
 * The request options of a run.
 *
 * @throws NodeOperationError if a value is not a number.
 */
export function requestOptionsOf(context: IExecuteFunctions): RequestOptions {
	try {
		return readRequestOptions(asRecord(context.getNodeParameter('options', 0, {})) as IDataObject);
	} catch (error) {
		throw toNodeError(context, error);
	}
}

/** The value of the node's parameter `authentication`. */
export function authenticationOf(context: IExecuteFunctions): Authentication {
	return context.getNodeParameter('authentication', 0) as Authentication;
}

/**
 * The output for a failed item with "Continue on Fail". It sets only `json.error`, so that n8n
 * moves the item to the error output and adds the input fields. If an item has an error object, n8n
 * does neither.
 *
 * @param items Numbers of the input items that failed.
 */
export function failedItem(error: NodeError, items: number[]): INodeExecutionData {
	const remedy = error.description ? `. ${error.description.replace(/\n/g, ' ')}` : '';
	return { json: { error: `${error.message}${remedy}` }, pairedItem: pairedTo(items) };
}

/**
 * The input items of an output item, in n8n's format. An empty list means that there are none.
 * Without a list, n8n would choose the pairing itself.
 */
export function pairedTo(items: number[]): INodeExecutionData['pairedItem'] {
	const [first] = items;
	return items.length === 1 && first !== undefined
		? { item: first }
		: items.map((item) => ({ item }));
}

/** Shows hints next to the output. Versions of n8n that do not support hints show none. */
export function showHints(
	context: Partial<IExecuteFunctions>,
	hints: ReadonlyArray<{ message: string; type?: 'info' | 'warning' }>,
): void {
	for (const hint of hints) context.addExecutionHints?.({ ...hint, location: 'outputPane' });
}
