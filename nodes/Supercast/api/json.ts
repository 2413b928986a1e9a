import type { IDataObject } from 'n8n-workflow';

/** Whether a JSON value is an object, and not a list or null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with a type that allows reading its fields. Empty for any other value. */
export function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Converts a text, number or boolean to text. Anything else becomes an empty text. */
export function textOf(value: unknown): string {
	return ['string', 'number', 'boolean'].includes(typeof value) ? `${value as string}` : '';
}

/**
 * Whether values are the same. Supercast may return null for an empty text, may trim a text, and may
 * show a time in another time zone or without milliseconds.
 */
export function isSameValue(shown: unknown, wanted: unknown): boolean {
	const [one, other] = [shown ?? '', wanted ?? ''];
	if (typeof one === 'object' || typeof other === 'object') {
		return JSON.stringify(one) === JSON.stringify(other);
	}
	return textOf(one).trim() === textOf(other).trim() || isSameTime(one, other);
}

function isSameTime(one: unknown, other: unknown): boolean {
	const seconds = [one, other].map((time) => Math.floor(timeOf(time) / 1000));
	return DATE_AND_TIME.test(textOf(other)) && seconds[0] === seconds[1];
}

const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/i;

const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/i;

/**
 * Returns a time (ISO 8601, or seconds or milliseconds since 1970) in milliseconds since 1970, or NaN.
 * Without a time zone, it is in UTC, wherever n8n runs.
 */
export function timeOf(value: unknown): number {
	const text = textOf(value).trim();
	if (/^\d{9,11}$/.test(text)) return Number(text) * 1000;
	if (/^\d{12,14}$/.test(text)) return Number(text);
	if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return Number.NaN;
	return Date.parse(WITHOUT_ZONE.test(text) ? `${text.replace(' ', 'T')}Z` : text);
}
