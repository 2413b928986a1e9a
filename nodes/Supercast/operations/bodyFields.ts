/** Collections of fields, and the body that they make. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { tryToParseDateTime } from 'n8n-workflow';
import { requireEmail } from './validation';
import { InputError } from '../api/errors/errors';
import type { OperationItem } from './types';

const OTHER_FIELDS = 'otherFields';

/** A date, and perhaps a time, without an offset. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?)?$/i;

/** ISO 8601 with an offset, or a date as mails and feeds have it (RFC 2822). */
const PLACED_TIMES = [
	/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)? ?(Z|[+-]\d{2}(:?\d{2})?)$/i,
	/^([a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(:\d{2})? ([+-]\d{4}|GMT|UTC?|Z)$/i,
];

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
	item: OperationItem,
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

/**
 * Reads a date and time.
 *
 * @param typed A text, or what an expression gives; without an offset it is read in the time zone of
 * the workflow. Forms that mean different days to different people are refused, such as 01/02/2026.
 * @param label The parameter's label, for the error.
 * @returns ISO 8601 with an offset.
 * @throws InputError when it is no date.
 */
export function requireDateTime(typed: unknown, label: string, item: OperationItem): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	const isLocal = LOCAL_TIME.test(text);
	// An object is a Date, or what n8n's $now gives.
	const isObject = typeof typed === 'object' && typed !== null;
	const isPlaced = isObject || PLACED_TIMES.some((form) => form.test(text));
	const iso = isLocal || isPlaced ? isoOf(typed, item.timezone, isLocal) : undefined;
	if (iso !== undefined) return iso;
	throw new InputError(
		`'${label}' is not a date`,
		'Give a date and time such as 2026-01-31T09:00:00Z.',
	);
}

function isoOf(typed: unknown, timezone: string, isLocal: boolean): string | undefined {
	try {
		const parsed = tryToParseDateTime(typed, timezone);
		// Older versions of n8n do not know the second argument, and take the server's time zone.
		const placed = isLocal ? parsed.setZone(timezone, { keepLocalTime: true }) : parsed;
		return placed.toISO() ?? undefined;
	} catch {
		return undefined;
	}
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
