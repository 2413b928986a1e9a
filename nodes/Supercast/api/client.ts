import type { IHttpRequestOptions } from 'n8n-workflow';

import { encodePath, normalizeBaseUrl } from './http/address';
import { deliver, type Line } from './retry/sendWithRetry';
import { gateOf, type Connection } from './auth/oauthSession';
import { rateLimiterFor } from './rate-limit/rateLimiters';
import { runtime } from './runtime';
import { oAuth2Sender, plainSender, type RequestContext } from './http/send';
import type { ApiRequest, ApiResponse } from './types';

export type { RequestContext } from './http/send';

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

/** A value of the node parameter `authentication`. */
export type Authentication = 'accessToken' | 'oAuth2';

/** The credential type that a value of `authentication` stands for. */
export function credentialTypeOf(authentication: Authentication): string {
	return authentication === 'oAuth2' ? 'supercastOAuth2Api' : 'supercastApi';
}

/** How long a request is tried by default. */
export const DEFAULT_MAX_WAIT_MS = 600_000;

/** The service's own limit (specification, section 8), for a credential that does not say. */
const DEFAULT_REQUESTS_PER_MINUTE = 100;

interface Credential extends Connection {
	baseUrl: string;
	requestsPerMinute?: number;
	accessTokenUrl?: string;
	/** The channel that a superapp works on. */
	subdomain?: string;
}

/**
 * Opens the service with the credential that the node's parameter `authentication` names. Requests
 * of one client take turns with those of the others that use the same credential.
 *
 * @param options `maxWaitMs`: how long a request is tried, from when it was first sent. `signal`: ends
 * every wait when aborted; by default that of the execution.
 * @throws InputError when an address in the credential cannot be used.
 */
export async function createClient(
	context: RequestContext,
	authentication: Authentication,
	options: { maxWaitMs?: number; signal?: AbortSignal } = {},
): Promise<SupercastClient> {
	const credentialType = credentialTypeOf(authentication);
	const id = context.getNode().credentials?.[credentialType]?.id ?? '';
	const gate = gateOf(id);
	const openedAt = gate.renewals;
	const credential = await context.getCredentials<Credential & object>(credentialType);
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const send =
		authentication === 'oAuth2'
			? oAuth2Sender(context, credentialType, credential, { gate, openedAt })
			: plainSender(context, credentialType);
	const subdomain = credential.subdomain?.trim() ?? '';
	const { origin } = new URL(baseUrl);
	const limiter = rateLimiterFor(origin, id, requestsPerMinute(credential), runtime);
	const turns = {};
	const { clock, random, newKey, backoffMs } = runtime;
	const line: Line = {
		acquire: async (wait) => await limiter.acquire(turns, wait),
		send: async (request, key) =>
			await send(requestOptions(baseUrl, withSubdomain(request, subdomain), key)),
		clock,
		random,
		newKey,
		backoffMs,
		maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
		signal: options.signal ?? cancelSignal(context),
	};
	return {
		request: async (request) => {
			// A path that cannot be sent is said so before anybody waits for a turn.
			encodePath(request.path);
			return await deliver(request, line);
		},
	};
}

function requestsPerMinute({ requestsPerMinute: typed }: Credential): number {
	// Number('') is 0, which would be no limit at all.
	const isGiven = typeof typed === 'number' || /\S/.test(String(typed ?? ''));
	const number = Math.floor(Number(isGiven ? typed : DEFAULT_REQUESTS_PER_MINUTE));
	return number >= 0 ? number : DEFAULT_REQUESTS_PER_MINUTE;
}

function cancelSignal(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** A superapp says with each request which channel it means (the vendor's example). */
function withSubdomain(request: ApiRequest, subdomain: string): ApiRequest {
	return subdomain === '' ? request : { ...request, query: { ...request.query, subdomain } };
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
