import type { IDataObject } from 'n8n-workflow';

import { isRecord, textOf } from '../api/json';
import { emailOf } from '../operations/lists/emailOf';

/**
 * How a record is shown in a list: a person by name and email, and what is about a person by that
 * person first. The fields of most kinds are not documented, so whatever name-like field there is will
 * do, and the id where there is none.
 */
export function labelOf(record: IDataObject): string {
	const { first_name: first, last_name: last, title, name, message, id, subscriber } = record;
	const person = `${textOf(first)} ${textOf(last)}`.trim();
	const main = [person, title, name, message].map(textOf).find((text) => text !== '');
	const email = emailOf(record);
	if (main === undefined) return email === '' ? `#${textOf(id)}` : email;
	if (email === '') return main;
	return isRecord(subscriber) ? `${email}: ${main}` : `${main} (${email})`;
}
