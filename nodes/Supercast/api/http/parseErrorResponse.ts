/** Reads what n8n's request helper threw or returned, and tells whether it is the service's answer. */

import type { Failure } from '../errors/errors';
import { answerWithoutCause, codeWithoutCause, type KeptAnswer } from './parseStrippedError';
import { readRetryAfter } from './retryAfter';
import type { ApiResponse } from '../types';
import { asRecord } from '../json';

/** What is looked at of the HTTP client's answer. */
export interface HelperResponse {
	status?: unknown;
	headers?: Record<string, unknown>;
	data?: unknown;
}

/**
 * Reads an error of `httpRequestWithAuthentication`: a NodeApiError whose `cause` is the HTTP
 * client's error. Only status, body, a few headers and the error code are taken over: the rest of it
 * holds the whole request, the token included.
 *
 * @param now Milliseconds since 1970, to read a date in `Retry-After` where the answer bears none.
 */
export function readFailure(error: unknown, now: number): Failure {
	const kept = answerWithoutCause(error);
	if (kept !== undefined) return keptFailure(kept, now);
	const cause = innermostWithResponse(error);
	const response = cause.response as HelperResponse | undefined;
	if (typeof response?.status !== 'number') {
		const { code } = cause;
		const known = typeof code === 'string' ? code : codeWithoutCause(error);
		return { kind: 'network', code: known, ...(isUnsent(cause) ? { isUnsent: true } : {}) };
	}
	// A good answer among the errors is one that broke off.
	if (response.status < 300) return { kind: 'notJson', status: response.status, truncated: true };
	return refusal(response.status, response.headers ?? {}, response.data, now);
}

function keptFailure({ status, body, isCutOff }: KeptAnswer, now: number): Failure {
	// The service says no with a JSON object. Anything else that was lost may be another website's.
	if (isCutOff || body === undefined) return { kind: 'notJson', status, truncated: isCutOff };
	return refusal(status, {}, body, now);
}

/**
 * Reads an answer that says no: its status is 300 or above.
 *
 * @param now As in `readFailure`.
 */
export function refusal(
	status: number,
	headers: Record<string, unknown>,
	body: unknown,
	now: number,
): Failure {
	if (status === 404 && isText(body)) {
		// Another website: what is missing there says nothing about a record of the service.
		return { kind: 'notJson', status, truncated: false };
	}
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
 * Tells why a successful answer cannot be used: the service answers with a JSON object or list, or
 * with nothing at all. A text means another website, or JSON that was cut off.
 *
 * @returns undefined when the answer is usable.
 */
export function unusableAnswer(response: ApiResponse): Failure | undefined {
	const { body, status } = response;
	if (typeof body === 'object' || body === undefined) return undefined;
	const truncated = typeof body === 'string' && /^\s*[[{]/.test(body);
	return { kind: 'notJson', status, truncated };
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

function isText(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '';
}
