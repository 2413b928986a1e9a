import { isRecord } from '../json';

/** Supercast's error message as a separate line: `message` (vendor's Ruby client), or similar. */
export function serviceWords(body: unknown): string {
	if (!isRecord(body)) return '';
	const words = [body.message, body.error_description, body.error]
		.map((word) => (typeof word === 'string' ? shorten(word.trim()) : ''))
		.find((word) => word !== '');
	if (words === undefined) return '';
	return `Supercast says: "${words}"${/[.!?…]$/.test(words) ? '' : '.'}\n`;
}

/**
 * The field errors in a 422 response, after a colon. Their format is not documented. This also
 * reads the format of Rails: lists by field at the top level of the body.
 */
export function fieldErrors(body: unknown): string {
	if (!isRecord(body)) return '';
	const lists = Object.entries(body).filter(([, value]) => Array.isArray(value));
	const errors = body.errors ?? Object.fromEntries(lists);
	const lines = Array.isArray(errors)
		? errors.map(plainWords)
		: isRecord(errors)
			? Object.entries(errors).map(([field, words]) => `${field} ${plainWords(words)}`)
			: [];
	return lines.length === 0 ? '' : `: ${shorten(lines.join('; '))}`;
}

/** Whether an error response says that another record has the same email. */
export function saysTaken(body: unknown): boolean {
	const words = JSON.stringify([body]).replace(/(\bnot|n't)( already)? exist/g, '');
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
