import type { IDataObject } from 'n8n-workflow';

import { isRecord, textOf } from '../../api/json';

/**
 * The email of a person, or of the person that a record is about. The fields of usage alerts are
 * not documented, so the nested `subscriber` is inferred.
 */
export function emailOf({ email, subscriber }: IDataObject): string {
	const own = textOf(email);
	return own === '' && isRecord(subscriber) ? textOf(subscriber.email) : own;
}
