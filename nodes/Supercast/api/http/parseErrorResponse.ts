import { asRecord, isRecord } from '../json';
import type { Failure } from '../types';
import { answerWithoutCause, codeWithoutCause, type KeptAnswer } from './parseStrippedError';
import { readRetryAfter } from './retryAfter';

/**
 * Reads an error that `httpRequestWithAuthentication` threw: a NodeApiError whose `cause` is the
 * HTTP client's error. Uses only its status, body, error code and a few headers. The rest contains
 * the whole request, including the token.
 *
 * @param now The current time in milliseconds since 1970. It is used to read a date in
 * `Retry-After` if the response has no `Date` header.
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
	// Here, a response with a success status is an error only if it was cut off.
	if (status < 300) return { kind: 'notJson', status, truncated: true };
	return parseErrorResponse({ status, headers: asRecord(headers), body: data }, now);
}

function keptFailure({ status, body, isCutOff }: KeptAnswer, now: number): Failure {
	// Supercast's error responses are JSON objects. Without one, the response may come from another
	// website.
	if (isCutOff || body === undefined) return { kind: 'notJson', status, truncated: isCutOff };
	return parseErrorResponse({ status, headers: {}, body }, now);
}

/** A response with a status of 300 or above. */
export interface ErrorResponse {
	status: number;
	/** The header names are in lower case. */
	headers: Record<string, unknown>;
	body: unknown;
}

/**
 * Reads a response with a status of 300 or above.
 *
 * @param now See `parseThrownError`.
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
 * Whether a response comes from a gateway or another website instead of Supercast. A 404 without a
 * JSON object says nothing about a Supercast record, because Supercast's own 404 has one (vendor's
 * client). A client error with a web page does not come from Supercast either. Redirects, 401, 429
 * and server errors mean the same, regardless of who sends them.
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

/**
 * Whether Node failed to connect. If the host has several addresses, all connections must have
 * failed.
 */
function isUnsent({ syscall, errors }: Record<string, unknown>): boolean {
	if (syscall === 'connect') return true;
	if (!Array.isArray(errors) || errors.length === 0) return false;
	return errors.every((error) => asRecord(error).syscall === 'connect');
}
