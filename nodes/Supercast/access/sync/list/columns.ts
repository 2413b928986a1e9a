/** Whether 'Email' reads the column with the emails, and what to do if it does not (decision 0019). */

import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../api/errors/errors';
import { isRecord, textOf } from '../../../api/json';
import { EXPRESSION_HINT, hiddenCharacter, isBlank, isEmail } from '../../../operations/texts';
import { FEW } from './checks';

/** An item of the list. */
export interface ListItem {
	json: IDataObject;
	/** What 'Email' and 'Customer ID' are for this item. */
	email: unknown;
	customerId: unknown;
}

/** The columns of so many items show those of all. */
const SAMPLE_ITEMS = 100;

const MOST_COLUMNS = 12;

/** How deep columns may be inside others, such as `properties.Email.email` in Notion. */
const DEEPEST = 3;

/**
 * Why most items name nobody: their email is not an address, or they have neither an email nor a
 * customer ID. That is a wrong column, not a list. Undefined if most items name someone.
 */
export function wrongColumn(rows: readonly ListItem[]): InputError | undefined {
	const unusable = rows.filter(namesNobody);
	if (unusable.length <= rows.length / 2) return undefined;
	const sample = unusable.slice(0, SAMPLE_ITEMS).map(({ json }) => json);
	const isShort = rows.length < FEW;
	if (isShort && emailColumns(sample).length === 0) return undefined;
	const wrong = unusable.filter(({ email }) => !isBlank(email));
	const isEmpty = wrong.length <= unusable.length / 2;
	const what = isEmpty ? 'is empty' : 'is not an email address';
	const example = isEmpty ? '' : `, for example "${shownValue(wrong[0]?.email)}"`;
	return new InputError(
		`'Email' ${what} in ${unusable.length} of ${rows.length} items${example}`,
		columnAdvice(sample),
	);
}

function shownValue(email: unknown): string {
	return textOf(email).slice(0, 100) || 'an object';
}

function namesNobody({ email, customerId }: ListItem): boolean {
	return isBlank(email) ? isBlank(customerId) : !isEmail(textOf(email).trim());
}

/**
 * The error of a list that has no emails for most members, while Supercast does not know their
 * customer IDs.
 * @param unknown How many of the `listed` members are unknown.
 */
export function unknownMembers(
	unknown: number,
	listed: number,
	rows: readonly ListItem[],
): InputError {
	return new InputError(
		`${unknown} of ${listed} members have no email, and a customer ID that Supercast does not know`,
		columnAdvice(rows.slice(0, SAMPLE_ITEMS).map(({ json }) => json)),
	);
}

/** The error of an item without an email and a customer ID. It shows how to recognize the item. */
export function namelessItem(json: IDataObject): InputError {
	const values = Object.entries(json).filter(([, value]) => textOf(value).trim() !== '');
	const shown = values.slice(0, 3).map(([key, value]) => `${key} "${textOf(value).slice(0, 50)}"`);
	const start = shown.length === 0 ? 'It has no values.' : `It begins with: ${shown.join(', ')}.`;
	return new InputError(
		"'Email' is empty",
		`The item has no customer ID either. ${start} ${EXPRESSION_HINT}`,
	);
}

/** Which columns the items have, and which one has the email. Or why no column fits. */
function columnAdvice(items: readonly IDataObject[]): string {
	const names = [...new Set(items.flatMap((json) => Object.keys(json)))];
	if (names.length === 0) {
		return 'The items have no columns. If they contain a file, add an Extract From File node before Sync.';
	}
	const [column] = emailColumns(items);
	const advice = column === undefined ? undefined : useOfColumn(column);
	return advice ?? fileAdvice(names) ?? choiceOf(names);
}

function choiceOf(names: readonly string[]): string {
	const shown = names.slice(0, MOST_COLUMNS).map((name) => name.slice(0, 100));
	const more = names.length > MOST_COLUMNS ? ` and ${names.length - MOST_COLUMNS} more` : '';
	return `The items have: ${shown.join(', ')}${more}. In 'Email', choose the one with the email.`;
}

/** What is wrong with how a file was read. Undefined if nothing seems to be. */
function fileAdvice(names: readonly string[]): string | undefined {
	const [first = ''] = names;
	const [delimiter] = /[;\t|]/.exec(first) ?? [];
	const readable = names.map((name) => name.replaceAll('\0', ''));
	if (delimiter !== undefined) {
		const shown = delimiter === '\t' ? 'a tab' : `"${delimiter}"`;
		return `The first column is "${readable[0]?.slice(0, 100)}", so the file has another delimiter. Set 'Delimiter' to ${shown} in the node that reads the file.`;
	}
	if (names.some((name) => UNREADABLE.test(name))) {
		return `Some columns have unreadable names, so the file has another encoding. Set 'Encoding' in the node that reads the file, for example to windows1252. ${choiceOf(readable)}`;
	}
	return undefined;
}

/** The characters in the place of those that a wrong encoding cannot show. */
const UNREADABLE = /[\uFFFD\0]/;

/** A column that has emails in most items. */
interface EmailColumn {
	path: string[];
	/** Whether the path leads to a list of records that have emails. */
	isList: boolean;
}

/** How to use a column. Undefined if its name is unreadable. */
function useOfColumn({ path, isList }: EmailColumn): string | undefined {
	const name = path.join('.');
	if (UNREADABLE.test(name)) return undefined;
	if (path.some(isEmail)) {
		return "The file has no column names, because its first row has an email. Turn off 'Header Row' in the node that reads the file.";
	}
	if (isList) {
		return `The emails are in a list, "${name}". Add a Split Out node for "${name}" before Sync.`;
	}
	const hidden = hiddenCharacter(name.replaceAll(' ', ''));
	if (hidden !== undefined) {
		return `The name of the column with the emails contains an invisible character: ${hidden}. Rename the column. If it comes from a file, turn on 'Exclude Byte Order Mark (BOM)' in the node that reads the file.`;
	}
	const steps = path.map((key) =>
		/^[a-z_]\w*$/i.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
	);
	return `The emails are in "${name}". Set 'Email' to {{ $json${steps.join('')} }}.`;
}

/** The columns that have emails in most of these items, in their order. */
function emailColumns(items: readonly IDataObject[]): EmailColumn[] {
	const found = new Map<string, EmailColumn & { count: number }>();
	for (const json of items) {
		for (const column of emailsIn(json, [])) {
			const key = JSON.stringify(column.path);
			const known = found.get(key) ?? { ...column, count: 0 };
			found.set(key, { ...known, count: known.count + 1 });
		}
	}
	return [...found.values()].filter(({ count }) => count > items.length / 2);
}

/** Where one item has emails. Of a list, only the first record counts. */
function emailsIn(value: unknown, path: string[]): EmailColumn[] {
	if (typeof value === 'string') return isEmail(value.trim()) ? [{ path, isList: false }] : [];
	if (path.length >= DEEPEST) return [];
	if (Array.isArray(value)) {
		return emailsIn(value[0], path).length > 0 ? [{ path, isList: true }] : [];
	}
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, inner]) => emailsIn(inner, [...path, key]));
}
