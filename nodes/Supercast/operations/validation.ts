import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';
import type { Locator } from './types';

const EXPRESSION_HINT =
	'If you use an expression, check that its field exists and is filled in this item.';

// n8n checks what is typed into a resource locator against `^` + pattern + `$`.

/** Same as {@link isEmail}, for the editor's own check of a resource locator. */
export const EMAIL_PATTERN = '\\s*[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+\\s*';

/** Same as the check of {@link personIdentifier}, for the editor: something, and not an email. */
export const UUID_PATTERN = '\\s*[^\\s@]+\\s*';

/** Same as the check of {@link idIdentifier}, for the editor: anything but blanks. */
export const ID_PATTERN = '.*\\S.*';

/** Whether a text has the form of an email address: something, an @, and a domain with a dot. */
export function isEmail(text: string): boolean {
	return new RegExp(`^${EMAIL_PATTERN}$`).test(text);
}

/**
 * Reads an email address.
 *
 * @param label The parameter's label, for the error.
 * @returns The address without white space around it.
 * @throws InputError when it is empty or malformed.
 */
export function requireEmail(typed: unknown, label: string): string {
	const email = typeof typed === 'string' ? typed.trim() : '';
	if (email === '') {
		throw new InputError(`'${label}' is empty`, `Give an email address. ${EXPRESSION_HINT}`);
	}
	if (!isEmail(email)) {
		throw new InputError(
			`'${label}' is not an email address: "${email}"`,
			'It needs the form name@example.com.',
		);
	}
	return email;
}

/**
 * Reads a text that has to be there.
 *
 * @param label The parameter's label, for the error.
 * @throws InputError when it is empty.
 */
export function requireText(typed: unknown, label: string): string {
	const text = textOf(typed);
	if (text.trim() === '') {
		throw new InputError(`'${label}' is empty`, `Fill it in. ${EXPRESSION_HINT}`);
	}
	return text;
}

/** How a record is named in a path, and in the output beside what was done. */
export interface Identifier {
	key: 'email' | 'id' | 'uuid';
	value: string;
}

/**
 * Reads a locator of a person, who is known to the service by email or uuid alike (Supercast API
 * reference, the subscriber object).
 *
 * @param label The parameter's label, for the error.
 * @throws InputError when it is empty, malformed, or an email where a uuid belongs.
 */
export function personIdentifier(locator: Locator, label: string): Identifier {
	if (locator.mode === 'email') return { key: 'email', value: requireEmail(locator.value, label) };
	const value = locator.value.trim();
	if (value === '') {
		throw new InputError(
			`'${label}' is empty`,
			`Choose one from the list, or give an email address or a UUID. ${EXPRESSION_HINT}`,
		);
	}
	// The list gives the email of somebody whose record shows no uuid.
	if (locator.mode === 'list' && isEmail(value)) return { key: 'email', value };
	if (value.includes('@')) {
		throw new InputError(
			`'${label}' is set to By UUID, but "${value}" looks like an email address`,
			"Choose 'By Email' there.",
		);
	}
	return { key: 'uuid', value };
}

/**
 * Reads a locator of a record that is known by its id.
 *
 * @param label The parameter's label, for the error.
 * @returns The id without white space around it. What an id may consist of is not documented.
 * @throws InputError when it is empty.
 */
export function idIdentifier(locator: Locator, label: string): Identifier {
	if (locator.value.trim() === '') {
		throw new InputError(
			`'${label}' is empty`,
			`Choose one from the list, or give an ID. ${EXPRESSION_HINT}`,
		);
	}
	return { key: 'id', value: locator.value.trim() };
}
/**
 * Reads a switch, which an expression may give as a text.
 *
 * @param label The parameter's label, for the error.
 * @returns Whether it is on; one that is not given is off.
 * @throws InputError when it is neither true nor false.
 */
export function isOn(value: unknown, label: string): boolean {
	const text = textOf(value ?? false)
		.trim()
		.toLowerCase();
	if (text === 'true') return true;
	if (text === 'false' || text === '') return false;
	throw new InputError(`'${label}' is neither true nor false`, 'Correct it for this item.');
}
