import type { SupercastClient } from '../../api/client';
import { InputError } from '../../api/errors/errors';
import type { Locator } from '../types';
import { EXPRESSION_HINT } from '../validation';

/** How an item names one record. */
export interface Identifier {
	/** The field that names it, under Supercast's own name. */
	key: 'customer_id' | 'email' | 'id' | 'uuid';
	/** As given, without white space around it. For the output, errors, and the order of items. */
	value: string;
	/**
	 * Finds the name that Supercast's paths use for the record.
	 *
	 * @throws NoSuchRecordError when a look-up finds nothing, InputError when it finds several
	 * records, ServiceError when it fails.
	 */
	resolve: (client: SupercastClient) => Promise<string>;
}

/** A look-up that was answered, but found no such record. */
export class NoSuchRecordError extends InputError {}

/** An identifier that Supercast's paths accept as it is. */
function direct(key: 'email' | 'id' | 'uuid', value: string): Identifier {
	return { key, value, resolve: async () => value };
}

/** The pattern of {@link isEmail}, between `^` and `$`. */
export const EMAIL_PATTERN = '\\s*[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+\\s*';

/** Whether a text looks like an email address: something, an @, and a domain with a dot. */
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
			'Enter it in the form name@example.com.',
		);
	}
	return email;
}

/**
 * Reads a locator of a person. Supercast finds people by email or uuid (Supercast API reference,
 * the subscriber object).
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
	// If a record shows no uuid, the list gives the person's email.
	if (locator.mode === 'list' && isEmail(value)) return direct('email', value);
	if (value.includes('@')) {
		throw new InputError(
			`'${label}' is set to By UUID, but "${value}" looks like an email address`,
			"Choose 'By Email' instead.",
		);
	}
	return direct('uuid', value);
}

/**
 * Reads a locator of a record that has an ID.
 *
 * @param label The parameter's label, for the error.
 * @returns The ID without white space around it. The form of an ID is not documented.
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
