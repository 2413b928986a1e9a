import type { SupercastClient } from '../../api/client';
import { InputError } from '../../api/errors/errors';
import { EXPRESSION_HINT, isEmail, requireEmail } from '../../api/identity';
import type { Locator } from '../types';
import { requireId } from '../validation';

/** How an item identifies one record. */
export interface Identifier {
	/** Supercast's name for the field that identifies the record. */
	key: 'customer_id' | 'email' | 'id' | 'uuid';
	/**
	 * The value from the item, without surrounding white space. It is used in outputs and errors,
	 * and to keep items in order.
	 */
	value: string;
	/**
	 * Finds the name that Supercast's paths use for the record.
	 *
	 * @throws NoSuchRecordError if a look-up finds nothing, InputError if it finds several records,
	 * ServiceError if the look-up fails.
	 */
	resolve: (client: SupercastClient) => Promise<string>;
}

/** Thrown if a look-up succeeds but finds no such record. */
export class NoSuchRecordError extends InputError {}

/** An identifier that Supercast's paths accept unchanged. */
function direct(key: 'email' | 'id' | 'uuid', value: string): Identifier {
	return { key, value, resolve: async () => value };
}

/**
 * Reads a resource locator that selects a person. Supercast finds people by email or uuid
 * (Supercast API reference, the subscriber object).
 *
 * @param label The parameter's label, for the error.
 * @throws InputError if it is empty or malformed, or is an email instead of a uuid.
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
	requireId(value, label);
	// If a record has no uuid, the value in the drop-down list is the person's email.
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
 * Reads a resource locator that selects a record by its ID.
 *
 * @param label The parameter's label, for the error.
 * @returns The ID without surrounding white space. The format of IDs is not documented.
 * @throws InputError if it is empty.
 */
export function idIdentifier(locator: Locator, label: string): Identifier {
	const value = locator.value.trim();
	if (value === '') {
		throw new InputError(
			`'${label}' is empty`,
			`Choose one from the list, or enter an ID. ${EXPRESSION_HINT}`,
		);
	}
	return direct('id', requireId(value, label));
}
