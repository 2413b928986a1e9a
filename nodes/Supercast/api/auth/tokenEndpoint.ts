import {
	answerWithoutCause,
	causesOf,
	codeWithoutCause,
	textsOf,
	whyNotSent,
} from '../http/parseErrorResponse';
import type { SendContext } from '../http/send';
import { asRecord } from '../json';
import { UNKNOWN_CODE, type TokenFailure, type TokenProblem } from '../types';

// The codes that n8n's OAuth2 client sets after a refusal, and after an unexpected response.
const REFUSED = 'EAUTH';
const NOT_OAUTH = 'ESTATUS';
// The code of that client if it has no token to send.
const NO_TOKEN = 'ERR_ASSERTION';

/** Error codes of a token endpoint (RFC 6749, sections 5.2 and 4.1.2.1), and of a busy server. */
const PROBLEMS: Record<string, TokenProblem> = {
	invalid_grant: 'revoked',
	invalid_client: 'wrongApplication',
	unauthorized_client: 'wrongApplication',
	unsupported_grant_type: 'wrongApplication',
	invalid_scope: 'wrongScope',
	temporarily_unavailable: 'unavailable',
	server_error: 'unavailable',
	slow_down: 'unavailable',
	too_many_requests: 'unavailable',
	rate_limit: 'unavailable',
	rate_limited: 'unavailable',
	rate_limit_exceeded: 'unavailable',
};

// The first words of the messages that n8n's OAuth2 client uses for these codes.
const TEXTS: ReadonlyArray<[RegExp, code: string]> = [
	[/The provided authorization grant /, 'invalid_grant'],
	[/Client authentication failed |The client is not authorized /, 'invalid_client'],
	[/The authorization grant type is not supported /, 'unsupported_grant_type'],
	[/The requested scope is invalid/, 'invalid_scope'],
	[
		/The authorization server (is currently unable|encountered an unexpected)/,
		'temporarily_unavailable',
	],
];

const NOT_OAUTH_TEXT = /Unsupported content type|Expected JSON response/;

const STATUS_TEXT = /(?:HTTP status|status code) (\d{3})/;

const MALFORMED_ADDRESS = new Set(['ERR_INVALID_URL', 'ENOTFOUND', 'ERR_BAD_REQUEST']);

/**
 * Reads an error that `httpRequestWithAuthentication` threw for an OAuth2 credential. Returns
 * undefined if n8n had a token and the API request itself failed.
 * @param wasSigned Whether the request had a token that the API had not just refused.
 */
export function parseTokenError(
	error: unknown,
	accessTokenUrl: string,
	wasSigned: boolean,
): TokenFailure | undefined {
	const chain = causesOf(error);
	// In n8n 2.30 and later, n8n's own error replaces Supercast's refusal.
	if (chain.some(({ failure }) => asRecord(failure).cause === 'credential-invalid')) {
		return tokenFailure('revoked');
	}
	const refused = chain.find(({ code }) => code === REFUSED);
	if (refused !== undefined) return refusal(asRecord(refused.body).error);
	const odd = chain.find(({ code }) => code === NOT_OAUTH);
	if (odd !== undefined) return endpointStatusFailure(odd.status);
	const sent = chain.find(({ config }) => typeof asRecord(config).url === 'string');
	if (sent !== undefined) return sentTokenError(sent, accessTokenUrl);
	return wasSigned || isFromApi(error, chain) ? undefined : strippedTokenError(error);
}

/** Reads an error of a request whose address is known. Undefined if it is another address. */
function sentTokenError(
	sent: Record<string, unknown>,
	accessTokenUrl: string,
): TokenFailure | undefined {
	const [url] = String(asRecord(sent.config).url).split('?');
	if (url !== accessTokenUrl.split('?')[0]) return undefined;
	const { status } = asRecord(sent.response);
	// n8n's OAuth2 client throws a response only if the server failed or the body was cut off.
	return typeof status === 'number'
		? tokenFailure('unavailable', `status ${status}`)
		: endpointCodeFailure(sent.code);
}

/** Whether an error comes from the API, and not from the token endpoint. */
function isFromApi(error: unknown, chain: ReadonlyArray<Record<string, unknown>>): boolean {
	return (
		// The check of the token endpoint has passed, so n8n did not send the request to the API.
		whyNotSent(error) !== undefined ||
		answerWithoutCause(error)?.body !== undefined ||
		codeWithoutCause(error) === 'ERR_CANCELED' ||
		chain.some(({ response }) => response !== undefined) ||
		chain.some(({ code }) => typeof code === 'string' && code !== NO_TOKEN)
	);
}

