import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { oAuth2Sender } from './auth/oAuth2Sender';
import { refreshMutexFor, type Connection } from './auth/oauthSession';
import { describeFailure } from './errors/describeFailure';
import { encodePath, normalizeBaseUrl } from './http/address';
import { plainSender, type RequestContext, type SendContext, type Sender } from './http/send';
import { validateBody } from './http/validateBody';
import { asRecord, textOf } from './json';
import { KeyedMutex } from './keyedMutex';
import type { AcquireOptions } from './rate-limit/rateLimiter';
import { rateLimiterFor } from './rate-limit/rateLimiters';
import { RecentNames } from './recentNames';
import { sendWithRetry, type RetryContext, type Search } from './retry/sendWithRetry';
import { runtime } from './runtime';
import type { ApiRequest, ApiResponse, Attempt } from './types';

/** How the package talks to Supercast. All operations and triggers use this. */
export interface SupercastClient {
	/**
	 * Sends one request within Supercast's rate limit, and retries it where needed.
	 *
	 * @throws ServiceError when Supercast could not be reached, or did not do what was asked.
	 * @throws InputError when the base URL or a path segment cannot be used. Nothing was sent then.
	 */
	request(request: ApiRequest): Promise<ApiResponse>;
	/**
	 * Runs `work` when no other request of this process, with the same credential, is working on
	 * the same record.
	 *
	 * @throws ServiceError when the execution is stopped meanwhile, and anything that `work`
	 * throws.
	 */
	inTurn<T>(find: ApiRequest, work: () => Promise<T>): Promise<T>;
}

/** A value of the node parameter `authentication`. */
export type Authentication = 'accessToken' | 'oAuth2';

/** The credential type for a value of `authentication`. */
export function credentialTypeOf(authentication: Authentication): string {
	return authentication === 'oAuth2' ? 'supercastOAuth2Api' : 'supercastApi';
}

/** How long one request is retried by default. */
export const DEFAULT_MAX_WAIT_MS = 600_000;

/** Supercast's own limit (specification, section 8), for a credential that sets none. */
const DEFAULT_REQUESTS_PER_MINUTE = 100;

interface Credential extends Connection {
	baseUrl: string;
	requestsPerMinute?: number;
	accessToken?: string;
	accessTokenUrl?: string;
	clientSecret?: string;
	oauthTokenData?: { access_token?: unknown; refresh_token?: unknown };
	/** The channel that a superapp works on. */
	subdomain?: string;
}

const turns = new KeyedMutex();
const recentNames = new RecentNames();

/**
 * Opens a client with the credential that the node's parameter `authentication` names. Its requests
 * take turns with those of all other clients that use the same credential.
 *
 * @param options `maxWaitMs`: how long a request is retried, counted from when it was first sent.
 * With `signal`, an abort ends every wait. The default is the signal of the execution.
 * @throws InputError when an address in the credential cannot be used.
 */
