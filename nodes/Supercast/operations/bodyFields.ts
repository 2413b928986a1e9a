/** Collections of fields, and the body that they make. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { requireEmail } from './validation';
import { InputError } from '../api/errors/errors';
import type { ItemParameters } from './types';

const OTHER_FIELDS = 'otherFields';

const otherFields: INodeProperties = {
	displayName: 'Other Fields (JSON)',
	name: OTHER_FIELDS,
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "plan_id": 42 }',
	description:
		"Whatever else the service takes, as a JSON object under the service's own names, such as plan_id",
};

/** A collection of fields, with room for those that are not listed. */
export function fieldCollection(
	displayName: string,
	name: string,
	fields: INodeProperties[],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [...fields, otherFields].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/**
 * Puts together what a create or change sends.
 *
 * @param collection Name of the collection of fields; its keys are camelCase of the service's own.
 * @param required Fields from outside of the collection, under the service's own names.
 * @returns The fields under the service's own names.
 * @throws InputError when Other Fields is no JSON object, or names a field that is given already.
 */
export function bodyFields(
	item: ItemParameters,
	collection: string,
	required: IDataObject = {},
): IDataObject {
	const { [OTHER_FIELDS]: other, ...listed } = item.collection(collection);
	const body = { ...required };
	for (const [name, value] of Object.entries(listed)) {
		// An expression that finds nothing gives undefined: that leaves the field alone.
		if (value !== undefined) body[snakeCase(name)] = value;
	}
	for (const [key, value] of Object.entries(readJsonObject(other))) {
		if (Object.hasOwn(body, key)) {
			throw new InputError(
				`The field "${key}" is given twice: on its own and in 'Other Fields (JSON)'`,
				'Remove one of the two.',
			);
		}
		body[key] = value;
	}
	return body;
}

/** Checks a changed email. Throws InputError when it is malformed. */
export function checkEmail(fields: IDataObject): IDataObject {
	return 'email' in fields ? { ...fields, email: requireEmail(fields.email, 'Email') } : fields;
}

/** `customerId` as the service writes it: `customer_id`. */
export function snakeCase(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function readJsonObject(value: unknown): IDataObject {
	const parsed = typeof value === 'string' ? parseJson(value) : (value ?? {});
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw new InputError(
			"'Other Fields (JSON)' is not a JSON object",
			'It needs the form { "field": "value" }, with double quotes.',
		);
	}
	return parsed as IDataObject;
}

function parseJson(text: string): unknown {
	if (text.trim() === '') return {};
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
