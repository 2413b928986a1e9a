/** What the runs of all operations share: the client, the button that stops them, and failed items. */

import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { createClient, type Authentication, type SupercastClient } from '../api/client';

/** What a node ends with when something went wrong. */
export type NodeError = NodeApiError | NodeOperationError;

/** Whether somebody has stopped the execution. */
export function isStopped(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal?.()?.aborted === true;
}

/** Makes the function that opens the client of a run when it is first needed. */
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

/** The value of the node's parameter `authentication`. */
export function authenticationOf(context: IExecuteFunctions): Authentication {
	return context.getNodeParameter('authentication', 0) as Authentication;
}

/**
 * What an item that failed leads to with "Continue on Fail". Only `json.error` is set: n8n takes such
 * an item to the error output and adds the input's fields to it, which it does not when the item
 * carries an error object as well.
 *
 * @param items Numbers of the input items that failed.
 */
export function failedItem(error: NodeError, items: number[]): INodeExecutionData {
	const remedy = error.description ? `. ${error.description.replace(/\n/g, ' ')}` : '';
	return { json: { error: `${error.message}${remedy}` }, pairedItem: pairedTo(items) };
}

/** One item as n8n itself writes it; an empty list is left as it is, since n8n pairs what has none. */
export function pairedTo(items: number[]): INodeExecutionData['pairedItem'] {
	const [first] = items;
	return items.length === 1 && first !== undefined
		? { item: first }
		: items.map((item) => ({ item }));
}

/** Shows hints beside the output. Versions of n8n that do not know them show none. */
export function showHints(
	context: Partial<IExecuteFunctions>,
	hints: ReadonlyArray<{ message: string; type?: 'info' | 'warning' }>,
): void {
	for (const hint of hints) context.addExecutionHints?.({ ...hint, location: 'outputPane' });
}
