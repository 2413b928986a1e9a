import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { withinTime, type GivenUp, type TimeLimit } from '../clock';
import type { Attempt, Failure } from '../types';
import { parseErrorResponse, parseThrownError } from './parseErrorResponse';
import type { Secrets } from './redact';

export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface SendContext extends TimeLimit {
	n8n: RequestContext;
	credentialType: string;
	secrets: Secrets;
}

/** Sends a request once, with a credential that n8n itself adds. Does not throw. */
export async function sendOnce(
	context: SendContext,
	options: IHttpRequestOptions,
): Promise<Attempt> {
	const attempt = await withinTime(
		context,
		async (signal) => await askN8n(context, options, signal),
	);
	return typeof attempt === 'string' ? unanswered(attempt) : attempt;
}

export function unanswered(why: GivenUp): Attempt {
	return { failure: { kind: 'network', code: why === 'late' ? 'ETIMEDOUT' : 'ERR_CANCELED' } };
}

/**
 * Asks n8n to send a request with the credential, and reads the response. Statuses 200 to 299 mean
 * success. Does not throw.
 * @param readError Reads those errors of n8n that do not come from the API.
 */
export async function askN8n(
	{ n8n, credentialType, clock }: SendContext,
	options: IHttpRequestOptions,
	signal: AbortSignal,
	readError?: (error: unknown) => Failure | undefined,
): Promise<Attempt> {
	// n8n ends a request only by the signal of its context, not by one in the options. Its timeout
	// counts only while no data arrives, so it would never end a very slow response.
	const stoppable = Object.create(n8n, {
		getExecutionCancelSignal: { value: () => signal },
	}) as RequestContext;
	try {
		const answer: unknown = await n8n.helpers.httpRequestWithAuthentication.call(
			stoppable,
			credentialType,
			options,
		);
		const { statusCode: status, headers, body } = answer as IN8nHttpFullResponse;
		if (status >= 300) {
			return { failure: parseErrorResponse({ status, headers, body }, clock.date()) };
		}
		// Older versions of Rails send a single space instead of an empty body.
		const isBlank = typeof body === 'string' && body.trim() === '';
		return { response: { status, headers, body: isBlank ? undefined : body } };
	} catch (error) {
		return { failure: readError?.(error) ?? parseThrownError(error, clock.date()) };
	}
}
