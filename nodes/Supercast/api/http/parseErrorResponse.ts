import { asRecord, isRecord } from '../json';
import type { Failure } from '../types';
import { answerWithoutCause, codeWithoutCause, type KeptAnswer } from './parseStrippedError';
import { readRetryAfter } from './retryAfter';

/**
 * Reads an error of `httpRequestWithAuthentication`: a NodeApiError whose `cause` is the HTTP
 * client's error. Only status, body, a few headers and the error code are taken over: the rest of it
 * holds the whole request, the token included.
 *
 * @param now Milliseconds since 1970, to read a date in `Retry-After` where the answer bears none.
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
	// A good answer among the errors is one that broke off.
	if (status < 300) return { kind: 'notJson', status, truncated: true };
	return parseErrorResponse({ status, headers: asRecord(headers), body: data }, now);
}

function keptFailure({ status, body, isCutOff }: KeptAnswer, now: number): Failure {
	// The service says no with a JSON object. Anything else that was lost may be another website's.
	if (isCutOff || body === undefined) return { kind: 'notJson', status, truncated: isCutOff };
	return parseErrorResponse({ status, headers: {}, body }, now);
}

/** An answer that says no: its status is 300 or above. */
export interface ErrorResponse {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	body: unknown;
}

/**
 * Reads an answer that says no.
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
 * Whether an answer is a gateway's or another website's. What is missing there says nothing about a
 * record of the service, which says so with a JSON object (vendor's client); and a refusal on a web
 * page is not the service's. Redirects, 429 and what the server itself fails at mean the same from
 * whomever they come, and so does 401.
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

/** Whether Node failed to connect; with several addresses, to each of them. */
function isUnsent({ syscall, cause, errors }: Record<string, unknown>): boolean {
	if (syscall === 'connect') return true;
	const inner = asRecord(cause);
	const all = Array.isArray(errors) ? errors : inner.errors;
	if (Array.isArray(all) && all.length > 0) {
		return all.every((error) => asRecord(error).syscall === 'connect');
	}
	return inner.syscall === 'connect';
}
