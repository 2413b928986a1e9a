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
import { redact } from './redact';

export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** How to send a request. The full response must arrive within the time limit. */
export interface SendContext extends TimeLimit {
	n8n: RequestContext;
	credentialType: string;
	/** Secrets that must not appear in any output. */
	secrets: readonly unknown[];
}

/** Sends a request once. Does not throw. */
export type Sender = (options: IHttpRequestOptions) => Promise<Attempt>;

/**
 * Sends a request once, with a credential that n8n itself adds. Does not throw. Treats statuses 200 to
 * 299 as success.
 */
export async function sendOnce(
	context: SendContext,
	options: IHttpRequestOptions,
): Promise<Attempt> {
	const attempt = await withinTime(context, async (signal) => {
		try {
			return readAnswer(await askN8n(context, options, signal), context);
		} catch (error) {
			return { failure: readThrown(error, context) };
		}
	});
	return typeof attempt === 'string' ? unanswered(attempt) : attempt;
}

/** The result of an attempt that was abandoned. */
export function unanswered(why: GivenUp): Attempt {
	return { failure: { kind: 'network', code: why === 'late' ? 'ETIMEDOUT' : 'ERR_CANCELED' } };
}

/** Asks n8n to send a request with the credential. */
export async function askN8n(
	{ n8n, credentialType }: SendContext,
	options: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	// To end a request, n8n uses only the signal of its context, not a signal in the options. Its own
	// timeout counts only while no data arrives, so it would never end a very slow response.
	const stoppable = Object.create(n8n, {
		getExecutionCancelSignal: { value: () => signal },
	}) as RequestContext;
	return (await n8n.helpers.httpRequestWithAuthentication.call(
		stoppable,
		credentialType,
		options,
	)) as IN8nHttpFullResponse;
}

/** Reads the response that n8n's request helper returned. */
export function readAnswer(
	{ statusCode: status, headers, body: sent }: IN8nHttpFullResponse,
	{ secrets, clock }: Pick<SendContext, 'clock' | 'secrets'>,
): Attempt {
	const body: unknown = redact(sent, secrets);
	if (status >= 300) {
		return { failure: parseErrorResponse({ status, headers, body }, clock.date()) };
	}
	// Older versions of Rails send a single space instead of an empty body.
	const isBlank = typeof body === 'string' && body.trim() === '';
	return { response: { status, headers, body: isBlank ? undefined : body } };
}

/** Reads the error that n8n's request helper threw. */
export function readThrown(
	error: unknown,
	{ secrets, clock }: Pick<SendContext, 'clock' | 'secrets'>,
): Failure {
	return redact(parseThrownError(error, clock.date()), secrets);
}
