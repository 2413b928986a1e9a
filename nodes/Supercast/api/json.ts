import type { IDataObject } from 'n8n-workflow';

/** Whether a value of JSON is an object: neither a list nor null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An unknown value as an object whose fields can be looked at; an empty one for anything else. */
export function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A text, number or boolean as text; anything else, such as nothing at all, as the empty text. */
export function textOf(value: unknown): string {
	return ['string', 'number', 'boolean'].includes(typeof value) ? `${value as string}` : '';
}
