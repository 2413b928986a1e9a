import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { withinTime, type GivenUp, type TimeLimit } from '../clock';
import { UNKNOWN_CODE, type ApiRequest, type Attempt, type Failure } from '../types';
import { encodePath } from './address';
import { parseErrorResponse, parseThrownError } from './parseErrorResponse';
import type { Secrets } from './redact';
import { validateBody } from './validateBody';

export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface SendContext extends TimeLimit {
	n8n: RequestContext;
	credentialType: string;
	secrets: Secrets;
	baseUrl: string;
	/** The channel that a superapp manages, or an empty text. */
	subdomain: string;
}

/**
 * Sends a request once, and checks the response.
 * @param oAuth2 Sends it over an OAuth2 connection, which may need a new token.
 * @throws InputError if a path segment is invalid.
 */
export async function sendOnce(
	request: ApiRequest,
	idempotencyKey: string | undefined,
	context: SendContext,
	oAuth2?: (options: IHttpRequestOptions, limit: Pick<SendContext, 'signal'>) => Promise<Attempt>,
): Promise<Attempt> {
	const { method, path, query, body } = request;
	const { baseUrl, subdomain, ms: timeout, secrets } = context;
	// n8n changes the options, so each attempt needs its own.
	const options: IHttpRequestOptions = {
		method,
		url: `${baseUrl}${encodePath(path)}`,
		// A superapp names the channel in each request (the vendor's example).
		qs: subdomain === '' ? query : { ...query, subdomain },
		body,
		headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
		json: true,
		returnFullResponse: true,
		// If n8n throws error responses, some versions lose their details, or retry after a 401.
		ignoreHttpStatusErrors: true,
		timeout,
		// Following a redirect would turn POST and DELETE into GET, which would look like success.
		disableFollowRedirect: true,
	};
	const answer = oAuth2
		? await oAuth2(options, { signal: context.signal })
		: await withinTime(context, async (signal) => await askN8n(context, options, signal));
	try {
		const safe = secrets.redact(typeof answer === 'string' ? unanswered(answer) : answer);
		return 'response' in safe ? validateBody(safe.response, request) : named(safe, subdomain);
	} catch {
		// The JSON is nested too deeply to come from Supercast.
		return { failure: { kind: 'network', code: UNKNOWN_CODE } };
	}
}

/** Notes the channel that was not allowed. An access token belongs to one channel, so it names none. */
function named({ failure }: { failure: Failure }, subdomain: string): Attempt {
	const isForbidden = failure.kind === 'status' && failure.status === 403 && subdomain !== '';
	return { failure: isForbidden ? { ...failure, subdomain } : failure };
}

export function unanswered(why: GivenUp): Attempt {
	return { failure: { kind: 'network', code: why === 'late' ? 'ETIMEDOUT' : 'ERR_CANCELED' } };
}

/**
 * Asks n8n to send a request with the credential, and reads the response. Statuses 200 to 299 mean
 * success. Does not throw.
 * @param readError Reads those errors of n8n that do not come from the API.
 * @param expired The status after which n8n gets a new token, if it is not 401.
 */
export async function askN8n(
	{ n8n, credentialType, clock }: SendContext,
	options: IHttpRequestOptions,
	signal: AbortSignal,
	readError?: (error: unknown) => Failure | undefined,
	expired?: number,
): Promise<Attempt> {
	// n8n stops a request only through the signal of its context, not through one in the options.
	// Its timeout counts only while no data arrives, so it would never end a very slow response.
	const stoppable = Object.create(n8n, {
		getExecutionCancelSignal: { value: () => signal },
	}) as RequestContext;
	try {
		const answer: unknown = await n8n.helpers.httpRequestWithAuthentication.call(
			stoppable,
			credentialType,
			options,
			expired === undefined ? undefined : { oauth2: { tokenExpiredStatusCode: expired } },
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
