/**
 * Reads an error of n8n that has lost its cause, as n8n 1.102 to 2.33 lose it. What is left is
 * `httpCode`, which holds the status or else the error code, and a few texts. Pure.
 */

import type { TokenFailure, TokenProblem } from '../errors/errors';
import { asRecord } from '../json';

/** What n8n has kept of an answer. */
export interface KeptAnswer {
	status: number;
	/** Kept where it was a JSON object. */
	body?: object;
	/** Whether it did not arrive whole. */
	isCutOff: boolean;
}

/** What n8n's OAuth2 client puts into an error's `code` when the service refuses a token. */
export const REFUSED = 'EAUTH';

// That client's texts for the error codes of RFC 6749, section 5.2, by how they begin.
const REFUSALS: ReadonlyArray<[RegExp, TokenProblem]> = [
	[/The provided authorization grant /, 'revoked'],
	[/Client authentication failed |The client is not authorized /, 'wrongApplication'],
	[/The authorization grant type is not supported /, 'wrongApplication'],
	[/The requested scope is invalid/, 'wrongScope'],
];

const NOT_OAUTH = /HTTP status \d{3}|Unsupported content type/;

const UNAVAILABLE = /status code (\d{3})/;

const UNKNOWN = 'UNKNOWN';

/** The answer that an error without a cause stems from; undefined for any other error. */
export function answerWithoutCause(error: unknown): KeptAnswer | undefined {
	const { cause, httpCode, context } = asRecord(error);
	const status = Number(httpCode);
	if (cause !== undefined || !(status >= 200)) return undefined;
	const { data } = asRecord(context);
	// A good answer among the errors is one that broke off.
	const isCutOff = status < 300 || /\baborted\b/.test(textsOf(error));
	const body = typeof data === 'object' && data !== null ? { body: data } : {};
	return { status, isCutOff, ...body };
}

/** The code of an error that has no cause: Node's, such as ECONNRESET, or that of the HTTP client. */
export function codeWithoutCause(error: unknown): string {
	const { httpCode } = asRecord(error);
	if (typeof httpCode === 'string' && /^[A-Z][A-Z_]+$/.test(httpCode)) return httpCode;
	return /\bE[A-Z_]{4,}\b/.exec(textsOf(error))?.[0] ?? UNKNOWN;
}

/**
 * Tells why there is no token from an error without a cause, when no request with a token that may be
 * valid has been sent.
 *
 * @param malformed Codes that mean that the token endpoint's address is wrong.
 */
export function tokenFailureWithoutCause(error: unknown, malformed: Set<string>): TokenFailure {
	const texts = textsOf(error);
	const refusal = REFUSALS.find(([text]) => text.test(texts));
	if (refusal !== undefined) return { kind: 'token', problem: refusal[1] };
	if (NOT_OAUTH.test(texts)) return { kind: 'token', problem: 'wrongAddress' };
	const status = UNAVAILABLE.exec(texts)?.[1];
	if (status !== undefined) return unavailable(`status ${status}`);
	const code = codeWithoutCause(error);
	if (code === REFUSED) return { kind: 'token', problem: 'refused', detail: 'unknown' };
	if (malformed.has(code)) return { kind: 'token', problem: 'wrongAddress', detail: code };
	// ERR_ASSERTION and its like: n8n's OAuth2 client has nothing that it could send.
	const isOfNetwork = code !== UNKNOWN && !code.startsWith('ERR_');
	return isOfNetwork ? unavailable(code) : { kind: 'token', problem: 'missing' };
}

function unavailable(detail: string): TokenFailure {
	return { kind: 'token', problem: 'unavailable', detail };
}

function textsOf(error: unknown): string {
	const { messages, message } = asRecord(error);
	return [messages, message].flat().join('\n');
}
