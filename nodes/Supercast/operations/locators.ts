import type { INodeProperties, INodePropertyMode, INodePropertyModeValidation } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { EMAIL_PATTERN, EXPRESSION_HINT, isEmail, isUuid, requireEmail } from '../api/identity';
import type { Locator } from './types';
import { requireId } from './validation';

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
	const value = locator.value.trim();
	// When someone drags a field, n8n always chooses By Email.
	if (locator.mode === 'email' && !isUuid(value)) {
		return direct('email', requireEmail(locator.value, label));
	}
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

/** The parameters that select one record. */

// n8n checks user input in a resource locator against `^` + pattern + `$`.

/** The same check as in `personIdentifier`: not empty, and not an email. */
const UUID_PATTERN = '\\s*[^\\s@]+\\s*';

/** The same check as in `idIdentifier`: not blank. */
const ID_PATTERN = '.*\\S.*';

/** The texts of a resource locator in the editor. */
export interface LocatorTexts {
	displayName: string;
	name: string;
	description: string;
	/** The name of the method that fills the list. */
	searchListMethod: string;
}

/** The mode that selects a subscriber by their ID in another system. */
export const customerIdMode = typedMode({
	name: 'customerId',
	displayName: 'By Customer ID',
	placeholder: 'e.g. cus_9s6XKzkNRiz8i3',
	hint: 'The ID in your membership system. To find it, the node reads the whole list of subscribers once for all items.',
	validation: [matches(ID_PATTERN, 'Not a valid customer ID')],
});

/** The resource locator of a person: from a list, by email, by uuid, or in additional modes. */
export function personLocator(
	texts: LocatorTexts,
	more: INodePropertyMode[] = [],
): INodeProperties {
	return locator(texts, [
		typedMode({
			name: 'email',
			displayName: 'By Email',
			placeholder: 'e.g. nathan@example.com',
			validation: [matches(EMAIL_PATTERN, 'Not a valid email address')],
		}),
		typedMode({
			name: 'uuid',
			displayName: 'By UUID',
			placeholder: 'e.g. 2f6c1f5e-6b0a-4a8e-9d5b-0c1f7c9a4e21',
			validation: [matches(UUID_PATTERN, 'Not a valid UUID')],
		}),
		...more,
	]);
}

/** The resource locator of a record that has an ID: from a list, or by ID. */
export function idLocator(texts: LocatorTexts): INodeProperties {
	return locator(texts, [
		typedMode({
			name: 'id',
			displayName: 'By ID',
			placeholder: 'e.g. 1234',
			validation: [matches(ID_PATTERN, 'Not a valid ID')],
		}),
	]);
}

function locator(
	{ searchListMethod, ...texts }: LocatorTexts,
	modes: INodePropertyMode[],
): INodeProperties {
	return {
		...texts,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select from the list...',
				typeOptions: { searchListMethod, searchable: true },
			},
			...modes,
		],
	};
}

function typedMode(mode: Omit<INodePropertyMode, 'type'>): INodePropertyMode {
	return { ...mode, type: 'string' };
}

function matches(regex: string, errorMessage: string): INodePropertyModeValidation {
	return { type: 'regex', properties: { regex, errorMessage } };
}
