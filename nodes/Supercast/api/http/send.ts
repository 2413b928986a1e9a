import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { withinTime, type Clock } from '../clock';
import type { Attempt } from '../types';
import { parseErrorResponse, parseThrownError } from './parseErrorResponse';
import { redact } from './redact';

export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Sends a request once. Does not throw. Treats statuses 200 to 299 as success. */
export type Sender = (options: IHttpRequestOptions) => Promise<Attempt>;

export interface SendContext {
	n8n: RequestContext;
	credentialType: string;
	/** Secrets that must not appear in any output. */
	secrets: readonly unknown[];
	clock: Clock;
	/** Within this time, the full response must arrive. */
	timeoutMs: number;
	signal?: AbortSignal;
}

/** Creates a sender for a credential that n8n itself adds to each request. */
export function plainSender(context: SendContext): Sender {
	return async (options) => {
		const attempt = await withinTime(timeLimitOf(context), async (signal) => {
			try {
				// If n8n throws error responses, some versions lose their details, and n8n sends the
				// same request again after a 401.
				const returned = { ...options, ignoreHttpStatusErrors: true };
				return readAnswer(await askN8n(context, returned, signal), context);
			} catch (error) {
				return { failure: readThrown(error, context) };
			}
		});
		return typeof attempt === 'string' ? unanswered(attempt) : attempt;
	};
}

export function timeLimitOf({ clock, timeoutMs: ms, signal }: SendContext) {
	return { clock, ms, signal };
}

/** The result of an attempt that was abandoned. */
export function unanswered(why: 'late' | 'stopped'): Attempt {
	return { failure: { kind: 'network', code: why === 'late' ? 'ETIMEDOUT' : 'ERR_CANCELED' } };
}

/** Asks n8n to send a request with the credential. */
export async function askN8n(
	{ n8n, credentialType }: SendContext,
	options: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	return (await n8n.helpers.httpRequestWithAuthentication.call(
		stoppedBy(signal, n8n),
		credentialType,
		options,
	)) as IN8nHttpFullResponse;
}

/**
 * Returns a copy of the context whose requests `signal` can stop. To end a request, n8n uses only the
 * signal of its context, not a signal in the request's options. The n8n timeout counts only while no
 * data arrives, so it would never end a very slow response.
 */
function stoppedBy<T extends RequestContext>(signal: AbortSignal, context: T): T {
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as T;
}

/** Reads the response that n8n's request helper returned. */
export function readAnswer(
	{ statusCode: status, headers, body: sent }: IN8nHttpFullResponse,
	{ secrets, clock }: Pick<SendContext, 'clock' | 'secrets'>,
): Attempt {
	const body: unknown = redact(sent, secrets);
	if (status >= 300)
		return { failure: parseErrorResponse({ status, headers, body }, clock.date()) };
	// Older versions of Rails send a single space instead of an empty body.
	const isBlank = typeof body === 'string' && body.trim() === '';
	return { response: { status, headers, body: isBlank ? undefined : body } };
}

/** Reads the error that n8n's request helper threw. */
export function readThrown(
	error: unknown,
	{ secrets, clock }: Pick<SendContext, 'clock' | 'secrets'>,
) {
	return redact(parseThrownError(error, clock.date()), secrets);
}
