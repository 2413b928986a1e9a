import type { IDataObject } from 'n8n-workflow';
import { isSameValue } from '../../api/json';

/**
 * Finds the fields of a record that must change. Ignores the email, by which the record was found:
 * Supercast may write it in other capitals.
 *
 * @param current The record in Supercast. A field that it does not show counts as different.
 * @param wanted The values that it should have.
 */
export function differences(current: IDataObject, wanted: IDataObject): IDataObject {
	const entries = Object.entries(wanted).filter(([key, value]) => {
		const isSame = current[key] !== undefined && isSameValue(current[key], value);
		return key !== 'email' && !isSame;
	});
	return Object.fromEntries(entries);
}
