import {
	NodeApiError,
	NodeOperationError,
	type Failure,
	type INodeExecutionData,
	type JsonObject,
} from 'n8n-workflow';

import { InputError, ServiceError } from '../api/errors/errors';
import type { RequestContext } from '../api/http/send';
import { maskFeedAddresses } from '../operations/output';
import { isTool, pairedTo } from './context';

export type NodeError = NodeApiError | NodeOperationError;

const MAX_WAIT_HINT = " To change how long the node tries, set the option 'Max Wait (Seconds)'.";

/**
 * Links an error to its item, in n8n's format. n8n stores the errors of an execution, so the result
 * does not include the request, which contains the token. Private feed addresses are masked,
 * because an AI agent or a log may receive the error. `note` ends the description.
 */
export function toNodeError(
	context: RequestContext,
	error: unknown,
	itemIndex?: number,
	note = '',
): NodeError {
	const node = context.getNode();
	const isForAgent = isTool(context);
	const suffix = itemIndex === undefined || isForAgent ? '' : ` [item ${itemIndex}]`;
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (!(error instanceof ServiceError || error instanceof InputError)) {
		return new NodeOperationError(node, error as Error, { itemIndex });
	}
	const short = `${error.message}${suffix}`;
	const isRepeated = error instanceof ServiceError && error.attempts > 1;
	// Only a node that processes items has this option.
	const hint = itemIndex === undefined || !isRepeated ? '' : MAX_WAIT_HINT;
	const sentences = [`${error.description}${hint}`, note].filter((one) => one !== '');
	// Agents read only the message, or the message and then the description again.
	const message = maskFeedAddresses(isForAgent ? [short, ...sentences].join('. ') : short);
	const description = isForAgent ? '' : maskFeedAddresses(sentences.join(' '));
	if (error instanceof InputError) {
		return new NodeOperationError(node, message, { description, itemIndex });
	}
	const response: JsonObject = { message, description };
	const options = { message, description, itemIndex, ...codesOf(error) };
	const nodeError = new NodeApiError(node, response, options);
	// n8n has replaced the message if it contains a word such as EPERM, so restore it.
	nodeError.message = message;
	return nodeError;
}

/**
 * The output for a failed item. It has no error object, because n8n then would not move the item to
 * the error output, nor add the input fields.
 */
export function failedItem(error: NodeError, items: number[]): INodeExecutionData {
	const remedy = error.description ? `. ${error.description.replace(/\n/g, ' ')}` : '';
	return { json: { error: `${error.message}${remedy}` }, pairedItem: pairedTo(items) };
}

/**
 * 401 if Supercast refused a token. `failure` tells n8n 2.37 and later whether the credential is
 * invalid, or whether waiting helps.
 */
function codesOf({ failure }: ServiceError): { httpCode?: string; failure?: Failure } {
	if (failure.kind === 'token') {
		if (failure.problem === 'unavailable') return {};
		return { httpCode: '401', failure: { cause: 'credential-invalid' } };
	}
	if (!('status' in failure)) return {};
	const httpCode = String(failure.status);
	if (failure.kind !== 'status' || failure.status !== 429) return { httpCode };
	return { httpCode, failure: { cause: 'rate-limited', retryAfterMs: failure.retryAfterMs } };
}