/** Only the error code of a refusal is reliable, not its message. */
function refusal(code: unknown): TokenFailure {
	const word = typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'unknown';
	const problem = PROBLEMS[word] ?? 'refused';
	return tokenFailure(problem, ['refused', 'unavailable'].includes(problem) ? word : undefined);
}

/** A response from a busy or failing server, or from another website. */
function endpointStatusFailure(status: unknown): TokenFailure {
	const isPassing = Number(status) >= 500 || Number(status) === 429 || Number(status) === 408;
	return tokenFailure(isPassing ? 'unavailable' : 'wrongAddress', `status ${String(status)}`);
}

function endpointCodeFailure(given: unknown): TokenFailure {
	const code = typeof given === 'string' ? given : UNKNOWN_CODE;
	return tokenFailure(MALFORMED_ADDRESS.has(code) ? 'wrongAddress' : 'unavailable', code);
}

/**
 * Describes an error without a cause, as in n8n 1.102 to 2.33. It applies only if n8n sent no token
 * that may be valid. n8n 2.34 and later need only the part that recognizes a missing token.
 */
function strippedTokenError(error: unknown): TokenFailure {
	const texts = textsOf(error);
	const answer = answerWithoutCause(error);
	if (answer?.isCutOff) return tokenFailure('unavailable', `status ${answer.status}`);
	const [, refusalCode] = TEXTS.find(([text]) => text.test(texts)) ?? [];
	if (refusalCode !== undefined) return refusal(refusalCode);
	const status = STATUS_TEXT.exec(texts)?.[1];
	if (status !== undefined) return endpointStatusFailure(status);
	if (NOT_OAUTH_TEXT.test(texts)) return tokenFailure('wrongAddress');
	return strippedCodeError(codeWithoutCause(error));
}

/** Describes an error of which only the code remains. */
function strippedCodeError(code: string): TokenFailure {
	if (code === REFUSED) return refusal(undefined);
	// ERR_ASSERTION and similar codes mean that n8n's OAuth2 client has no token to send.
	const isMissing = code === UNKNOWN_CODE || code.startsWith('ERR_');
	return isMissing && !MALFORMED_ADDRESS.has(code)
		? tokenFailure('missing')
		: endpointCodeFailure(code);
}

function tokenFailure(problem: TokenProblem, detail?: string): TokenFailure {
	return { kind: 'token', problem, detail };
}

/** A request for a token as n8n sends it, but without secrets. */
const WITHOUT_SECRETS = {
	method: 'POST',
	headers: {
		Accept: 'application/json, application/x-www-form-urlencoded',
		'Content-Type': 'application/x-www-form-urlencoded',
	},
	body: 'grant_type=refresh_token',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/**
 * Checks that a token endpoint does not redirect, with a request that contains no secrets. After a
 * 307 or 308, n8n's OAuth2 client would send the client secret and refresh token to the new
 * address, and a node can't prevent that. So this runs before each request for a token. Whatever
 * else the endpoint answers, it may still issue tokens. Returns why it must not receive any
 * secrets, or undefined. Does not throw.
 */
export async function checkTokenEndpoint(
	{ n8n, ms: timeout }: SendContext,
	url: string,
	signal: AbortSignal,
): Promise<TokenFailure | undefined> {
	const request = { ...WITHOUT_SECRETS, url, timeout, abortSignal: signal };
	try {
		const first = asRecord(await n8n.helpers.httpRequest(request));
		if (isRedirect(first)) return tokenFailure('redirected');
		if ([200, 400, 401].includes(Number(first.statusCode))) return undefined;
		// Something else than a token endpoint, such as a busy gateway, may redirect a moment later.
		const second = asRecord(await n8n.helpers.httpRequest(request));
		return isRedirect(second) ? tokenFailure('redirected') : undefined;
	} catch (error) {
		const reason = whyNotSent(error);
		if (reason !== undefined) return { kind: 'token', problem: 'notSent', reason };
		return endpointCodeFailure(asRecord(error).code);
	}
}

/** Whether HTTP clients go on to another address, perhaps with the same body. */
function isRedirect({ statusCode, headers }: Record<string, unknown>): boolean {
	const status = Number(statusCode);
	return status >= 300 && status < 400 && Boolean(asRecord(headers).location);
}
