import type { IHttpRequestOptions } from 'n8n-workflow';

import { oAuth2Sender } from './auth/oAuth2Sender';
import { refreshMutexFor, type Connection } from './auth/oauthSession';
import { describeFailure } from './errors/errors';
import { encodePath, normalizeBaseUrl } from './http/address';
import { plainSender, type RequestContext, type SendContext, type Sender } from './http/send';
import { validateBody } from './http/validateBody';
import { nameKey } from './identity';
import { asRecord, textOf } from './json';
import { KeyedMutex, runtime } from './clock';
import { rateLimiterFor } from './rate-limit/rateLimiter';
import { sendWithRetry, type Limits } from './retry/sendWithRetry';
import type { ApiRequest, ApiResponse } from './types';

/** Sends requests to Supercast. All operations and the trigger use it. */
export interface SupercastClient {
	/**
	 * Sends one request within Supercast's rate limit, and retries it if needed.
	 *
	 * @throws ServiceError if the request fails, and InputError if a path segment is invalid.
	 */
	request(request: ApiRequest): Promise<ApiResponse>;
	/**
	 * Runs `work` once no other work in this process uses the same credential and the record that
	 * `find` names. Throws ServiceError if the execution is stopped during the wait.
	 */
	inTurn<T>(find: ApiRequest, work: () => Promise<T>): Promise<T>;
}

export type Authentication = 'accessToken' | 'oAuth2';

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

/** Until when a record may be hidden that was just created or renamed, by its name. */
const hiddenUntil = new Map<string, number>();

/**
 * Creates a client. Its requests take turns with those of all clients with the same credential.
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
	const { clock, timeoutMs, visibleMs } = runtime;
	const signal = options.signal ?? cancelSignal(n8n);
	const secrets = secretsOf(credential);
	const send = sender({ n8n, credentialType, secrets, clock, timeoutMs, signal });
	const limiter = rateLimiterFor(origin, id, requestsPerMinute(credential), runtime);
	const rateClient = { workflow: n8n.getWorkflow().id };
	const keyOf = (name: unknown): string => `${origin} ${id} ${nameKey(name)}`;
	const run = async (request: ApiRequest, given?: Limits): Promise<ApiResponse> => {
		// Report an invalid path immediately, before the request waits for its turn.
		const url = `${baseUrl}${encodePath(request.path)}`;
		const leftMs = (hiddenUntil.get(keyOf(request.path[1])) ?? 0) - clock.now();
		const hiddenMs = request.mayBeHidden ? visibleMs : leftMs;
		const response = await sendWithRetry(request, {
			...runtime,
			waits: runtime,
			signal,
			maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
			limits: given ?? { deadline: Infinity, hiddenMs },
			acquire: async (wait) => await limiter.acquire(rateClient, wait),
			send: async (key) => {
				const attempt = await send(requestOptions(url, request, credential.subdomain, key));
				return 'response' in attempt ? validateBody(attempt.response, request) : attempt;
			},
			confirm: async (limits) => ({
				...(await run(lookUpOf(request, request.newName!), limits)),
				wasLookedUp: true,
			}),
		});
		remember(request, response, keyOf);
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

/** The request that finds the record of another request by its new name. */
export function lookUpOf({ path, subject }: ApiRequest, newName: string): ApiRequest {
	return { method: 'GET', path: [path[0]!, newName], subject, expects: 'record' };
}

/** Remembers the names of a new or renamed record, which may be hidden for a while. */
function remember(
	{ method, path, newName }: ApiRequest,
	{ body }: ApiResponse,
	keyOf: (name: unknown) => string,
): void {
	if (method === 'DELETE') hiddenUntil.delete(keyOf(path[1]));
	if (newName === undefined) return;
	const now = runtime.clock.now();
	for (const [name, until] of hiddenUntil) if (until <= now) hiddenUntil.delete(name);
	const names = [newName, asRecord(body).uuid].filter((name) => textOf(name) !== '');
	for (const name of names) hiddenUntil.set(keyOf(name), now + runtime.visibleMs);
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

function requestsPerMinute({ requestsPerMinute: typed }: Credential): number {
	// Number('') is 0, which would turn the limit off.
	const number = Number(textOf(typed).trim() === '' ? Number.NaN : typed);
	if (!(number >= 0)) return DEFAULT_REQUESTS_PER_MINUTE;
	return number > 0 ? Math.max(1, Math.floor(number)) : 0;
}

function cancelSignal(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** n8n changes the options, so each attempt needs its own. */
function requestOptions(
	url: string,
	{ method, query, body }: ApiRequest,
	subdomain: unknown,
	key?: string,
): IHttpRequestOptions {
	// A superapp names the channel in each request (the vendor's example).
	const channel = textOf(subdomain).trim();
	return {
		method,
		url,
		qs: channel === '' ? query : { ...query, subdomain: channel },
		body,
		headers: key === undefined ? {} : { 'Idempotency-Key': key },
		json: true,
		returnFullResponse: true,
		timeout: runtime.timeoutMs,
		// Following a redirect would turn POST and DELETE into GET, which would look like success.
		disableFollowRedirect: true,
	};
}
