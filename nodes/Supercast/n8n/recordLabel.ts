import type { IDataObject } from 'n8n-workflow';

import { emailsOf } from '../api/identity';
import { textOf } from '../api/json';

/**
 * The label of a record in a list. A person's label consists of name and email. The label of a
 * record about a person begins with that person's email. The fields of most other records are not
 * documented. Their label is the title, name or message, or else the ID.
 */
export function labelOf(record: IDataObject): string {
	const { first_name: first, last_name: last, title, name, message, id } = record;
	const person = `${textOf(first)} ${textOf(last)}`.trim();
	const main = [person, title, name, message].map(textOf).find((text) => text !== '');
	const [email = ''] = emailsOf(record);
	if (main === undefined) return email === '' ? `#${textOf(id)}` : email;
	if (email === '') return main;
	return textOf(record.email) === '' ? `${email}: ${main}` : `${main} (${email})`;
}
