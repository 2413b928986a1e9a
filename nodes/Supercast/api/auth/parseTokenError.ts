/** Reads from what n8n's request helper threw why there is no token. Pure. */

import type { TokenFailure, TokenProblem } from '../errors/errors';
import {
	answerWithoutCause,
	codeWithoutCause,
	REFUSED,
	tokenFailureWithoutCause,
} from '../http/parseStrippedError';

/** What n8n's OAuth2 client puts into an error's `code` when the service does not speak OAuth. */
const NOT_OAUTH = 'ESTATUS';

/** Error codes of a token endpoint (RFC 6749, section 5.2). */
const PROBLEMS: Record<string, TokenProblem> = {
	invalid_grant: 'revoked',
	invalid_client: 'wrongApplication',
	unauthorized_client: 'wrongApplication',
	unsupported_grant_type: 'wrongApplication',
	invalid_scope: 'wrongScope',
};

const MALFORMED_ADDRESS = new Set(['ERR_INVALID_URL', 'ENOTFOUND', 'ERR_BAD_REQUEST']);

type Fields = Record<string, unknown>;

/**
 * Reads an error of `httpRequestWithAuthentication` with an OAuth2 credential.
 *
 * @param accessTokenUrl Tells a request for a token from one to the API.
 * @param wasSigned Whether n8n had a token for the request that the API had not just refused.
 * @returns undefined when there was a token and the API is what failed.
 */
export function readTokenFailure(
	error: unknown,
	accessTokenUrl: string,
	wasSigned: boolean,
): TokenFailure | undefined {
	const chain = causesOf(error);
	// n8n 2.30 and later put their own error in place of the service's refusal.
	if (
		chain.some(({ failure }) => (failure as Fields | undefined)?.cause === 'credential-invalid')
	) {
		return tokenFailure('revoked');
	}
	const refused = chain.find(({ code }) => code === REFUSED);
	if (refused !== undefined) return refusal(refused.body);
	if (chain.some(({ code }) => code === NOT_OAUTH)) return tokenFailure('wrongAddress');
	const sent = chain.find(({ config }) => typeof (config as Fields | undefined)?.url === 'string');
	if (sent !== undefined) return endpointFailure(sent, accessTokenUrl);
	const isFromApi =
		wasSigned ||
		answerWithoutCause(error)?.body !== undefined ||
		codeWithoutCause(error) === 'ERR_CANCELED' ||
		chain.some(({ response, code }) => response !== undefined || isText(code));
	return isFromApi ? undefined : tokenFailureWithoutCause(error, MALFORMED_ADDRESS);
}

function refusal(body: unknown): TokenFailure {
	const { error } = (body ?? {}) as Fields;
	const word = isText(error) && /^[a-z_]{1,40}$/.test(error) ? error : 'unknown';
	const problem = PROBLEMS[word];
	return problem === undefined ? tokenFailure('refused', word) : tokenFailure(problem);
}

/** The HTTP client's own error: the endpoint was not reached, or is out of order. */
function endpointFailure(sent: Fields, accessTokenUrl: string): TokenFailure | undefined {
	const { url } = sent.config as { url: string };
	if (url.split('?')[0] !== accessTokenUrl.split('?')[0]) return undefined;
	const { status } = (sent.response ?? {}) as Fields;
	if (typeof status === 'number') return tokenFailure('unavailable', `status ${status}`);
	const code = isText(sent.code) ? sent.code : 'UNKNOWN';
	return tokenFailure(MALFORMED_ADDRESS.has(code) ? 'wrongAddress' : 'unavailable', code);
}

function tokenFailure(problem: TokenProblem, detail?: string): TokenFailure {
	return { kind: 'token', problem, ...(detail === undefined ? {} : { detail }) };
}

function causesOf(error: unknown): Fields[] {
	const chain: Fields[] = [];
	let current = error;
	while (typeof current === 'object' && current !== null && chain.length < 8) {
		chain.push(current as Fields);
		current = (current as Fields).cause;
	}
	return chain;
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}
