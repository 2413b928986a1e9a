import { jsonParse, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { isRecord, textOf } from '../api/json';
import { ignore, readOrTell, tellCleaned, type TellLeftOut } from './leftOut';
import { collectionField, multiChoiceField } from './properties';
import { refuseRounded } from './spoiled';
import { isBlank, requireText } from './texts';
import type { ItemParameters } from './types';
import { readField, requireChoice, requireJson } from './validation';

export interface RecordFields {
	/** The field that names a new record. */
	main?: INodeProperties;
	/** The optional fields. Update can clear texts and choices, but not passwords. */
	others: INodeProperties[];
	/**
	 * Supercast's names of these fields, by the names of their parameters. A later version of the
	 * node can rename a parameter without changing what it sends.
	 */
	wireNames: Readonly<Record<string, string>>;
	example: string;
	/**
	 * Supercast's names of the fields that decide who gets access. Given, no other field prevents an
	 * operation: one that is invalid is left out.
	 */
	deciding?: readonly string[];
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
	const clearable = clear.options?.length === 0 ? [] : [clear];
	const all = [...listedFields(fields), otherFields(fields.example), ...clearable];
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
		description: `Fields that the node does not list, as a JSON object with Supercast's field names, for example ${example}`,
	};
}

function clearFields({ others }: RecordFields) {
	const texts = others.filter(({ type, typeOptions }) => {
		return ['string', 'options'].includes(type) && !typeOptions?.password;
	});
	return multiChoiceField('clearFields', 'Clear Fields', {
		description:
			'The fields to empty in Supercast. If you add a field but leave it blank, its current value does not change.',
		options: texts.map(({ displayName, name }) => ({ name: displayName, value: name })),
	});
}

/** Reads the collection Update Fields. An update with nothing to change would look like success. */
export function readUpdateFields(
	item: ItemParameters,
	fields: RecordFields,
	tell: TellLeftOut = ignore,
): IDataObject {
	const told: string[] = [];
	const body = readFields(item, fields, {}, 'updateFields', (sentence) => told.push(sentence));
	if (Object.keys(body).length === 0) {
		throw new InputError(
			told[0] ?? "'Update Fields' is empty",
			'Add the fields that you want to change, and fill them in. A field that you leave blank keeps its value.',
		);
	}
	told.forEach(tell);
	return body;
}

/**
 * Reads a collection of fields as a request body. Leaves out blank fields, because an expression
 * that finds nothing must not erase a value. Fields to clear are null.
 * @param required Fields from outside the collection, with Supercast's field names as keys.
 * @throws InputError if a field is invalid or appears twice, or Other Fields is not a JSON object.
 * But if the kind says which fields decide, an invalid one of the others is left out, and told.
 */
export function readFields(
	item: ItemParameters,
	fields: RecordFields,
	required: IDataObject = {},
	collection: FieldCollection = 'additionalFields',
	tell: TellLeftOut = ignore,
): IDataObject {
	const { otherFields: other, clearFields: clear = [], ...listed } = item.collection(collection);
	const body = { ...required };
	const filled = Object.entries(listed).filter(([, value]) => !isBlank(value));
	for (const [name, value] of filled) {
		const { key, field } = knownField(fields, name, collection);
		const given = readOrTell(fields, key, tell, () => readValue(fields, key, field, value, item));
		if (given === undefined) continue;
		body[key] = given;
		tellCleaned(field.displayName, value, given, tell);
	}
	for (const name of [clear].flat()) {
		const choice = requireChoice(name, clearFields(fields));
		addField(body, fields.wireNames[choice] ?? choice, null, 'Clear Fields');
	}
	addOthers(body, other, fields, item, tell);
	return body;
}

/** Reads the field that names a new record. */
export function readMain(
	item: ItemParameters,
	{ main }: Required<Pick<RecordFields, 'main'>>,
	tell: TellLeftOut,
): string {
	const typed = item.parameter(main.name);
	const name = readField(main, typed, item) as string;
	tellCleaned(main.displayName, typed, name, tell);
	return name;
}

/** Adds the fields of Other Fields to a request body. */
function addOthers(
	body: IDataObject,
	typed: unknown,
	fields: RecordFields,
	item: ItemParameters,
	tell: TellLeftOut,
): void {
	// If it can't be read, one of these fields may still be in it.
	const decides = fields.deciding?.find((key) => textOf(typed).includes(key)) ?? '';
	const others = readOrTell(fields, decides, tell, () => readJsonObject(typed));
	for (const [key, value] of Object.entries(others ?? {})) {
		if (value === undefined) continue;
		const label = `${key}' in 'Other Fields (JSON)`;
		const read = (): IDataObject[string] => readOther(fields, key, value, item, label);
		const given = readOrTell(fields, key, tell, read);
		if (given === undefined) continue;
		addField(body, key, given, 'Other Fields (JSON)');
		tellCleaned(label, value, given, tell);
	}
}

/** The names in Other Fields, as the user typed them. */
export function otherNames(item: ItemParameters, collection: FieldCollection): string[] {
	return Object.keys(jsonObjectIn(item.collection(collection).otherFields) ?? {});
}

/** The collection of a create operation, or of an update operation. */
export type FieldCollection = 'additionalFields' | 'updateFields';

interface KnownField {
	key: string;
	field: INodeProperties;
}

/** Throws InputError if this version of the node has no such field. */
function knownField(fields: RecordFields, name: string, collection: string): KnownField {
	const field = listedFields(fields).find((one) => one.name === name);
	const key = fields.wireNames[name];
	if (field !== undefined && key !== undefined) return { key, field };
	const label = collection === 'updateFields' ? 'Update Fields' : 'Additional Fields';
	throw new InputError(
		`'${label}' contains "${name}", which this version of the node does not know`,
		"Remove it. To send a field that is not listed, use 'Other Fields (JSON)' with Supercast's name for it.",
	);
}

function readValue(
	{ convert }: RecordFields,
	key: string,
	field: INodeProperties,
	value: unknown,
	item: ItemParameters,
	label = field.displayName,
): IDataObject[string] {
	const given = readField(field, value, item, label);
	return convert?.[key]?.(given) ?? given;
}

/** Reads a field of Other Fields. A listed one is checked in the same way as its parameter. */
function readOther(
	fields: RecordFields,
	key: string,
	value: unknown,
	item: ItemParameters,
	label: string,
): IDataObject[string] {
	const field = listedFields(fields).find(({ name }) => fields.wireNames[name] === key);
	// Nobody could find a person without an email. Supercast may know more choices than the node.
	const isFree = (value === null && key !== 'email') || field?.type === 'options';
	if (/(^|_)id$/.test(key)) refuseRounded(value, label);
	if (field === undefined || isFree) return requireJson(value, label);
	if (isBlank(value)) requireText(value, label);
	return readValue(fields, key, field, value, item, label);
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

function readJsonObject(value: unknown): IDataObject {
	const object = jsonObjectIn(value);
	if (object !== undefined) return object;
	throw new InputError(
		"'Other Fields (JSON)' is not a JSON object",
		'Write it as { "field": "value" }, with double quotes.',
	);
}

function jsonObjectIn(value: unknown): IDataObject | undefined {
	if (isBlank(value) && !Array.isArray(value)) return {};
	const parsed = typeof value === 'string' ? jsonParse(value, { fallbackValue: null }) : value;
	const isPlain = isRecord(parsed) && Object.getPrototypeOf(parsed) === Object.prototype;
	return isPlain ? parsed : undefined;
}
