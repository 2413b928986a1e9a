import type { IDataObject } from 'n8n-workflow';

/** Whether a value of JSON is an object: neither a list nor null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
