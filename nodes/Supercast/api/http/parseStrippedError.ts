/**
 * Reads an error of n8n that has lost its cause, which happens in n8n 1.102 to 2.33. What is left
 * is `httpCode`, which holds either the status or the error code, and a few texts.
 */

import { asRecord } from '../json';

/** What n8n has kept of a response. */
export interface KeptAnswer {
	status: number;
	/** Present if it was a JSON object. */
	body?: object;
	/** Whether it arrived only in part. */
	isCutOff: boolean;
}

/** The code that stands for an error without a code. */
export const UNKNOWN_CODE = 'UNKNOWN';

/** The response behind an error without a cause. Undefined for any other error. */
export function answerWithoutCause(error: unknown): KeptAnswer | undefined {
	const { cause, httpCode, context } = asRecord(error);
	const status = Number(httpCode);
	if (cause !== undefined || !(status >= 200)) return undefined;
	const { data } = asRecord(context);
	// A response with a success status is an error here only if it broke off.
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

/** The texts that an error has kept, one per line. */
export function textsOf(error: unknown): string {
	const { messages, message } = asRecord(error);
	return [messages, message].flat().join('\n');
}
