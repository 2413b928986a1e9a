/** Reads what a user typed, or what an expression returned. `label` names it in the InputError. */

import {
	tryToParseDateTime,
	type IDataObject,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { asRecord, textOf } from '../api/json';
import {
	cleanText,
	isBlank,
	requireEmail,
	requireExactText,
	requireId,
	requireText,
} from './texts';
import type { ItemParameters } from './types';

/** Reads a boolean. An expression may return it as text, also as `yes` or `no`. Blank is off. */
export function isOn(value: unknown, label: string): boolean {
	if (isBlank(value)) return false;
	const text = textOf(value).trim().toLowerCase();
	if (['true', 'yes'].includes(text)) return true;
	if (['false', 'no'].includes(text)) return false;
	throw new InputError(`'${label}' is neither true nor false`, 'Correct the value for this item.');
}

/** Reads a number within the limits of its parameter. */
export function requireNumber(
	typed: unknown,
	label: string,
	{ minValue: min = 0, maxValue: max = Infinity }: { minValue?: number; maxValue?: number },
	remedy = 'Correct the value for this item.',
): number {
	const isGiven = ['string', 'number'].includes(typeof typed) && !isBlank(typed);
	const number = isGiven ? Number(typed) : Number.NaN;
	if (Number.isFinite(number) && number >= min && number <= max) return number;
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	throw new InputError(`'${label}' must be a number ${range}`, remedy);
}

/** Reads the value of one choice of a parameter. An expression may return any type. */
export function requireChoice(
	typed: unknown,
	{ displayName, options = [] }: INodeProperties,
): string {
	const text = textOf(typed).trim();
	const choices = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	if (choices.includes(text)) return text;
	throw new InputError(
		`'${displayName}' cannot be "${text}"`,
		`Use one of these values: ${choices.join(', ')}.`,
	);
}

/**
 * Reads a JSON value, and cleans its texts. JSON has no NaN and no invalid date. Supercast would
 * receive null, and erase the field.
 */
export function requireJson(value: unknown, label: string): IDataObject[string] {
	if (jsonOf(value) !== undefined) return cleaned(value);
	throw new InputError(
		`'${label}' contains a value that cannot be sent`,
		'An expression may have returned NaN or an invalid date. Correct it for this item.',
	);
}

/** A value as JSON has it, with cleaned texts. */
export function cleaned(value: unknown): IDataObject[string] {
	const clean = (_key: string, one: unknown): unknown =>
		typeof one === 'string' ? cleanText(one) : one;
	return JSON.parse(JSON.stringify(value), clean) as IDataObject[string];
}

function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value, refuseLoss);
	} catch {
		return undefined;
	}
}

/** Throws if JSON would turn a value into null, or leave it out. `this` contains the original. */
function refuseLoss(this: IDataObject, key: string, json: unknown): unknown {
	const isLost =
		json === null ? this[key] !== null : typeof json === 'number' && !Number.isFinite(json);
	if (isLost || ['function', 'symbol'].includes(typeof json)) throw new TypeError(key);
	return json;
}

/** Reads the value of a field, according to the type of its parameter. */
export function readField(
	{ name, type, typeOptions, displayName }: INodeProperties,
	value: unknown,
	item: ItemParameters,
	label = displayName,
): IDataObject[string] {
	if (name === 'email') return requireEmail(value, label);
	if (type === 'boolean') return isOn(value, label);
	if (type === 'dateTime') return requireDateTime(value, label, item);
	if (type === 'number') return requireNumber(value, label, typeOptions ?? {});
	if (typeOptions?.password === true) return requireExactText(value, label);
	return name.endsWith('Id') ? requireId(value, label) : requireText(value, label);
}

/** ISO 8601, with the day, and the offset if there is one. */
const ISO_TIME =
	/^\d{4}-\d{2}-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?( ?(?:Z|[+-]\d{2}(?::?\d{2})?))?)?$/i;

/** The date format of emails and feeds (RFC 2822), with the day and the offset. */
const EMAIL_TIME =
	/^(?:[a-z]{3}, )?(\d{1,2}) [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? ([+-]\d{4}|GMT|UTC?|Z)$/i;

/**
 * Reads a date and time as ISO 8601 with an offset. Without one, the workflow's time zone applies.
 * Ambiguous formats, such as 01/02/2026, are refused.
 */
export function requireDateTime(typed: unknown, label: string, item: ItemParameters): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	const [form, day, offset] = ISO_TIME.exec(text) ?? EMAIL_TIME.exec(text) ?? [];
	const isTime = form !== undefined;
	const isLocal = isTime && offset === undefined;
	const iso = isTime || isTypedDate(typed) ? isoOf(typed, item.timezone, isLocal) : '';
	// 30 February would become 2 March.
	const isSameDay = day === undefined || Number(iso.slice(8, 10)) === Number(day);
	if (iso !== '' && isSameDay) return iso;
	throw noDate(typed, label);
}

function noDate(typed: unknown, label: string): InputError {
	const isSerial = /^\d{5}([.,]\d+)?$/.test(textOf(typed).trim());
	const hint = isSerial ? 'A spreadsheet stores dates as such numbers. ' : '';
	return new InputError(
		`'${label}' is not a date`,
		`${hint}Enter a date and time such as 2026-01-31T09:00:00Z.`,
	);
}

/** Whether times can be shown in this zone, which may be an offset such as +01:00. */
export function takesZone(name: string): boolean {
	try {
		return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
	} catch {
		return false;
	}
}

function noTimeZone(name: string): InputError {
	return new InputError(
		`The workflow's time zone "${name}" does not exist, so a date without an offset is unclear`,
		"In the workflow's settings, select a 'Timezone' such as America/Los_Angeles.",
	);
}

/** n8n's $now is an object with the method toISO. */
function isTypedDate(typed: unknown): boolean {
	return typed instanceof Date || typeof asRecord(typed).toISO === 'function';
}

function isoOf(typed: unknown, timezone: string, isLocal: boolean): string {
	if (isLocal && !takesZone(timezone)) throw noTimeZone(timezone);
	try {
		const parsed = tryToParseDateTime(typed, timezone);
		// Older versions of n8n ignore the second argument, and use the server's time zone.
		const placed = isLocal ? parsed.setZone(timezone, { keepLocalTime: true }) : parsed;
		return placed.toISO() ?? '';
	} catch {
		return '';
	}
}
