/** Checks of what a person typed to name a record, made before any request. */

import type { Locator } from '../resources/types';
import { InputError } from '../transport/errors';

/** Same as {@link isEmail}, for the editor's own check of a resource locator. */
export const EMAIL_PATTERN = '^\\s*[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+\\s*$';

/** Same as the check of {@link personIdentifier}, for the editor: something, and not an email. */
export const UUID_PATTERN = '^\\s*[^\\s@]+\\s*$';

/** Whether a text has the form of an email address: something, an @, and a domain with a dot. */
export function isEmail(text: string): boolean {
	return new RegExp(EMAIL_PATTERN).test(text);
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
		throw new InputError(
			`'${label}' is empty`,
			`Give an email address. If it comes from an expression, this item does not have the field that the expression names.`,
		);
	}
	if (!isEmail(email)) {
		throw new InputError(
			`'${label}' is not an email address: "${email}"`,
			'It needs the form name@example.com.',
		);
	}
	return email;
}

/** How a person is named in a path, and in the output beside what was done. */
export interface PersonIdentifier {
	key: 'email' | 'uuid';
	value: string;
}

/**
 * Reads a locator of a person, who is known to the service by email or uuid alike (Supercast API
 * reference, the subscriber object).
 *
 * @throws InputError when it is empty, or an email where a uuid belongs, or malformed.
 */
export function personIdentifier(locator: Locator, label: string): PersonIdentifier {
	if (locator.mode === 'email') return { key: 'email', value: requireEmail(locator.value, label) };
	const value = locator.value.trim();
	if (value === '') {
		throw new InputError(
			`'${label}' is empty`,
			'Choose one from the list, or give an email address or a UUID. If it comes from an expression, this item does not have the field that the expression names.',
		);
	}
	if (value.includes('@')) {
		throw new InputError(
			`'${label}' is set to By UUID, but "${value}" looks like an email address`,
			"Choose 'By Email' there.",
		);
	}
	return { key: 'uuid', value };
}
