/** The daily log as n8n stores it between executions. */

import type { IDataObject } from 'n8n-workflow';

import { asRecord, textOf } from '../../api/json';
import type { Day, Named, Stops } from './days';
import { FEED_HASH_LENGTH, type DailyLog } from './dailyLog';

/** The names take up to 40 KB more. */
const MOST_HASHES_LENGTH = 10_000 * FEED_HASH_LENGTH;

/** Returns what n8n stores. Leaves out the hashes if they are too many. */
export function writeDailyLog(dailyLog: DailyLog): IDataObject {
	const { open = '', days, ...times } = dailyLog;
	const isKnown = dailyLog.open !== undefined && open.length <= MOST_HASHES_LENGTH;
	return {
		...times,
		days: days.map((day) => ({ ...day })),
		...(isKnown ? { open } : {}),
	};
}

/** Reads what was stored. Whatever is not as expected is left out, because it may be very old. */
export function readDailyLog({ open, days, ...times }: Record<string, unknown>): DailyLog {
	return {
		days: Array.isArray(days) ? days.map(dayOf).filter(({ date }) => isDayDate(date)) : [],
		...(typeof open === 'string' && open.length % FEED_HASH_LENGTH === 0 ? { open } : {}),
		readAt: numberOf(times.readAt),
		checkedAt: numberOf(times.checkedAt),
		scheduledAt: numberOf(times.scheduledAt),
		gapMs: numberOf(times.gapMs),
		gapBeforeMs: numberOf(times.gapBeforeMs),
	};
}

function isDayDate(text: string): boolean {
	return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** 0 for anything but a number. */
function numberOf(value: unknown): number {
	return Number.isFinite(value) ? Math.max(0, Number(value)) : 0;
}

function dayOf(stored: unknown): Day {
	const day = asRecord(stored);
	return {
		date: textOf(day.date),
		opened: numberOf(day.opened),
		closed: numberOf(day.closed),
		open: Number.isFinite(day.open) ? numberOf(day.open) : undefined,
		openedNames: storedNames(day.openedNames),
		closedNames: storedNames(day.closedNames),
		...(day.stops === undefined ? {} : { stops: stopsOf(day.stops) }),
	};
}

function storedNames(stored: unknown): Named[] {
	if (!Array.isArray(stored)) return [];
	return stored.map(asRecord).map(({ email, why }) => ({ email: textOf(email), why: textOf(why) }));
}

function stopsOf(stored: unknown): Stops {
	const { count, first, last, message } = asRecord(stored);
	return {
		count: numberOf(count),
		first: numberOf(first),
		last: numberOf(last),
		message: textOf(message),
	};
}
