import { tryToParseDateTime } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { asRecord, textOf } from '../api/json';
import type { ItemParameters } from './types';

/** A date, optionally with a time, but without an offset. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?)?$/i;

/** ISO 8601 with an offset, or the date format of emails and feeds (RFC 2822). */
const PLACED_TIMES = [
	/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)? ?(Z|[+-]\d{2}(:?\d{2})?)$/i,
	/^([a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(:\d{2})? ([+-]\d{4}|GMT|UTC?|Z)$/i,
];

/**
 * Reads a date and time.
 *
 * @param typed A text, or the value of an expression. Without an offset, the workflow's time zone
 * applies. Ambiguous formats, such as 01/02/2026, are refused.
 * @param label The parameter's label, for the error.
 * @returns ISO 8601 with an offset.
 * @throws InputError if it is not a date.
 */
export function requireDateTime(typed: unknown, label: string, item: ItemParameters): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	const isLocal = LOCAL_TIME.test(text);
	const isPlaced = isDate(typed) || PLACED_TIMES.some((form) => form.test(text));
	const iso = isLocal || isPlaced ? isoOf(typed, item.timezone, isLocal) : undefined;
	if (iso !== undefined && isSameDay(iso, text)) return iso;
	throw new InputError(
		`'${label}' is not a date`,
		'Enter a date and time such as 2026-01-31T09:00:00Z.',
	);
}

/** Whether an object is a date: a Date, or the value of n8n's $now. */
function isDate(value: unknown): boolean {
	return value instanceof Date || typeof asRecord(value).toISO === 'function';
}

/** Whether a date has the day that was typed. 30 February would otherwise become 2 March. */
function isSameDay(iso: string, text: string): boolean {
	const [, day, other] = /^\d{4}-\d{2}-(\d{2})|(\d{1,2}) [a-z]{3} /i.exec(text) ?? [];
	return Number(iso.slice(8, 10)) === Number(day ?? other ?? iso.slice(8, 10));
}

function isoOf(typed: unknown, timezone: string, isLocal: boolean): string | undefined {
	try {
		const parsed = tryToParseDateTime(typed, timezone);
		// Older versions of n8n ignore the second argument, and use the server's time zone.
		const placed = isLocal ? parsed.setZone(timezone, { keepLocalTime: true }) : parsed;
		return placed.toISO() ?? undefined;
	} catch {
		return undefined;
	}
}

/**
 * Reads a time in a record: an ISO 8601 date, or seconds since 1970.
 *
 * @returns Milliseconds since 1970, or NaN for anything else.
 */
export function timeOf(value: unknown): number {
	const text = textOf(value);
	if (/^\d{9,11}$/.test(text)) return Number(text) * 1000;
	return /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}
