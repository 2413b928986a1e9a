import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';

/** Fields that come from other parameters, so Other Fields must not contain them. */
const OWN_FIELDS = ['email', 'customer_id', 'state', 'uuid'];

/**
 * Reads a customer ID, without surrounding white space.
 *
 * @throws InputError if it is neither text nor a number.
 */
export function readCustomerId(value: unknown): string {
	if (typeof value !== 'object' || value === null) return textOf(value).trim().normalize('NFC');
	throw new InputError(
		"'Customer ID' is neither text nor a number",
		'Choose the field that contains the ID itself.',
	);
}

/** Throws InputError if Other Fields contains what the operation sets from its own parameters. */
export function refuseOwnFields(fields: IDataObject, operation: string): void {
	const own = OWN_FIELDS.find((name) => name in fields);
	if (own === undefined) return;
	throw new InputError(
		`'Other Fields (JSON)' contains "${own}", which ${operation} sets from its own parameters`,
		`Remove "${own}" from 'Other Fields (JSON)'.`,
	);
}
