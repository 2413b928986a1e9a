import type { IDataObject } from 'n8n-workflow';
import { isSameValue } from '../../api/json';

/**
 * Finds the fields of a record that must change. Ignores the email, because it was used to find the
 * record, and Supercast may change its capitalization.
 *
 * @param current The record in Supercast. A missing field counts as different.
 * @param wanted The values that the record should have.
 */
export function differences(current: IDataObject, wanted: IDataObject): IDataObject {
	const entries = Object.entries(wanted).filter(([key, value]) => {
		const isSame = current[key] !== undefined && isSameValue(current[key], value);
		return key !== 'email' && !isSame;
	});
	return Object.fromEntries(entries);
}
