/**
 * Reads an n8n error that has lost its cause, as happens in n8n 1.102 to 2.33. What is left is a
 * few messages, sometimes the body, and `httpCode`, which contains the status or the error code.
 */

import { asRecord } from '../json';
import { UNKNOWN_CODE } from '../types';

/** The parts of a response that n8n has kept. */
export interface KeptAnswer {
	status: number;
	/** Present only if the body was a JSON object. */
	body?: object;
	/** Whether the response was cut off. */
	isCutOff: boolean;
}

/** The response that led to an error without a cause. Undefined for any other error. */
export function answerWithoutCause(error: unknown): KeptAnswer | undefined {
	const { cause, httpCode, context } = asRecord(error);
	const status = Number(httpCode);
	if (cause !== undefined || !(status >= 200)) return undefined;
	const { data } = asRecord(context);
	// Here, a response with a success status is an error only if it was cut off.
	const isCutOff = status < 300 || /\baborted\b/.test(textsOf(error));
	const body = typeof data === 'object' && data !== null ? { body: data } : {};
	return { status, isCutOff, ...body };
}

/** The code of an error without a cause, from Node (such as ECONNRESET) or from the HTTP client. */
export function codeWithoutCause(error: unknown): string {
	const { httpCode } = asRecord(error);
	if (typeof httpCode === 'string' && /^[A-Z][A-Z_]+$/.test(httpCode)) return httpCode;
	return /\bE[A-Z_]{4,}\b/.exec(textsOf(error))?.[0] ?? UNKNOWN_CODE;
}

/** The messages that an error still has, one per line. */
export function textsOf(error: unknown): string {
	const { messages, message } = asRecord(error);
	return [messages, message].flat().join('\n');
}
