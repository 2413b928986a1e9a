import {
	NodeApiError,
	NodeOperationError,
	type Failure,
	type IExecuteFunctions,
	type JsonObject,
} from 'n8n-workflow';

import { InputError, ServiceError } from '../api/errors/errors';
import { maskFeedAddresses } from '../operations/toolOutput';

const MAX_WAIT_HINT = " To change how long the node tries, set the option 'Max Wait (Seconds)'.";

/**
 * Links an error to its item, and converts it to an error that the editor can show. Because n8n
 * stores the errors of an execution, the result does not include the request, which contains the
 * token. Private feed addresses are masked, because an AI agent or a log may receive the error.
 *
 * @param note A sentence to add at the end of the description.
 */
export function toNodeError(
	context: Pick<IExecuteFunctions, 'getNode'>,
	error: unknown,
	itemIndex?: number,
	note = '',
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	const place = itemIndex === undefined ? {} : { itemIndex };
	const suffix = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (error instanceof ServiceError) {
		const message = maskFeedAddresses(`${error.message}${suffix}`);
		// Only a node that processes items has this option. The trigger and the lists in the editor
		// do not.
		const hint = itemIndex === undefined || error.attempts === 1 ? '' : MAX_WAIT_HINT;
		const description = maskFeedAddresses(joined(`${error.description}${hint}`, note));
		const httpCode = httpCodeOf(error);
		const response: JsonObject = { message, description };
		const nodeError = new NodeApiError(node, response, {
			message,
			description,
			...place,
			...(httpCode === undefined ? {} : { httpCode }),
			...failureOf(error),
		});
		// n8n has replaced the message if it contains a word such as EPERM, so restore it.
		nodeError.message = message;
		return nodeError;
	}
	if (error instanceof InputError) {
		return new NodeOperationError(node, maskFeedAddresses(`${error.message}${suffix}`), {
			description: maskFeedAddresses(joined(error.description, note)),
			...place,
		});
	}
	return new NodeOperationError(node, error as Error, place);
}

function joined(description: string, note: string): string {
	return note === '' ? description : `${description} ${note}`;
}

/**
 * The status that the editor shows: the status of the response, or 401 if Supercast refused a
 * token.
 */
function httpCodeOf({ failure }: ServiceError): string | undefined {
	if (failure.kind === 'token') return failure.problem === 'unavailable' ? undefined : '401';
	return 'status' in failure ? String(failure.status) : undefined;
}

/**
 * Tells n8n whether the credential is invalid, or whether waiting helps. n8n-workflow supports this
 * in version 2.37 and later. Older versions ignore it.
 */
function failureOf({ failure }: ServiceError): { failure?: Failure } {
	if (failure.kind === 'token' && failure.problem !== 'unavailable') {
		return { failure: { cause: 'credential-invalid' } };
	}
	if (failure.kind !== 'status' || failure.status !== 429) return {};
	const { retryAfterMs } = failure;
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	return { failure: { cause: 'rate-limited', ...wait } };
}
