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

/** Whatever part of n8n a request can start from. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Sends a request once. Does not throw. A good answer is any with status 200 to 299. */
export type Sender = (options: IHttpRequestOptions) => Promise<Attempt>;

/** What a sender sends with. */
export interface SendContext {
	/** Where n8n's request helper comes from. */
	n8n: RequestContext;
	credentialType: string;
	/** What nobody may see again, whatever the service answers. */
	secrets: readonly unknown[];
	clock: Clock;
	/** Milliseconds in which an answer has to be there as a whole. */
	timeoutMs: number;
	/** Ends the request when aborted. */
	signal?: AbortSignal;
}

/** A sender for a credential that n8n applies by itself. */
export function plainSender(context: SendContext): Sender {
	return async (options) => {
		const attempt = await withinTime(timeLimitOf(context), async (signal) => {
			try {
				// Returned, a refusal keeps all that it says; thrown, some versions of n8n lose it, and on a
				// 401 n8n sends the same request once more.
				const returned = { ...options, ignoreHttpStatusErrors: true };
				return readAnswer(await askN8n(context, returned, signal), context);
			} catch (error) {
				return { failure: readThrown(error, context) };
			}
		});
		return typeof attempt === 'string' ? unanswered(attempt) : attempt;
	};
}

/** How long an attempt may take. */
export function timeLimitOf({ clock, timeoutMs: ms, signal }: SendContext) {
	return { clock, ms, ...(signal === undefined ? {} : { signal }) };
}

/** What came of an attempt that was given up. */
export function unanswered(why: 'late' | 'stopped'): Attempt {
	return { failure: { kind: 'network', code: why === 'late' ? 'ETIMEDOUT' : 'ERR_CANCELED' } };
}

/**
 * Asks n8n to send a request with the credential.
 *
 * @throws What n8n throws.
 */
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
 * A context that is stopped by another signal. n8n ends a request by the signal of its context alone,
 * whatever the request's options say, and its time-out only counts while nothing arrives: an answer
 * that drips would never end.
 */
function stoppedBy<T extends RequestContext>(signal: AbortSignal, context: T): T {
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as T;
}

/** Reads what n8n's request helper returned. */
export function readAnswer(
	{ statusCode: status, headers, body: sent }: IN8nHttpFullResponse,
	{ secrets, clock }: Pick<SendContext, 'clock' | 'secrets'>,
): Attempt {
	const body: unknown = redact(sent, secrets);
	if (status >= 300)
		return { failure: parseErrorResponse({ status, headers, body }, clock.date()) };
	// Older versions of Rails answer with a blank where there is nothing to say.
	const isBlank = typeof body === 'string' && body.trim() === '';
	return { response: { status, headers, body: isBlank ? undefined : body } };
}

/** Reads what n8n's request helper threw. */
export function readThrown(
	error: unknown,
	{ secrets, clock }: Pick<SendContext, 'clock' | 'secrets'>,
) {
	return redact(parseThrownError(error, clock.date()), secrets);
}
