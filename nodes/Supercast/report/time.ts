/** Times as a clock on the wall shows them in the workflow's time zone. */

import { wallTime } from '../access/judge/until';

/** A day of emails begins at this hour. */
const FIRST_HOUR = '07';

/** The day of emails to which a moment belongs, such as 2026-11-29. */
export function emailDay(at: number, zone: string): string {
	const { day, time = '' } = wallTime(at, zone);
	return time >= FIRST_HOUR ? day : dayBefore(day);
}

function dayBefore(day: string): string {
	const noon = Date.parse(`${day}T12:00:00Z`);
	return new Date(noon - 24 * 60 * 60_000).toISOString().slice(0, 10);
}

/** Such as "November 28, 7:05". */
export function momentText(at: number, zone: string): string {
	const { day, time = '' } = wallTime(at, zone);
	const [, month = '', date = ''] = day.split('-');
	return `${MONTHS[Number(month) - 1] ?? month} ${Number(date)}, ${time.slice(0, 5).replace(/^0/, '')}`;
}

const MONTHS = [
	...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
	...['August', 'September', 'October', 'November', 'December'],
];
