/** Field collections, and the request body built from them. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { requireEmail } from '../api/identity';
import { isRecord } from '../api/json';
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

const OTHER_FIELDS = 'otherFields';
const CLEAR_FIELDS = 'clearFields';

/** What a field collection contains in addition to the fields. */
export interface CollectionOptions {
	/** An example for Other Fields that fits the resource. */
	example: string;
	/** Names of the fields that can be emptied. */
	clearable?: string[];
}

/** Builds a field collection. In Other Fields, users can enter fields that are not listed. */
export function fieldCollection(
	displayName: string,
	name: string,
	fields: INodeProperties[],
	{ example, clearable = [] }: CollectionOptions,
): INodeProperties {
	const options = [...fields, otherFields(example), ...clearFields(fields, clearable)];
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

function otherFields(example: string): INodeProperties {
	return {
		displayName: 'Other Fields (JSON)',
		name: OTHER_FIELDS,
		type: 'json',
		default: '{}',
		placeholder: `e.g. ${example}`,
		description: `Fields that are not listed here, as a JSON object with Supercast's field names, for example ${example}`,
	};
}

function clearFields(fields: INodeProperties[], clearable: string[]): INodeProperties[] {
	if (clearable.length === 0) return [];
	return [
		{
			displayName: 'Clear Fields',
			name: CLEAR_FIELDS,
			type: 'multiOptions',
			default: [],
			description:
				'Fields to empty. If you add a field but leave it blank, its current value does not change.',
			options: fields
				.filter(({ name }) => clearable.includes(name))
				.map(({ displayName, name }) => ({ name: displayName, value: name })),
		},
	];
}

/** Converts fields to Supercast's format. Throws InputError if a field is invalid. */
export type NormalizeFields = (fields: IDataObject) => IDataObject;

/** What a request body contains in addition to the fields of a collection. */
export interface BodyOptions {
	/** The parameters in the collection. */
	fields?: INodeProperties[];
	/** Fields from outside the collection. The keys are Supercast's field names. */
	required?: IDataObject;
	/** Converts the fields, except those in Clear Fields, and free ones in Other Fields. */
	normalize?: NormalizeFields;
	/** Names of the fields that can be emptied. */
	clearable?: string[];
}

/**
 * Builds the body of a create or update request.
 *
 * @param collection The name of the field collection. Its keys are Supercast's field names in
 * camelCase.
 * @returns The fields, with Supercast's field names as keys. Blank fields are left out, because an
 * expression that finds nothing must not erase the current value. Fields to clear are null.
 * @throws InputError if a field is invalid or appears twice, or Other Fields is not a JSON object.
 */
export function bodyFields(
	item: ItemParameters,
	collection: string,
	{ fields = [], required = {}, normalize = (given) => given, clearable = [] }: BodyOptions = {},
): IDataObject {
	const {
		[OTHER_FIELDS]: other,
		[CLEAR_FIELDS]: clear = [],
		...listed
	} = item.collection(collection);
	const known = new Map(fields.map((field) => [snakeCase(field.name), field]));
	const filled = Object.entries(listed).filter(([, value]) => !isBlank(value));
	const given = filled.map(([name, value]) => {
		const field = known.get(snakeCase(name));
		const read = field ? readField(field, value, item) : requireJson(value, name);
		return [snakeCase(name), read] as const;
	});
	const cleared = requireChoices([clear].flat(), clearable, 'Clear Fields').map(snakeCase);
	const others = Object.entries(readJsonObject(other)).filter(([, value]) => value !== undefined);
	const more = others.map(([key, value]) => {
		const field = known.get(key);
		// A person without an email could no longer be found. Supercast may have other choices.
		const isFree = (value === null && key !== 'email') || field?.type === 'options';
		const label = `${key}' in 'Other Fields (JSON)`;
		const isKnown = field !== undefined && !isFree;
		if (isKnown && isBlank(value)) requireText(value, label);
		const read = isKnown
			? normalize({ [key]: readField(field, value, item, label) })[key]
			: requireJson(value, label);
		return [key, read] as const;
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
export function snakeCase(name: string): string {
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
