import {
	NodeApiError,
	NodeOperationError,
	type Failure,
	type INodeExecutionData,
} from 'n8n-workflow';

import { InputError, ServiceError } from '../api/errors/errors';
import type { RequestContext } from '../api/http/send';
import { maskFeedAddresses } from '../operations/output';
import { isTool } from './context';

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
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const node = context.getNode();
	if (!(error instanceof ServiceError || error instanceof InputError)) {
		return new NodeOperationError(node, error as Error, { itemIndex });
	}
	const isForAgent = isTool(context);
	const suffix = itemIndex === undefined || isForAgent ? '' : ` [item ${itemIndex}]`;
	const short = maskFeedAddresses(`${error.message}${suffix}`);
	// Only a node that processes items has this option.
	const isRepeated = itemIndex !== undefined && error instanceof ServiceError && error.attempts > 1;
	const hint = isRepeated ? MAX_WAIT_HINT : '';
	const details = maskFeedAddresses(`${error.description}${hint} ${note}`.trim());
	// Agents read only the message, or the message and then the description again.
	const message = isForAgent ? `${short}. ${details}` : short;
	const description = isForAgent ? '' : details;
	if (error instanceof InputError) {
		return new NodeOperationError(node, message, { description, itemIndex });
	}
	const texts = { message, description };
	const nodeError = new NodeApiError(node, texts, { ...texts, itemIndex, ...codesOf(error) });
	// n8n has replaced the message if it contains a word such as EPERM, so restore it.
	nodeError.message = message;
	return nodeError;
}

/**
 * The output for a failed item. It has no error object, because n8n then would not move the item to
 * the error output, nor add the input fields.
 */
export function failedItem(
	{ message, description }: NodeError,
	pairedItem: INodeExecutionData['pairedItem'],
): INodeExecutionData {
	const remedy = description ? `. ${description.replace(/\n/g, ' ')}` : '';
	return { json: { error: `${message}${remedy}` }, pairedItem };
}

/**
 * 401 if Supercast refused a token. `failure` tells n8n 2.37 and later whether the credential is
 * invalid, or whether waiting helps.
 */
function codesOf({ failure }: ServiceError): { httpCode?: string; failure?: Failure } {
	if (failure.kind === 'token' && failure.problem !== 'unavailable') {
		return { httpCode: '401', failure: { cause: 'credential-invalid' } };
	}
	if (!('status' in failure)) return {};
	const httpCode = String(failure.status);
	if (failure.kind !== 'status' || failure.status !== 429) return { httpCode };
	return { httpCode, failure: { cause: 'rate-limited', retryAfterMs: failure.retryAfterMs } };
}
