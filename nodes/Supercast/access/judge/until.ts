/** Until when a record gives access: a day, which lasts to its end, or a moment. */

import { asRecord, textOf } from '../../api/json';
import { isBlank } from '../../operations/texts';

/** The time and the zone by which it is judged whether a day has passed. */
export interface Today {
	/** In milliseconds since 1970. */
	now: number;
	/** The workflow's time zone. */
	zone: string;
}

/** Whether access has ended, and when. `unreadable` if the text is no day. */
export type UntilState =
	| { kind: 'endless' }
	| { kind: 'ends' | 'hasEnded'; on: string }
	| { kind: 'unreadable'; text: string };

const ENDLESS: UntilState = { kind: 'endless' };

/** What membership systems write for a membership without an end. */
const ENDLESS_WORDS = /^(never|lifetime)$/i;

/** ISO 8601: the day, the time, and the offset if there is one. */
const ISO =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const MIDNIGHT = /^00:00(:00)?$/;

/** A day and a time on a clock on the wall. Without a time, the day lasts to its end. */
interface WallTime {
	day: string;
	time?: string;
}

/**
 * Reads until when a record gives access.
 * @param given A day such as 2026-11-29, a moment in ISO 8601, seconds or milliseconds since 1970, or
 * an object for a time.
 */
export function readUntil(given: unknown, { now, zone }: Today): UntilState {
	const text = textIn(given).trim();
	if (isBlank(text) || ENDLESS_WORDS.test(text)) return ENDLESS;
	const end = wallTimeOf(text, zone);
	if (end === undefined) return { kind: 'unreadable', text };
	const today = wallTime(now, zone);
	const on = end.time === undefined ? end.day : `${end.day} ${end.time}`;
	const isOver =
		today.day > end.day ||
		(today.day === end.day && end.time !== undefined && (today.time ?? '') >= end.time);
	return { kind: isOver ? 'hasEnded' : 'ends', on };
}

function textIn(given: unknown): string {
	if (given instanceof Date) return Number.isNaN(given.getTime()) ? 'no date' : given.toISOString();
	const { toISO } = asRecord(given);
	if (typeof toISO === 'function') return textOf((toISO as () => unknown).call(given));
	return typeof given === 'object' && given !== null ? 'an object' : textOf(given);
}

/** Undefined if the text is no day and no moment. */
function wallTimeOf(text: string, zone: string): WallTime | undefined {
	if (/^\d{9,11}$/.test(text)) return inZone(Number(text) * 1_000, zone);
	if (/^\d{12,14}$/.test(text)) return inZone(Number(text), zone);
	const [, day = '', time, offset] = ISO.exec(text) ?? [];
	if (!isDay(day)) return undefined;
	if (time === undefined) return { day };
	return offset === undefined
		? asDay({ day, time: time.padEnd(8, ':00') })
		: momentOf({ day, time }, offset, zone);
}

/** A moment in ISO 8601. Midnight as it is written stands for the day, wherever the workflow is. */
function momentOf(
	{ day, time }: Required<WallTime>,
	offset: string,
	zone: string,
): WallTime | undefined {
	const moment = Date.parse(`${day}T${time}${offsetOf(offset)}`);
	if (Number.isNaN(moment)) return undefined;
	const there = inZone(moment, zone);
	return MIDNIGHT.test(time) ? { day: there.day > day ? there.day : day } : there;
}

function offsetOf(offset: string): string {
	if (/^(Z|UTC)$/i.test(offset)) return 'Z';
	const digits = offset.replace(':', '').padEnd(5, '0');
	return `${digits.slice(0, 3)}:${digits.slice(3)}`;
}

function inZone(moment: number, zone: string): WallTime {
	return asDay(wallTime(moment, zone));
}

/** Midnight stands for the day. */
function asDay({ day, time = '' }: WallTime): WallTime {
	return MIDNIGHT.test(time) ? { day } : { day, time };
}

/** Whether a day exists: not 30 February. */
function isDay(day: string): boolean {
	const time = Date.parse(`${day}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What a clock on the wall shows in a time zone, such as 2026-11-29 and 07:05:00. */
export function wallTime(moment: number, zone: string): WallTime {
	const format = formats.get(zone) ?? wallFormat(zone);
	formats.set(zone, format);
	// Swedish dates and times are in the form of ISO 8601.
	const [day = '', time] = format.format(moment).split(' ');
	return { day, time };
}

function wallFormat(timeZone: string): Intl.DateTimeFormat {
	return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
}
