import type { IDataObject } from 'n8n-workflow';

/** Whether a value of JSON is an object: neither a list nor null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An unknown value as an object with readable fields. An empty object for anything else. */
export function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A text, number or boolean as text. Anything else becomes the empty text. */
export function textOf(value: unknown): string {
	return ['string', 'number', 'boolean'].includes(typeof value) ? `${value as string}` : '';
}

/** Whether a field of a record has the expected value. An emptied text may be shown as null. */
export function isSameValue(shown: unknown, wanted: unknown): boolean {
	if (isBlank(shown) && isBlank(wanted)) return true;
	if (typeof shown === 'object' || typeof wanted === 'object') {
		return JSON.stringify(shown) === JSON.stringify(wanted);
	}
	return textOf(shown) === textOf(wanted);
}

function isBlank(value: unknown): boolean {
	return value === null || value === '';
}

/** Whether two names are the same. Some systems write emails in capitals. */
export function isSameName(one: unknown, other: unknown): boolean {
	const [first, second] = [textOf(one), textOf(other)].map((name) => name.trim().toLowerCase());
	return first !== '' && first === second;
}