export async function createClient(
	n8n: RequestContext,
	authentication: Authentication,
	options: { maxWaitMs?: number; signal?: AbortSignal } = {},
): Promise<SupercastClient> {
	const credentialType = credentialTypeOf(authentication);
	const id = n8n.getNode().credentials?.[credentialType]?.id ?? '';
	const { credential, sender } = await openCredential(n8n, authentication, id);
	const baseUrl = normalizeBaseUrl(credential.baseUrl);
	const { origin } = new URL(baseUrl);
	const { clock, random, newKey, timeoutMs, backoffMs, visibleMs, lateMs } = runtime;
	const signal = options.signal ?? cancelSignal(n8n);
	const secrets = secretsOf(credential);
	const send = sender({ n8n, credentialType, secrets, clock, timeoutMs, ...given(signal) });
	const limiter = rateLimiterFor(origin, id, requestsPerMinute(credential), runtime);
	const rateClient = {};
	const retryContext = {
		acquire: async (wait: AcquireOptions) => await limiter.acquire(rateClient, wait),
		...{ clock, random, newKey },
		waits: { backoffMs, visibleMs, lateMs },
		maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
		...given(signal),
	};
	const keyOf = (name: unknown): string => `${origin} ${id} ${textOf(name).toLowerCase()}`;
	const run = async (request: ApiRequest, search?: Search): Promise<ApiResponse> => {
		// Report a path that cannot be sent before the request waits for its turn.
		const wire = requestOptions(baseUrl, withSubdomain(request, credential.subdomain?.trim()));
		const hiddenMs = recentNames.hiddenFor(keyOf(request.path[1]), clock.now());
		const context: RetryContext = {
			...retryContext,
			patienceMs: request.isKnownToExist === true ? visibleMs : hiddenMs,
			send: async (key) => validated(await send(withKey(wire, key)), request),
			lookUp: run,
		};
		const response = await sendWithRetry(request, context, search);
		if (request.method === 'DELETE') recentNames.forget(keyOf(request.path[1]));
		for (const name of newNames(request, response)) {
			recentNames.note(keyOf(name), clock.now() + visibleMs, clock.now());
		}
		return response;
	};
	return {
		request: async (request) => await run(request),
		inTurn: async (find, work) => {
			const done = await turns.run(keyOf(find.path[1]), work, signal);
			if (done !== 'stopped') return done;
			throw describeFailure({ kind: 'network', code: 'ERR_CANCELED' }, find);
		},
	};
}

/** Reads the credential, and the settings for sending requests with it. */
async function openCredential(
	n8n: RequestContext,
	authentication: Authentication,
	id: string,
): Promise<{ credential: Credential; sender: (context: SendContext) => Sender }> {
	const read = async (): Promise<Credential> =>
		await n8n.getCredentials<Credential & object>(credentialTypeOf(authentication));
	if (authentication !== 'oAuth2') return { credential: await read(), sender: plainSender };
	const mutex = refreshMutexFor(id);
	const openedAt = mutex.renewals;
	const credential = await read();
	return {
		credential,
		sender: (context) => oAuth2Sender(context, credential, { mutex, openedAt }),
	};
}

function secretsOf({ accessToken, clientSecret, oauthTokenData }: Credential): unknown[] {
	const { access_token: token, refresh_token: refreshToken } = oauthTokenData ?? {};
	return [accessToken?.trim(), clientSecret, token, refreshToken];
}

function given(signal: AbortSignal | undefined): { signal?: AbortSignal } {
	return signal === undefined ? {} : { signal };
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

/** A superapp names its channel in each request (the vendor's example). */
function withSubdomain(request: ApiRequest, subdomain = ''): ApiRequest {
	return subdomain === '' ? request : { ...request, query: { ...request.query, subdomain } };
}

/** The name of a record that was just created or given a new email. */
function newNames({ findCreated, findRenamed }: ApiRequest, { body }: ApiResponse): unknown[] {
	const find = findCreated ?? findRenamed;
	if (find === undefined) return [];
	const { uuid } = asRecord(body);
	return [find.path[1], ...(textOf(uuid) === '' ? [] : [uuid])];
}

function validated(attempt: Attempt, request: ApiRequest): Attempt {
	return 'response' in attempt ? validateBody(attempt.response, request) : attempt;
}

function requestOptions(
	baseUrl: string,
	{ method, path, query, body }: Pick<ApiRequest, 'body' | 'method' | 'path' | 'query'>,
): IHttpRequestOptions {
	return {
		method,
		url: `${baseUrl}${encodePath(path)}`,
		...(query === undefined ? {} : { qs: query }),
		...(body === undefined ? {} : { body }),
		json: true,
		returnFullResponse: true,
		timeout: runtime.timeoutMs,
		// A redirect that is followed turns POST and DELETE into GET, which would look like
		// success.
		disableFollowRedirect: true,
	};
}

function withKey(options: IHttpRequestOptions, key: string | undefined): IHttpRequestOptions {
	const headers: IDataObject = { ...options.headers, 'Idempotency-Key': key };
	return key === undefined ? { ...options } : { ...options, headers };
}
