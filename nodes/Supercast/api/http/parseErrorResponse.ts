import { asRecord, isRecord } from '../json';
import type { Failure } from '../types';
import { answerWithoutCause, codeWithoutCause, type KeptAnswer } from './parseStrippedError';
import { readRetryAfter } from './retryAfter';

/**
 * Reads an error of `httpRequestWithAuthentication`: a NodeApiError whose `cause` is the HTTP
 * client's error. It takes only the status, body, a few headers and the error code. The rest of the
 * error holds the whole request, including the token.
 *
 * @param now Milliseconds since 1970, to read a date in `Retry-After` if the response has no date.
 */
export function parseThrownError(error: unknown, now: number): Failure {
	const kept = answerWithoutCause(error);
	if (kept !== undefined) return keptFailure(kept, now);
	const cause = innermostWithResponse(error);
	const { status, headers, data } = asRecord(cause.response);
	if (typeof status !== 'number') {
		const { code } = cause;
		const known = typeof code === 'string' ? code : codeWithoutCause(error);
		return { kind: 'network', code: known, ...(isUnsent(cause) ? { isUnsent: true } : {}) };
	}
	// A response with a success status is an error here only if it broke off.
	if (status < 300) return { kind: 'notJson', status, truncated: true };
	return parseErrorResponse({ status, headers: asRecord(headers), body: data }, now);
}

function keptFailure({ status, body, isCutOff }: KeptAnswer, now: number): Failure {
	// Supercast refuses with a JSON object. A lost body of another type may come from another site.
	if (isCutOff || body === undefined) return { kind: 'notJson', status, truncated: isCutOff };
	return parseErrorResponse({ status, headers: {}, body }, now);
}

/** A response with a status of 300 or above. */
export interface ErrorResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	body: unknown;
}

/**
 * Reads a response with a status of 300 or above.
 *
 * @param now As in `parseThrownError`.
 */
export function parseErrorResponse({ status, headers, body }: ErrorResponse, now: number): Failure {
	if (isOfAnother(status, body)) return { kind: 'notJson', status, truncated: false };
	const { location } = headers;
	const sentAt = Date.parse(String(headers.date));
	const retryAfterMs = readRetryAfter(headers['retry-after'], sentAt || now);
	return {
		kind: 'status',
		status,
		body,
		...(typeof location === 'string' ? { location } : {}),
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
	};
}

/**
 * Whether a response comes from a gateway or another website. A 404 of those says nothing about a
 * Supercast record: Supercast says "not found" with a JSON object (vendor's client). A refusal on a
 * web page is not Supercast's either. Redirects, 401, 429 and server errors mean the same from any
 * sender.
 */
function isOfAnother(status: number, body: unknown): boolean {
	if (status === 404) return !isRecord(body);
	const isClients = status >= 400 && status < 500 && status !== 401 && status !== 429;
	return isClients && typeof body === 'string' && /^\s*</.test(body);
}

function innermostWithResponse(error: unknown): Record<string, unknown> {
	let current = asRecord(error);
	for (let depth = 0; depth < 5 && current.response === undefined; depth++) {
		if (typeof current.cause !== 'object' || current.cause === null) break;
		current = asRecord(current.cause);
	}
	return current;
}

/** Whether Node failed to connect. If there are several addresses, to each of them. */
function isUnsent({ syscall, errors }: Record<string, unknown>): boolean {
	if (syscall === 'connect') return true;
	if (!Array.isArray(errors) || errors.length === 0) return false;
	return errors.every((error) => asRecord(error).syscall === 'connect');
}
