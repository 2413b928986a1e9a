import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { encodePath, normalizeBaseUrl } from './address';
import { deliver, type Attempt, type Line } from './delivery';
import { readFailure, unusableAnswer } from './failure';
import { pacerFor } from './pacers';
import { runtime } from './runtime';
import type { ApiRequest, ApiResponse } from './types';

/** Whatever part of n8n a request can start from. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** How the package talks to the service: the only way any operation or trigger does. */
export interface SupercastClient {
	/**
	 * Sends one request, at the pace of the service's limit and as often as it takes.
	 *
	 * @throws ServiceError when the service could not be reached, or did not do what was asked.
	 * @throws InputError when the base URL or a path segment cannot be used; nothing was sent then.
	 */
	request(request: ApiRequest): Promise<ApiResponse>;
}

/** Values of the node parameter `authentication`, and the credential type that each stands for. */
export const CREDENTIAL_TYPES = { accessToken: 'supercastApi' } as const;

/** How long a request is tried by default. */
export const DEFAULT_MAX_WAIT_MS = 600_000;

/** The service's own limit (specification, section 8), for a credential that does not say. */
const DEFAULT_REQUESTS_PER_MINUTE = 100;

interface Credential {
	baseUrl: string;
	requestsPerMinute?: number;
}

/**
 * Opens the service with the credential that the node's parameter `authentication` names. Requests
 * of one client take turns with those of the others that use the same credential.
 *
 * @param options `maxWaitMs`: how long a request is tried, from when it was first sent.
 * @throws InputError when the credential's base URL cannot be used.
 */
export async function createClient(
	context: RequestContext,
	authentication: keyof typeof CREDENTIAL_TYPES,
	options: { maxWaitMs?: number } = {},
): Promise<SupercastClient> {
	const credentialType = CREDENTIAL_TYPES[authentication];
	const credential = await context.getCredentials<Credential & object>(credentialType);
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const id = context.getNode().credentials?.[credentialType]?.id ?? '';
	const pacer = pacerFor(new URL(baseUrl).origin, id, requestsPerMinute(credential));
	const lane = {};
	const { clock, random, newKey, backoffMs } = runtime;
	const line: Line = {
		admit: async (patience) => await pacer.admit(lane, patience),
		send: async (request, key) => {
			const sent = requestOptions(baseUrl, request, key);
			return await sendOnce(context, credentialType, sent);
		},
		clock,
		random,
		newKey,
		backoffMs,
		maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
		signal: cancelSignal(context),
	};
	return {
		request: async (request) => {
			encodePath(request.path);
			return await deliver(request, line);
		},
	};
}

function requestsPerMinute({ requestsPerMinute: typed }: Credential): number {
	const number = Math.floor(Number(typed ?? DEFAULT_REQUESTS_PER_MINUTE));
	return number >= 0 ? number : DEFAULT_REQUESTS_PER_MINUTE;
}

function cancelSignal(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

function requestOptions(
	baseUrl: string,
	request: ApiRequest,
	idempotencyKey: string | undefined,
): IHttpRequestOptions {
	return {
		method: request.method,
		url: `${baseUrl}${encodePath(request.path)}`,
		...(idempotencyKey === undefined ? {} : { headers: { 'Idempotency-Key': idempotencyKey } }),
		...(request.query === undefined ? {} : { qs: request.query }),
		...(request.body === undefined ? {} : { body: request.body }),
		json: true,
		returnFullResponse: true,
		timeout: runtime.timeoutMs,
		// A followed redirect would turn POST and DELETE into GET, and look like success.
		disableFollowRedirect: true,
	};
}

async function sendOnce(
	context: RequestContext,
	credentialType: string,
	options: IHttpRequestOptions,
): Promise<Attempt> {
	try {
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			credentialType,
			options,
		)) as IN8nHttpFullResponse;
		const response = {
			status: answer.statusCode,
			headers: answer.headers,
			body: answer.body === '' ? undefined : answer.body,
		};
		const failure = unusableAnswer(response);
		return failure === undefined ? { response } : { failure };
	} catch (error) {
		return { failure: readFailure(error, runtime.clock.date()) };
	}
}
