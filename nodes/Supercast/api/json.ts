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

/** Whether values are the same. Supercast may return null for an empty text, and may trim a text. */
export function isSameValue(shown: unknown, wanted: unknown): boolean {
	const [one, other] = [shown ?? '', wanted ?? ''];
	if (typeof one === 'object' || typeof other === 'object') {
		return JSON.stringify(one) === JSON.stringify(other);
	}
	return textOf(one).trim() === textOf(other).trim();
}
