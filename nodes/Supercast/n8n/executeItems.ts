import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { findOperation } from '../resources/index';
import { createClient, type Authentication, type SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { toNodeError } from './nodeErrors';
import { Parameters, type ItemParameters } from './parameters';
import { readRequestOptions, type RequestOptions } from './requestOptions';
import { sideBySide } from './runConcurrently';
import { textOf } from '../api/json';
import type { Operation } from '../operations/types';

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
	const parameters = new Parameters(context);
	const timezone = context.getTimezone();
	const outputs = await sideBySide({
		count,
		width: options.parallelRequests,
		nameOf: (index) => recordName(parameters.of(index), index),
		task: async (index) => {
			try {
				const own = parameters.of(index);
				const operation = chosenOperation(own);
				const client = await openClient();
				const records = await operation.execute({ index, client, timezone, ...own });
				return records.map((json) => ({ json, pairedItem: { item: index } }));
			} catch (error) {
				const nodeError = toNodeError(context, error, index);
				if (!context.continueOnFail() || isStopped(context)) throw nodeError;
				return [failedItem(nodeError, index)];
			} finally {
				parameters.forget(index);
			}
		},
	});
	return outputs.flat();
}

/**
 * What an item's operation works on, by what names it, so that items about the same record keep their
 * order. An item that names nothing, or cannot be read, has nothing in common with others.
 */
function recordName(parameters: ItemParameters, index: number): string {
	try {
		const { properties, sameRecord } = chosenOperation(parameters);
		if (sameRecord === true) return 'the record';
		const naming = properties.find(
			({ type, name }) => type === 'resourceLocator' || name === 'email',
		);
		if (naming === undefined) return `item ${index}`;
		const isLocator = naming.type === 'resourceLocator';
		const named = isLocator
			? parameters.locator(naming.name).value
			: textOf(parameters.parameter(naming.name));
		const name = named.trim().toLowerCase();
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
		client ??= createClient(
			context,
			context.getNodeParameter('authentication', 0) as Authentication,
			options,
		);
		return await client;
	};
}

function chosenOperation({ parameter }: ItemParameters): Operation {
	const resource = textOf(parameter('resource'));
	const name = textOf(parameter('operation'));
	const operation = findOperation(resource, name);
	if (operation === undefined) {
		throw new InputError(
			`The operation "${name}" does not exist for the resource "${resource}"`,
			"Choose the 'Operation' again in the node.",
		);
	}
	return operation;
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
