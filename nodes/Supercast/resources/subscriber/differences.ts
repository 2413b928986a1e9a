import type { IDataObject } from 'n8n-workflow';
import { textOf } from '../../api/json';

/**
 * Tells which fields of a record have to be changed. The email is what the record was found by, and
 * is left alone: the service may write it in another case.
 *
 * @param current The record as the service has it. A field that it does not show counts as different.
 * @param wanted What it shall hold.
 */
export function differences(current: IDataObject, wanted: IDataObject): IDataObject {
	const entries = Object.entries(wanted).filter(
		([key, value]) => key !== 'email' && !isSame(current[key], value),
	);
	return Object.fromEntries(entries);
}

function isSame(current: unknown, wanted: unknown): boolean {
	if (current === undefined) return false;
	if (isBlank(current) && isBlank(wanted)) return true;
	if (typeof current === 'object' || typeof wanted === 'object') {
		return JSON.stringify(current) === JSON.stringify(wanted);
	}
	return textOf(current) === textOf(wanted);
}

/** The service shows a text that was emptied as null. */
function isBlank(value: unknown): boolean {
	return value === null || value === '';
}
