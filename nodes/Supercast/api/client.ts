import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { oAuth2Sender } from './auth/oAuth2Sender';
import { refreshMutexFor, type Connection } from './auth/oauthSession';
import { describeFailure } from './errors/describeFailure';
import { encodePath, normalizeBaseUrl } from './http/address';
import { plainSender, type RequestContext, type SendContext, type Sender } from './http/send';
import { validateBody } from './http/validateBody';
import { nameKey } from './identity';
import { asRecord, textOf } from './json';
import { KeyedMutex } from './keyedMutex';
import { rateLimiterFor, type AcquireOptions } from './rate-limit/rateLimiter';

import { RecentNames } from './recentNames';
import { sendWithRetry, type RetryContext, type Search } from './retry/sendWithRetry';
import { runtime } from './runtime';
import type { ApiRequest, ApiResponse, Attempt } from './types';

/** Sends requests to Supercast. All operations and the trigger use it. */
export interface SupercastClient {
	/**
	 * Sends one request within Supercast's rate limit, and retries it if needed.
	 *
	 * @throws ServiceError if Supercast is unreachable, or the request fails.
	 * @throws InputError if the base URL or a path segment is invalid. In this case, nothing is
	 * sent.
	 */
	request(request: ApiRequest): Promise<ApiResponse>;
	/**
	 * Runs `work` once no other work in this process uses the same credential and the record that
	 * `find` names.
	 *
	 * @throws ServiceError if the execution is stopped during the wait, and any error from `work`.
	 */
	inTurn<T>(find: ApiRequest, work: () => Promise<T>): Promise<T>;
}

/** A value of the node parameter `authentication`. */
export type Authentication = 'accessToken' | 'oAuth2';

/** The credential type for a value of `authentication`. */
export function credentialTypeOf(authentication: Authentication): string {
	return authentication === 'oAuth2' ? 'supercastOAuth2Api' : 'supercastApi';
}

/** How long to retry one request by default. */
export const DEFAULT_MAX_WAIT_MS = 600_000;

/** Supercast's limit (specification, section 8), for a credential that does not set one. */
const DEFAULT_REQUESTS_PER_MINUTE = 100;

interface Credential extends Connection {
	baseUrl?: string;
	requestsPerMinute?: number;
	accessToken?: string;
	accessTokenUrl?: string;
	clientSecret?: string;
	oauthTokenData?: { access_token?: unknown; refresh_token?: unknown };
	/** The subdomain of the channel that a superapp manages. */
	subdomain?: string;
}

const turns = new KeyedMutex();
const recentNames = new RecentNames();

/**
 * Creates a client for the credential that the node parameter `authentication` selects. Its
 * requests take turns with the requests of all other clients that use this credential.
 *
 * @param options `maxWaitMs`: how long to retry a request, counted from when it was first sent.
 * `signal`: ends every wait when aborted. The default is the execution's signal.
 * @throws InputError if an address in the credential is invalid.
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
	const rateClient = { workflow: n8n.getWorkflow().id };
	const retryContext = {
		acquire: async (wait: AcquireOptions) => await limiter.acquire(rateClient, wait),
		...{ clock, random, newKey },
		waits: { backoffMs, visibleMs, lateMs },
		maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
		...given(signal),
	};
	const keyOf = (name: unknown): string => `${origin} ${id} ${nameKey(name)}`;
	const run = async (request: ApiRequest, search?: Search): Promise<ApiResponse> => {
		// Report an invalid path immediately, before the request waits for its turn.
		const wire = requestOptions(
			baseUrl,
			withSubdomain(request, textOf(credential.subdomain).trim()),
		);
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

/** Reads the credential, and returns it with a function that creates its sender. */
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
	return [textOf(accessToken).trim(), clientSecret, token, refreshToken];
}

function given(signal: AbortSignal | undefined): { signal?: AbortSignal } {
	return signal === undefined ? {} : { signal };
}

function requestsPerMinute({ requestsPerMinute: typed }: Credential): number {
	// Number('') is 0, which would turn the limit off.
	const isGiven = typeof typed === 'number' || /\S/.test(String(typed ?? ''));
	const number = Number(isGiven ? typed : DEFAULT_REQUESTS_PER_MINUTE);
	if (!(number >= 0)) return DEFAULT_REQUESTS_PER_MINUTE;
	return number > 0 ? Math.max(1, Math.floor(number)) : 0;
}

function cancelSignal(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Adds the channel's subdomain, which a superapp sends in each request (the vendor's example). */
function withSubdomain(request: ApiRequest, subdomain: string): ApiRequest {
	return subdomain === '' ? request : { ...request, query: { ...request.query, subdomain } };
}

/** The names of a record that was just created, or whose email was just changed. */
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
		// Following a redirect would turn POST and DELETE into GET, which would look like success.
		disableFollowRedirect: true,
	};
}

function withKey(options: IHttpRequestOptions, key: string | undefined): IHttpRequestOptions {
	const headers: IDataObject = { ...options.headers, 'Idempotency-Key': key };
	return key === undefined ? { ...options } : { ...options, headers };
}
