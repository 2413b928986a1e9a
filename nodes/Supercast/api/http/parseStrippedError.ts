/**
 * Reads an error of n8n that has lost its cause, as n8n 1.102 to 2.33 lose it. What is left is
 * `httpCode`, which holds the status or else the error code, and a few texts.
 */

import { asRecord } from '../json';

/** What n8n has kept of an answer. */
export interface KeptAnswer {
	status: number;
	/** Kept where it was a JSON object. */
	body?: object;
	/** Whether it did not arrive whole. */
	isCutOff: boolean;
}

/** What stands for the code of an error that has none. */
export const UNKNOWN_CODE = 'UNKNOWN';

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
	return /\bE[A-Z_]{4,}\b/.exec(textsOf(error))?.[0] ?? UNKNOWN_CODE;
}

/** The texts that an error has kept, one a line. */
export function textsOf(error: unknown): string {
	const { messages, message } = asRecord(error);
	return [messages, message].flat().join('\n');
}
