import type { IDataObject } from 'n8n-workflow';
import { isSameValue } from '../../api/json';

/**
 * Tells which fields of a record have to be changed. The email is what the record was found by, and
 * is left alone: the service may write it in another case.
 *
 * @param current The record as the service has it. A field that it does not show counts as different.
 * @param wanted What it should hold.
 */
export function differences(current: IDataObject, wanted: IDataObject): IDataObject {
	const entries = Object.entries(wanted).filter(([key, value]) => {
		const isSame = current[key] !== undefined && isSameValue(current[key], value);
		return key !== 'email' && !isSame;
	});
	return Object.fromEntries(entries);
}
