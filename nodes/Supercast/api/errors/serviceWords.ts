import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../json';

/**
 * Supercast's error message as a short sentence. It comes from `message` in the body (vendor's Ruby
 * client), or from a similar field.
 */
export function serviceWords(body: unknown): string {
	if (!isRecord(body)) return '';
	for (const words of [body.message, body.error_description, body.error]) {
		if (typeof words === 'string' && words.trim() !== '') return quoted(shorten(words.trim()));
	}
	return '';
}

function quoted(words: string): string {
	return /[.!?…]$/.test(words) ? `"${words}"` : `"${words}".`;
}

/**
 * The field errors in a 422 response. Their format is not documented, so this reads both objects
 * and lists.
 */
export function fieldErrors(body: unknown): string {
	if (!isRecord(body)) return '';
	const errors = body.errors ?? listsOf(body);
	const lines = Array.isArray(errors)
		? errors.map(plainWords)
		: isRecord(errors)
			? Object.entries(errors).map(([field, words]) => `${field} ${plainWords(words)}`)
			: [];
	return lines.length === 0 ? '' : `: ${shorten(lines.join('; '))}`;
}

/**
 * Field errors in the format of Rails, `{ "email": ["is invalid"] }`, at the top level of a body.
 */
function listsOf(body: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(body).filter(([, value]) => Array.isArray(value)));
}

/** Whether an error response says that another record has the same email. */
export function saysTaken(body: unknown): boolean {
	const words = (JSON.stringify(body) ?? '').replace(/(\bnot|n't)( already)? exist/g, '');
	return /e-?mail/i.test(words) && /\b(already|exists?|in use|taken|unique)\b/i.test(words);
}

function plainWords(value: unknown): string {
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) return value.map(plainWords).join(', ');
	if (isRecord(value) && typeof value.message === 'string') {
		return typeof value.field === 'string' ? `${value.field} ${value.message}` : value.message;
	}
	return JSON.stringify(value);
}

function shorten(text: string): string {
	return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
