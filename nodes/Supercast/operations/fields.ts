import { jsonParse, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { isRecord } from '../api/json';
import { collectionField, multiChoiceField } from './properties';
import type { ItemParameters } from './types';
import { isBlank, readField, requireChoice, requireJson, requireText } from './validation';

export interface RecordFields {
	/** The field that names a new record. Its `name` is Supercast's name for it. */
	main?: INodeProperties;
	/** The optional fields. Update can empty those that are texts, except passwords. */
	others: INodeProperties[];
	example: string;
	/** Converts values, by Supercast's names of the fields. Throws InputError. */
	convert?: Record<string, (value: IDataObject[string]) => IDataObject[string]>;
}

/** The collection of a create operation. */
export function additionalFields({ others, example }: RecordFields): INodeProperties {
	const fields = [...others, otherFields(example)];
	return collectionField('additionalFields', 'Additional Fields', 'Add Field', fields);
}

/** The collection of an update operation. */
export function updateFields(fields: RecordFields): INodeProperties {
	const clear = clearFields(fields);
	const all = [...listedFields(fields), otherFields(fields.example)];
	if (clear.options!.length > 0) all.push(clear);
	return collectionField('updateFields', 'Update Fields', 'Add Field', all);
}

function listedFields({ main, others }: RecordFields): INodeProperties[] {
	return main === undefined ? others : [main, ...others];
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

function clearFields({ others }: RecordFields) {
	const texts = others.filter(({ type, typeOptions }) => {
		return ['string', 'options'].includes(type) && !typeOptions?.password;
	});
	return multiChoiceField('clearFields', 'Clear Fields', {
		description:
			'Fields to empty. If you add a field but leave it blank, its current value does not change.',
		options: texts.map(({ displayName, name }) => ({ name: displayName, value: name })),
	});
}

/** Reads the collection Update Fields. An update with nothing to change would look like success. */
export function readUpdateFields(item: ItemParameters, fields: RecordFields): IDataObject {
	const body = readFields(item, fields, {}, 'updateFields');
	if (Object.keys(body).length > 0) return body;
	throw new InputError(
		"'Update Fields' is empty",
		'Add the fields that you want to change, and fill them in. A blank field stays as it is.',
	);
}

/**
 * Reads a collection of fields as a request body. Leaves out blank fields, because an expression
 * that finds nothing must not erase a value. Fields to clear are null.
 * @param required Fields from outside the collection, with Supercast's field names as keys.
 * @throws InputError if a field is invalid or appears twice, or Other Fields is not a JSON object.
 */
export function readFields(
	item: ItemParameters,
	fields: RecordFields,
	required: IDataObject = {},
	collection = 'additionalFields',
): IDataObject {
	const { otherFields: other, clearFields: clear = [], ...listed } = item.collection(collection);
	const known = new Map(listedFields(fields).map((field) => [snakeCase(field.name), field]));
	const read = (key: string, value: unknown, label: string): IDataObject[string] => {
		const field = known.get(key);
		if (field === undefined) return requireJson(value, label);
		const given = readField(field, value, item, label);
		return fields.convert?.[key]?.(given) ?? given;
	};
	const body = { ...required };
	const filled = Object.entries(listed).filter(([, value]) => !isBlank(value));
	for (const [name, value] of filled) {
		const key = snakeCase(name);
		body[key] = read(key, value, known.get(key)?.displayName ?? name);
	}
	for (const name of [clear].flat()) {
		addField(body, snakeCase(requireChoice(name, clearFields(fields))), null, 'Clear Fields');
	}
	for (const [key, value] of Object.entries(readJsonObject(other))) {
		if (value === undefined) continue;
		const label = `${key}' in 'Other Fields (JSON)`;
		// Nobody could find a person without an email. Supercast may know more choices than the node.
		const isFree = (value === null && key !== 'email') || known.get(key)?.type === 'options';
		if (!isFree && known.has(key) && isBlank(value)) requireText(value, label);
		const given = isFree ? requireJson(value, label) : read(key, value, label);
		addField(body, key, given, 'Other Fields (JSON)');
	}
	return body;
}

function addField(body: IDataObject, key: string, value: IDataObject[string], from: string): void {
	if (Object.hasOwn(body, key)) {
		throw new InputError(
			`The field "${key}" appears twice: on its own and in '${from}'`,
			'Remove one of the two.',
		);
	}
	body[key] = value;
}

/** Supercast's name for a field. */
export function snakeCase(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function readJsonObject(value: unknown): IDataObject {
	if (isBlank(value) && !Array.isArray(value)) return {};
	const parsed = typeof value === 'string' ? jsonParse(value, { fallbackValue: null }) : value;
	if (isRecord(parsed) && Object.getPrototypeOf(parsed) === Object.prototype) return parsed;
	throw new InputError(
		"'Other Fields (JSON)' is not a JSON object",
		'Write it as { "field": "value" }, with double quotes.',
	);
}
