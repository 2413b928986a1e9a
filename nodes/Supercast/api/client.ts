import { accessTokenOf } from './auth/accessToken';
import { oAuth2Sender, type Connection, type OAuth2Sender } from './auth/oauthSession';
import {
	identifyChannel,
	joinOthers,
	nameChannel,
	openChannel,
	type Channel,
	type OpenedChannel,
} from './sharedChannel';
import { factsIn, type AskChannel } from './channelFacts';
import { abortedDuring, runtime, withinTime } from './clock';
import { ServiceError } from './errors/errors';
import { encodePath, normalizeBaseUrl, readSubdomain } from './http/address';
import { Secrets } from './http/redact';
import { sendOnce, unanswered, type RequestContext, type SendContext } from './http/send';
import { textOf } from './json';
import { RateLimiter } from './rate-limit/rateLimiter';
import { sendWithRetry, type RetryContext } from './retry/sendWithRetry';
import type { ApiRequest, ApiResponse, Attempt } from './types';

/** Sends requests to Supercast within its rate limit, and retries them if needed. */
export interface SupercastClient {
	/** Throws ServiceError if the request fails, and InputError if a path segment is invalid. */
	request(request: ApiRequest): Promise<ApiResponse>;
	/** Ends every wait. */
	readonly signal?: AbortSignal;
	/** All clients of this process for the same channel share it. */
	readonly channel: Channel;
	/**
	 * The address and what Supercast calls the channel, such as `id 7`. Undefined if that can't be
	 * found out now. Costs at most one request for each credential and process.
	 */
	identity?(): Promise<string | undefined>;
	/** What people call the channel. Costs the same request, and at most a few seconds an hour. */
	channelName?(): Promise<string>;
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

/** How long to try to find out which channel a credential opens. Another execution may wait. */
const LONGEST_ASK_MS = 3_000;

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
	const token = accessTokenOf(credential.accessToken);
	const opened = openChannel({ baseUrl, subdomain, credentialId: id, token }, runtime);
	const connected: Connected = { opened, context, oAuth2, workflow: n8n.getWorkflow().id };
	const ask = identityReader(connected);
	opened.ask = new WeakRef(ask);
	await joinOthers(opened, clock);
	const { channel } = opened;
	channel.setLimit(id, requestsPerMinute(credential));
	return {
		channel,
		request: sender(connected, maxWaitMs),
		signal,
		identity: async () => {
			const named = await identifyChannel(opened, clock, ask);
			return named && `${baseUrl} ${named}`;
		},
		channelName: async () => await nameChannel(opened, clock, ask),
	};
}

/** What it takes to send requests with a credential. */
interface Connected {
	opened: OpenedChannel;
	context: SendContext;
	oAuth2?: OAuth2Sender;
	workflow?: string;
}

/** Sends requests, and notes what they say about the channel. */
function sender(
	connected: Connected,
	maxWaitMs: number,
	limiter = connected.opened.channel.limiter,
): SupercastClient['request'] {
	const { context, opened, workflow } = connected;
	const { channel } = opened;
	const retries: RetryContext = {
		...runtime,
		signal: context.signal,
		maxWaitMs,
		acquire: limiter.acquire.bind(limiter, { workflow }),
		send: async (request, key) => await send(request, key, connected),
	};
	return async (request) => {
		// Report an invalid path before the request waits for its turn.
		encodePath(request.path);
		const asked = channel.withoutOldSnapshots(request);
		const sent = sendWithRetry(asked, retries, channel.hiddenMs(request));
		const response = await sent.catch((error: unknown) => {
			// If the response was lost, the change may still have been made.
			const isUnsure = error instanceof ServiceError && error.maybeProcessed;
			if (isUnsure) channel.customerIds.noteResponse(request, {});
			throw error;
		});
		channel.noteResponse(request, response.body);
		return channel.corrected(request, response);
	};
}

/**
 * Sends a request once. A stop does not cut off a change, because Supercast might make it all the
 * same. The next event about the person waits until its end is sure.
 */
async function send(
	request: ApiRequest,
	key: string | undefined,
	{ context, oAuth2, opened }: Connected,
): Promise<Attempt> {
	const { signal } = context;
	const { channel } = opened;
	if (request.method === 'GET' || signal?.aborted === true) {
		return channel.withReach(await sendOnce(request, key, context, oAuth2));
	}
	const whole = { ...context, signal: undefined };
	const sent = sendOnce(request, key, whole, oAuth2).then((one) => channel.withReach(one));
	const settled = channel.noteSent(request, sent, signal);
	return (await abortedDuring(settled, signal)) ? unanswered('stopped') : await sent;
}

/** Reads what Supercast calls the channel. A stop of the execution does not end it. */
function identityReader(connected: Connected): AskChannel {
	return async () => {
		const limit = { clock: runtime.clock, ms: LONGEST_ASK_MS };
		const asked = withinTime(limit, async (signal) => {
			const context = { ...connected.context, signal };
			// Others may have used up the limit of this minute.
			const limiter = new RateLimiter(0, runtime.windowMs, runtime.clock);
			const request = sender({ ...connected, context }, LONGEST_ASK_MS, limiter);
			return await request({ method: 'GET', path: ['channel'], subject, expects: 'record' });
		});
		const answer = await asked.catch(() => undefined);
		return typeof answer === 'object' ? factsIn(answer.body) : undefined;
	};
}

const subject = { text: 'channel', isRecord: false };

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
