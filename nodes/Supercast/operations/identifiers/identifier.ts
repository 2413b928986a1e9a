import type { SupercastClient } from '../../api/client';
import { InputError } from '../../api/errors/errors';
import type { Locator } from '../types';
import { EXPRESSION_HINT } from '../validation';

/** How an item names one record. */
export interface Identifier {
	/** What it is named by: the service's own name of the field. */
	key: 'customer_id' | 'email' | 'id' | 'uuid';
	/** As it was given, without white space around it: for the output, errors, and the order of items. */
	value: string;
	/**
	 * Finds out what the service's paths name the record by.
	 *
	 * @throws NoSuchRecordError when it takes a look-up that finds nothing, InputError when that finds
	 * several, ServiceError when it fails.
	 */
	resolve: (client: SupercastClient) => Promise<string>;
}

/** A look-up that was answered, and found no such record. */
export class NoSuchRecordError extends InputError {}

/** An identifier that the service's paths take as it is. */
function direct(key: 'email' | 'id' | 'uuid', value: string): Identifier {
	return { key, value, resolve: async () => value };
}

/** What {@link isEmail} takes, between `^` and `$`. */
export const EMAIL_PATTERN = '\\s*[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+\\s*';

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
		throw new InputError(`'${label}' is empty`, `Enter an email address. ${EXPRESSION_HINT}`);
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
 * Reads a locator of a person, who is known to the service by email or uuid alike (Supercast API
 * reference, the subscriber object).
 *
 * @param label The parameter's label, for the error.
 * @throws InputError when it is empty, malformed, or an email where a uuid belongs.
 */
export function personIdentifier(locator: Locator, label: string): Identifier {
	if (locator.mode === 'email') return direct('email', requireEmail(locator.value, label));
	const value = locator.value.trim();
	if (value === '') {
		throw new InputError(
			`'${label}' is empty`,
			`Choose one from the list, or enter an email address or a UUID. ${EXPRESSION_HINT}`,
		);
	}
	// The list gives the email of somebody whose record shows no uuid.
	if (locator.mode === 'list' && isEmail(value)) return direct('email', value);
	if (value.includes('@')) {
		throw new InputError(
			`'${label}' is set to By UUID, but "${value}" looks like an email address`,
			"Choose 'By Email' there.",
		);
	}
	return direct('uuid', value);
}

/**
 * Reads a locator of a record that is known by its id.
 *
 * @param label The parameter's label, for the error.
 * @returns The id without white space around it. What an id may consist of is not documented.
 * @throws InputError when it is empty.
 */
export function idIdentifier(locator: Locator, label: string): Identifier {
	const value = locator.value.trim();
	if (value === '') {
		throw new InputError(
			`'${label}' is empty`,
			`Choose one from the list, or enter an ID. ${EXPRESSION_HINT}`,
		);
	}
	return direct('id', value);
}
