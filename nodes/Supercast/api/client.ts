import { accessTokenOf } from './auth/accessToken';
import { oAuth2Sender, type Connection } from './auth/oauthSession';
import { channelOf, type Channel } from './channel';
import { runtime } from './clock';
import { ServiceError } from './errors/errors';
import { encodePath, normalizeBaseUrl, readSubdomain } from './http/address';
import { Secrets } from './http/redact';
import { sendOnce, type RequestContext } from './http/send';
import { textOf } from './json';
import { rateLimiterFor } from './rate-limit/rateLimiter';
import { sendWithRetry, type RetryContext } from './retry/sendWithRetry';
import type { ApiRequest, ApiResponse } from './types';

/** Sends requests to Supercast within its rate limit, and retries them if needed. */
export interface SupercastClient {
	/** Throws ServiceError if the request fails, and InputError if a path segment is invalid. */
	request(request: ApiRequest): Promise<ApiResponse>;
	/** Ends every wait. */
	readonly signal?: AbortSignal;
	/** All clients of this process for the same channel share it. */
	readonly channel: Channel;
}

export type Authentication = 'accessToken' | 'oAuth2';

/** Reads the parameter Authentication. */
export function authenticationOf(value: unknown): Authentication {
	return value === 'oAuth2' ? 'oAuth2' : 'accessToken';
}

export function credentialTypeOf(authentication: Authentication): string {
	return authentication === 'oAuth2' ? 'supercastOAuth2Api' : 'supercastApi';
}

/** Supercast's limit (specification, section 8), for a credential that does not set one. */
const DEFAULT_REQUESTS_PER_MINUTE = 100;

interface Credential extends Connection {
	baseUrl?: string;
	requestsPerMinute?: number;
	accessToken?: string;
	clientSecret?: string;
	/** The subdomain of the channel that a superapp manages. */
	subdomain?: string;
}

/**
 * Creates a client. All clients with the same credential take turns.
 * @param options `maxWaitMs` counts from when a request was first sent. `signal` ends every wait.
 * @throws InputError if an address in the credential is invalid.
 */
export async function createClient(
	n8n: RequestContext,
	authentication: Authentication,
	options: { maxWaitMs: number; signal?: AbortSignal },
): Promise<SupercastClient> {
	const credentialType = credentialTypeOf(authentication);
	const id = n8n.getNode().credentials?.[credentialType]?.id ?? '';
	const credential = await n8n.getCredentials<Credential & object>(credentialType);
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const { clock, timeoutMs: ms } = runtime;
	const stop = 'getExecutionCancelSignal' in n8n ? n8n.getExecutionCancelSignal() : undefined;
	const { maxWaitMs, signal = stop } = options;
	const subdomain = readSubdomain(credential.subdomain);
	const secrets = secretsOf(credential);
	const context = { n8n, credentialType, secrets, baseUrl, subdomain, clock, ms, signal };
	const oAuth2 = authentication === 'oAuth2' ? oAuth2Sender(context, credential, id) : undefined;
	const { origin } = new URL(baseUrl);
	const limiter = rateLimiterFor(origin, id, requestsPerMinute(credential), runtime);
	const rateClient = { workflow: n8n.getWorkflow().id };
	// If the token is an expression, one credential may be used for several channels.
	const key = JSON.stringify([origin, id, subdomain, accessTokenOf(credential.accessToken)]);
	const channel = channelOf(key, runtime);
	const retries: RetryContext = {
		...runtime,
		signal,
		maxWaitMs,
		acquire: limiter.acquire.bind(limiter, rateClient),
		send: async (request, key) => await sendOnce(request, key, context, oAuth2),
	};
	return { channel, request: sender(retries, channel), signal };
}

/** Sends requests, and notes what they say about the channel. */
function sender(retries: RetryContext, channel: Channel): SupercastClient['request'] {
	return async (request) => {
		// Report an invalid path before the request waits for its turn.
		encodePath(request.path);
		const sent = sendWithRetry(request, retries, channel.hiddenMs(request));
		const response = await sent.catch((error: unknown) => {
			// If the response was lost, the change may still have been made.
			const isUnsure = error instanceof ServiceError && error.maybeProcessed;
			if (isUnsure) channel.customerIds.note(request, {});
			throw error;
		});
		channel.note(request, response.body);
		return response;
	};
}

function secretsOf({ accessToken, clientSecret, oauthTokenData }: Credential): Secrets {
	const { access_token: token, refresh_token: refreshToken } = oauthTokenData ?? {};
	return new Secrets(accessTokenOf(accessToken), clientSecret, token, refreshToken);
}

/** How many requests a minute a credential allows. 0 for no limit. */
export function requestsPerMinute({
	requestsPerMinute: typed,
}: Pick<Credential, 'requestsPerMinute'>): number {
	// Number('') is 0, which would turn the limit off.
	const number = Number(textOf(typed).trim() || Number.NaN);
	if (!(number >= 0)) return DEFAULT_REQUESTS_PER_MINUTE;
	return number > 0 ? Math.max(1, Math.floor(number)) : 0;
}
