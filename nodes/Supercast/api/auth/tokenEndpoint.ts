import {
	answerWithoutCause,
	causesOf,
	codeWithoutCause,
	textsOf,
} from '../http/parseErrorResponse';
import type { SendContext } from '../http/send';
import { asRecord } from '../json';
import { UNKNOWN_CODE, type TokenFailure, type TokenProblem } from '../types';

// The codes that n8n's OAuth2 client sets after a refusal, and after any other odd response.
const REFUSED = 'EAUTH';
const NOT_OAUTH = 'ESTATUS';

/** Error codes of a token endpoint (RFC 6749, section 5.2). */
const PROBLEMS: Record<string, TokenProblem> = {
	invalid_grant: 'revoked',
	invalid_client: 'wrongApplication',
	unauthorized_client: 'wrongApplication',
	unsupported_grant_type: 'wrongApplication',
	invalid_scope: 'wrongScope',
};

// The first words of the messages that n8n's OAuth2 client uses for these codes.
const REFUSALS: ReadonlyArray<[RegExp, TokenProblem]> = [
	[/The provided authorization grant /, 'revoked'],
	[/Client authentication failed |The client is not authorized /, 'wrongApplication'],
	[/The authorization grant type is not supported /, 'wrongApplication'],
	[/The requested scope is invalid/, 'wrongScope'],
];

/** Error codes from a server that is busy or failing (the first two: RFC 6749, section 4.1.2.1). */
const PASSING =
	/^(temporarily_unavailable|server_error|slow_down|too_many_requests|rate_limit(_exceeded|ed)?)$/;

const PASSING_TEXT = /The authorization server (is currently unable|encountered an unexpected)/;

const NOT_OAUTH_TEXT = /Unsupported content type|Expected JSON response/;

const STATUS_TEXT = /(?:HTTP status|status code) (\d{3})/;

const MALFORMED_ADDRESS = new Set(['ERR_INVALID_URL', 'ENOTFOUND', 'ERR_BAD_REQUEST']);

type Fields = Record<string, unknown>;

/**
 * Reads an error that `httpRequestWithAuthentication` threw for an OAuth2 credential.
 *
 * @param accessTokenUrl The address of the token endpoint. It distinguishes a token request from an
 * API request.
 * @param wasSigned Whether the request had a token that the API had not just refused.
 * @returns The token failure. Undefined if n8n had a token and the API request itself failed.
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
	if (sent !== undefined) return endpointFailure(sent, accessTokenUrl);
	const isFromApi =
		wasSigned ||
		answerWithoutCause(error)?.body !== undefined ||
		codeWithoutCause(error) === 'ERR_CANCELED' ||
		chain.some(({ response, code }) => response !== undefined || typeof code === 'string');
	return isFromApi ? undefined : strippedTokenError(error);
}

/** Reads a refusal by the token endpoint. Only its error code is reliable, not its message. */
function refusal(code: unknown): TokenFailure {
	const word = typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'unknown';
	if (PASSING.test(word)) return tokenFailure('unavailable', word);
	const problem = PROBLEMS[word];
	return problem === undefined ? tokenFailure('refused', word) : tokenFailure(problem);
}

/** Describes a response from a busy or failing server, or from another website. */
function endpointStatusFailure(status: unknown): TokenFailure {
	const isPassing = Number(status) >= 500 || Number(status) === 429 || Number(status) === 408;
	return tokenFailure(isPassing ? 'unavailable' : 'wrongAddress', `status ${String(status)}`);
}

/** Describes an error of the HTTP client, if a token request caused it. */
function endpointFailure(sent: Fields, accessTokenUrl: string): TokenFailure | undefined {
	const url = String(asRecord(sent.config).url);
	if (url.split('?')[0] !== accessTokenUrl.split('?')[0]) return undefined;
	const { status } = asRecord(sent.response);
	if (typeof status === 'number') return tokenFailure('unavailable', `status ${status}`);
	return endpointCodeFailure(sent.code);
}

function endpointCodeFailure(given: unknown): TokenFailure {
	const code = typeof given === 'string' ? given : UNKNOWN_CODE;
	return tokenFailure(MALFORMED_ADDRESS.has(code) ? 'wrongAddress' : 'unavailable', code);
}

/** Describes an error without a cause, if n8n sent no request with a token that may be valid. */
function strippedTokenError(error: unknown): TokenFailure {
	const texts = textsOf(error);
	const known = REFUSALS.find(([text]) => text.test(texts));
	if (known !== undefined) return tokenFailure(known[1]);
	if (PASSING_TEXT.test(texts)) return tokenFailure('unavailable', 'temporarily_unavailable');
	const status = STATUS_TEXT.exec(texts)?.[1];
	if (status !== undefined) return endpointStatusFailure(status);
	if (NOT_OAUTH_TEXT.test(texts)) return tokenFailure('wrongAddress');
	const code = codeWithoutCause(error);
	if (code === REFUSED) return tokenFailure('refused', 'unknown');
	if (MALFORMED_ADDRESS.has(code)) return tokenFailure('wrongAddress', code);
	// ERR_ASSERTION and similar codes mean that n8n's OAuth2 client has no token to send.
	const isOfNetwork = code !== UNKNOWN_CODE && !code.startsWith('ERR_');
	return isOfNetwork ? tokenFailure('unavailable', code) : tokenFailure('missing');
}

function tokenFailure(problem: TokenProblem, detail?: string): TokenFailure {
	return { kind: 'token', problem, detail };
}

/** Addresses that do not redirect. */
const direct = new Set<string>();

/**
 * Checks that a token endpoint does not redirect, with a request that contains no secrets. n8n's
 * OAuth2 client follows redirects. After a 307 or 308, it would send the client secret and the
 * refresh token to the new address. Once an address has answered as a token endpoint does, this
 * process does not check it again. Does not throw.
 *
 * @returns Why the endpoint must not receive any secrets. Undefined if it may.
 */
export async function checkTokenEndpoint(
	{ n8n, ms }: SendContext,
	url: string,
	signal: AbortSignal,
): Promise<TokenFailure | undefined> {
	if (direct.has(url)) return undefined;
	try {
		const answer: unknown = await n8n.helpers.httpRequest({
			method: 'POST',
			url,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: ms,
			abortSignal: signal,
		});
		const status = Number(asRecord(answer).statusCode);
		if (status >= 300 && status < 400) return { kind: 'token', problem: 'redirected' };
		// RFC 6749, section 5.2: without its parameters, a token request gets 400, or 401.
		const isDirect = (status >= 200 && status < 300) || status === 400 || status === 401;
		if (!isDirect) return endpointStatusFailure(status);
		direct.add(url);
		return undefined;
	} catch (error) {
		return endpointCodeFailure(asRecord(error).code);
	}
}
