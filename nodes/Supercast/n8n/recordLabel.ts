import type { IDataObject } from 'n8n-workflow';
import { textOf } from '../api/json';
import { emailOf } from '../operations/lists/emailOf';

/**
 * How a record is shown in a list: by name and email. The fields of most kinds are not documented, so
 * whatever name-like field there is will do, and the id where there is none.
 */
export function labelOf(record: IDataObject): string {
	const { first_name: first, last_name: last, title, name, message, id } = record;
	const person = `${textOf(first)} ${textOf(last)}`.trim();
	const main = [person, title, name, message].map(textOf).find((text) => text !== '');
	const email = emailOf(record);
	if (main === undefined) return email === '' ? `#${textOf(id)}` : email;
	return email === '' ? main : `${main} (${email})`;
}
