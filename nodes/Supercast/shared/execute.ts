import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { findOperation } from '../resources';
import type { Locator, Operation, OperationItem } from '../resources/types';
import { createClient, type SupercastClient } from '../transport/client';
import { InputError } from '../transport/errors';
import { toNodeError } from './nodeErrors';
import { readRequestOptions, type RequestOptions } from './requestOptions';
import { sideBySide } from './sideBySide';
import { textOf } from './text';

/**
 * Runs the chosen operation for every input item, several at a time.
 *
 * @returns The output items in the order of the input, each paired to the item it came from. With
 * "Continue on Fail", an item that failed gives one item with `error`.
 * @throws NodeApiError or NodeOperationError naming the first item that failed otherwise, when those
 * under way have ended; and whenever the execution was stopped.
 */
export async function executeItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	if (count === 0) return [];
	const options = readRequestOptions(context);
	const openClient = clientOpener(context, options);
	const outputs = await sideBySide({
		count,
		width: options.parallelRequests,
		nameOf: (index) => recordName(context, index),
		task: async (index) => {
			try {
				const operation = chosenOperation(context, index);
				const records = await operation.execute(operationItem(context, index, await openClient()));
				return records.map((json) => ({ json, pairedItem: { item: index } }));
			} catch (error) {
				const nodeError = toNodeError(context, error, index);
				if (!context.continueOnFail() || isStopped(context)) throw nodeError;
				return [failedItem(nodeError, index)];
			}
		},
	});
	return outputs.flat();
}

/**
 * What an item's operation works on, by what names it, so that items about the same record keep their
 * order. An item that names nothing, or cannot be read, has nothing in common with others.
 */
function recordName(context: IExecuteFunctions, index: number): string {
	try {
		const naming = chosenOperation(context, index).properties.find(
			({ type, name }) => type === 'resourceLocator' || name === 'email',
		);
		const value: unknown = naming && context.getNodeParameter(naming.name, index);
		const name = (textOf(value) || readLocator(value).value).trim().toLowerCase();
		return name === '' ? `item ${index}` : `record ${name}`;
	} catch {
		return `item ${index}`;
	}
}

function isStopped(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal?.()?.aborted === true;
}

function clientOpener(
	context: IExecuteFunctions,
	options: RequestOptions,
): () => Promise<SupercastClient> {
	let client: Promise<SupercastClient> | undefined;
	return async () => {
		const authentication = context.getNodeParameter('authentication', 0) as 'accessToken';
		client ??= createClient(context, authentication, options);
		return await client;
	};
}

function chosenOperation(context: IExecuteFunctions, index: number): Operation {
	const resource = textOf(context.getNodeParameter('resource', index));
	const name = textOf(context.getNodeParameter('operation', index));
	const operation = findOperation(resource, name);
	if (operation === undefined) {
		throw new InputError(
			`The operation "${name}" does not exist for the resource "${resource}"`,
			"Choose the 'Operation' again in the node.",
		);
	}
	return operation;
}

function operationItem(
	context: IExecuteFunctions,
	index: number,
	client: SupercastClient,
): OperationItem {
	return {
		index,
		client,
		timezone: context.getTimezone(),
		parameter: (name) => context.getNodeParameter(name, index),
		collection: (name) => context.getNodeParameter(name, index) as IDataObject,
		locator: (name) => readLocator(context.getNodeParameter(name, index)),
	};
}

function readLocator(value: unknown): Locator {
	const { mode, value: named } = (value ?? {}) as { mode?: unknown; value?: unknown };
	return { mode: textOf(mode), value: textOf(named) };
}

/**
 * What an item that failed leads to with "Continue on Fail". Only `json.error` is set: n8n takes such
 * an item to the error output and adds the input's fields to it, which it does not when the item
 * carries an error object as well.
 */
function failedItem(error: NodeApiError | NodeOperationError, item: number): INodeExecutionData {
	const remedy = error.description ? `. ${error.description.replace(/\n/g, ' ')}` : '';
	return { json: { error: `${error.message}${remedy}` }, pairedItem: { item } };
}
