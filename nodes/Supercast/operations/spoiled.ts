/** Values that a spreadsheet, or a number in JSON, has changed on their way to the node. */

import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';

/** The mark that spreadsheets put before a text, such as `'ann@example.com`. */
const TEXT_MARK = /^['’]+(?=[^\s@]+@)/;

/** A large number as spreadsheets show it, such as `1.23457E+15`. Most of its digits are lost. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d{1,3}$/i;

/** A whole number as tables with empty cells show it, such as `1000.0`. */
const WITH_FRACTION = /^(\d+)[.,]0+$/;

const AS_TEXT =
	'Let the source send the ID as text. In a spreadsheet, format the column as plain text. In a database, convert the column to text.';

/** Throws InputError if a number cannot be an ID, because JSON has rounded it or it is no whole number. */
export function refuseRounded(typed: unknown, label: string): void {
	if (typeof typed !== 'number' || Number.isSafeInteger(typed)) return;
	const why = Number.isInteger(typed)
		? `Numbers above ${Number.MAX_SAFE_INTEGER} lose their last digits, so it may be the ID of someone else.`
		: 'An ID has no fraction.';
	throw new InputError(
		`'${label}' is the number ${typed}, which is not an exact ID`,
		`${why} ${AS_TEXT}`,
	);
}

/** Whether a customer ID is a number in the form that a spreadsheet or a table gives it. */
function isSpoiledId(id: string): boolean {
	return SHORTENED.test(id) || WITH_FRACTION.test(id);
}

/** The error of a name that a spreadsheet has changed. Undefined if it looks as it was. */
function spoiledIdentifier(
	name: string,
	label: { email: string; id: string } = { email: 'Email', id: 'Customer ID' },
): InputError | undefined {
	const [mark] = TEXT_MARK.exec(name) ?? [];
	if (mark !== undefined) {
		return new InputError(
			`'${label.email}' begins with an apostrophe: "${name}"`,
			`A spreadsheet marks text in this way. Enter only the address: ${name.slice(mark.length)}`,
		);
	}
	if (!isSpoiledId(name)) return undefined;
	const [, whole] = WITH_FRACTION.exec(name) ?? [];
	const remedy =
		whole === undefined
			? `Its last digits are lost. ${AS_TEXT}`
			: `The ID is probably ${whole}. ${AS_TEXT}`;
	return new InputError(
		`'${label.id}' is "${name}", which is a number as a spreadsheet shows it`,
		`Supercast has no subscriber with this ID. ${remedy}`,
	);
}

/** Throws InputError before a name that a spreadsheet has changed is written to Supercast. */
export function refuseSpoiled({ email, customer_id: id }: IDataObject): void {
	for (const name of [email, id]) {
		const error = spoiledIdentifier(textOf(name));
		if (error !== undefined) throw error;
	}
}

/** Throws InputError if nobody has this name and a spreadsheet has changed it: it names someone else. */
export function refuseSpoiledName(name: string, label: string): void {
	const error = spoiledIdentifier(name, { email: label, id: label });
	if (error !== undefined) throw error;
}
