/** Field collections, and the request body built from them. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { requireEmail } from '../api/identity';
import { isRecord } from '../api/json';
import { collectionField } from './properties';
import type { ItemParameters } from './types';
import {
	isBlank,
	isOn,
	requireChoices,
	requireDateTime,
	requireId,
	requireJson,
	requireText,
} from './validation';

/** The fields of a kind of record, for the operations that set them. */
export interface RecordFields {
	/** The field that names a new record. Its `name` is Supercast's name for it. */
	main?: INodeProperties;
	others: INodeProperties[];
	/** Names of the fields that can be emptied. */
	clearable?: string[];
	/** An example for Other Fields that fits the resource. */
	example: string;
	/**
	 * Converts fields to Supercast's format, except those in Clear Fields, and free ones in Other
	 * Fields. Throws InputError if a field is invalid.
	 */
	normalize?: (fields: IDataObject) => IDataObject;
}

/** The collection of a create operation. */
export function additionalFields({ others, example }: RecordFields): INodeProperties {
	return fieldCollection('additionalFields', 'Additional Fields', [
		...others,
		otherFields(example),
	]);
}

/** The collection of an update operation. */
export function updateFields(fields: RecordFields): INodeProperties {
	const { main, others, example, clearable = [] } = fields;
	const all = main === undefined ? others : [main, ...others];
	const more = clearable.length === 0 ? [] : [clearFields(all, clearable)];
	return fieldCollection('updateFields', 'Update Fields', [...all, otherFields(example), ...more]);
}

function fieldCollection(
	name: string,
	displayName: string,
	fields: INodeProperties[],
): INodeProperties {
	const sorted = fields.sort((a, b) => a.displayName.localeCompare(b.displayName));
	return collectionField(name, displayName, 'Add Field', sorted);
}

function otherFields(example: string): INodeProperties {
	return {
		displayName: 'Other Fields (JSON)',
		name: 'otherFields',
		type: 'json',
		default: '{}',
		placeholder: `e.g. ${example}`,
		description: `Fields that are not listed here, as a JSON object with Supercast's field names, for example ${example}`,
	};
}

function clearFields(fields: INodeProperties[], clearable: string[]): INodeProperties {
	return {
		displayName: 'Clear Fields',
		name: 'clearFields',
		type: 'multiOptions',
		default: [],
		description:
			'Fields to empty. If you add a field but leave it blank, its current value does not change.',
		options: fields
			.filter(({ name }) => clearable.includes(name))
			.map(({ displayName, name }) => ({ name: displayName, value: name })),
	};
}

/**
 * Reads the collection Additional Fields.
 *
 * @param required Fields from outside the collection, with Supercast's field names as keys.
 * @returns The body of a request, see {@link bodyFields}.
 */
export function readAdditionalFields(
	item: ItemParameters,
	fields: RecordFields,
	required: IDataObject = {},
): IDataObject {
	const given = item.collection('additionalFields');
	return bodyFields(item, given, { ...fields, clearable: [] }, required);
}

/**
 * Reads the collection Update Fields.
 *
 * @throws InputError if there is nothing to change, because an empty update would look like
 * success.
 */
export function readUpdateFields(item: ItemParameters, fields: RecordFields): IDataObject {
	const body = bodyFields(item, item.collection('updateFields'), fields);
	if (Object.keys(body).length > 0) return body;
	throw new InputError(
		"'Update Fields' is empty",
		'Add the fields that you want to change, and fill them in. A blank field stays as it is.',
	);
}

/**
 * Builds the body of a create or update request.
 *
 * @returns The fields, with Supercast's field names as keys. Blank fields are left out, because an
 * expression that finds nothing must not erase the current value. Fields to clear are null.
 * @throws InputError if a field is invalid or appears twice, or Other Fields is not a JSON object.
 */
function bodyFields(
	item: ItemParameters,
	{ otherFields: other, clearFields: clear = [], ...listed }: IDataObject,
	{ main, others, normalize = (fields) => fields, clearable = [] }: RecordFields,
	required: IDataObject = {},
): IDataObject {
	const fields = main === undefined ? others : [main, ...others];
	const known = new Map(fields.map((field) => [snakeCase(field.name), field]));
	const filled = Object.entries(listed).filter(([, value]) => !isBlank(value));
	const given = filled.map(([name, value]) => {
		const field = known.get(snakeCase(name));
		const read = field ? readField(field, value, item) : requireJson(value, name);
		return [snakeCase(name), read] as const;
	});
	const cleared = requireChoices([clear].flat(), clearable, 'Clear Fields').map(snakeCase);
	const added = Object.entries(readJsonObject(other)).filter(([, value]) => value !== undefined);
	const more = added.map(([key, value]) => {
		const field = known.get(key);
		const label = `${key}' in 'Other Fields (JSON)`;
		// A person without an email could no longer be found. Supercast may have other choices.
		const isFree = (value === null && key !== 'email') || field?.type === 'options';
		if (field === undefined || isFree) return [key, requireJson(value, label)] as const;
		if (isBlank(value)) requireText(value, label);
		return [key, normalize({ [key]: readField(field, value, item, label) })[key]] as const;
	});
	const body = normalize({ ...required, ...Object.fromEntries(given) });
	addFields(body, Object.fromEntries(cleared.map((key) => [key, null])), "'Clear Fields'");
	addFields(body, Object.fromEntries(more), "'Other Fields (JSON)'");
	return body;
}

/**
 * Reads the value of a field, according to the type of its parameter.
 *
 * @param label The parameter's label, for the error.
 */
export function readField(
	{ name, type, displayName }: INodeProperties,
	value: unknown,
	item: ItemParameters,
	label = displayName,
): IDataObject[string] {
	if (name === 'email') return requireEmail(value, label);
	if (type === 'boolean') return isOn(value, label);
	if (type === 'dateTime') return requireDateTime(value, label, item);
	return name.endsWith('Id') ? requireId(value, label) : requireText(value, label);
}

function addFields(body: IDataObject, more: IDataObject, from: string): void {
	for (const [key, value] of Object.entries(more)) {
		if (Object.hasOwn(body, key)) {
			throw new InputError(
				`The field "${key}" appears twice: on its own and in ${from}`,
				'Remove one of the two.',
			);
		}
		body[key] = value;
	}
}

/** Adds a hint about fields that Supercast did not take over, although it confirmed the change. */
export function ignoredHint(ignored: string[], addHint?: (message: string) => void): void {
	if (ignored.length === 0) return;
	const names = ignored.map((name) => `'${name}'`).join(', ');
	addHint?.(`Supercast confirmed the change, but shows other values for ${names}.`);
}

/** Converts a name such as `customerId` to Supercast's form, such as `customer_id`. */
function snakeCase(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function readJsonObject(value: unknown): IDataObject {
	const isText = typeof value === 'string';
	const parsed = isBlank(value) && !Array.isArray(value) ? {} : isText ? parseJson(value) : value;
	if (isRecord(parsed) && Object.getPrototypeOf(parsed) === Object.prototype) return parsed;
	throw new InputError(
		"'Other Fields (JSON)' is not a JSON object",
		'Write it as { "field": "value" }, with double quotes.',
	);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
