/** How many feeds opened and closed on each day, who yesterday and today, and which sync runs stopped. */

import { groupBy } from '../../subscriber/customerId';

/** As many days as the chart of the summary shows, and the present day. */
const MOST_DAYS = 31;

/** How many people each list of a day names. All of them count. */
export const MOST_NAMED = 40;

/** A longer text is cut, so that what n8n stores stays small. */
const LONGEST_TEXT = 300;

/** A feed that opened or closed. */
export interface DayChange {
	kind: 'closed' | 'opened';
	/** In milliseconds since 1970. */
	at: number;
	/** The name and email. Empty if nobody knows them any more, because the subscriber was deleted. */
	email: string;
	/** Why a feed closed, in words. Empty for an opening. */
	why: string;
}

/** A person in the list of a day. */
export type Named = Pick<DayChange, 'email' | 'why'>;

/** Sync runs of a day that ended early or could not do everything. */
export interface Stops {
	count: number;
	/** When the first and the last of them ended, in milliseconds since 1970. */
	first: number;
	last: number;
	/** What the last one said. It may name people, so it is empty for older days. */
	message: string;
}

export interface Day {
	/** In the workflow's timezone, such as `2026-11-26`. */
	date: string;
	opened: number;
	closed: number;
	/** How many feeds were open at the end of the day. Undefined if no sync run had read them yet. */
	open?: number;
	/** The first of those whose feeds opened and closed. Empty for older days. */
	openedNames: readonly Named[];
	closedNames: readonly Named[];
	stops?: Stops;
}

/** Returns a time of the workflow's timezone, such as `2026-11-26 07:02`. */
export type LocalTime = (time: number) => string;

export function dateOf(local: LocalTime, time: number): string {
	return local(time).slice(0, 10);
}

/** The date so many days before. Both look like `2026-11-26`. */
export function daysBefore(date: string, days: number): string {
	const start = new Date(date);
	start.setUTCDate(start.getUTCDate() - days);
	return start.toISOString().slice(0, 10);
}

/** What a sync run knows of the days. */
interface DaySnapshot {
	/** The day of the sync run. */
	date: string;
	/** How many feeds are open after it. */
	open: number;
	/** Whether the changes are all that have happened since the sync run before. */
	areAll: boolean;
	local: LocalTime;
}

/**
 * Adds changes, each to its day.
 * @param days The earlier days, oldest first.
 */
export function addChanges(
	days: readonly Day[],
	changes: readonly DayChange[],
	{ date, open, areAll, local }: DaySnapshot,
): Day[] {
	// If nobody knows what happened on a day without a sync run, it stays unknown.
	const known = areAll ? withQuietDays(days, date) : days;
	const byDate = groupBy(changes, ({ at }) => dateOf(local, at));
	// In order, because a day begins with the open feeds of the day before.
	const dates = [...byDate.keys()].sort();
	const counted = dates.reduce((sum, own) => withChanges(sum, own, byDate.get(own) ?? []), known);
	const all = withDay(counted, date);
	return trim(
		all.map((one) => (one.date >= date && isNear(one, date) ? { ...one, open } : one)),
		date,
	);
}

/** Adds a check that stopped. */
export function addStop(
	days: readonly Day[],
	at: number,
	{ local, message }: { local: LocalTime; message: string },
): Day[] {
	const date = dateOf(local, at);
	const noted = withDay(days, date).map((day) => {
		if (day.date !== date) return day;
		const { count, first } = day.stops ?? { count: 0, first: at };
		return { ...day, stops: { count: count + 1, first, last: at, message: cut(message) } };
	});
	return trim(noted, date);
}

/** Adds the days without a sync run before this one. */
function withQuietDays(days: readonly Day[], date: string): readonly Day[] {
	const [first] = days;
	if (first === undefined) return days;
	const daysAgo = Array.from({ length: MOST_DAYS - 1 }, (_, index) => MOST_DAYS - 1 - index);
	const dates = daysAgo.map((ago) => daysBefore(date, ago)).filter((one) => one > first.date);
	return dates.reduce(withDay, days);
}

/** Adds a day on which nothing has happened, if it is not there yet. */
function withDay(days: readonly Day[], date: string): readonly Day[] {
	if (days.some((one) => one.date === date)) return days;
	const earlier = days.filter((one) => one.date < date);
	const open = earlier.at(-1)?.open;
	const day: Day = { date, opened: 0, closed: 0, open, openedNames: [], closedNames: [] };
	return [...earlier, day, ...days.slice(earlier.length)];
}

/** Adds the changes of one day. They are found later, so the days after it have them too. */
function withChanges(
	days: readonly Day[],
	date: string,
	changes: readonly DayChange[],
): readonly Day[] {
	const opened = changes.filter(({ kind }) => kind === 'opened');
	const closed = changes.filter(({ kind }) => kind === 'closed');
	const more = opened.length - closed.length;
	return withDay(days, date).map((day) => {
		if (day.date < date || !isNear(day, date)) return day;
		const after = { ...day, open: day.open === undefined ? undefined : day.open + more };
		if (day.date > date) return after;
		return {
			...after,
			opened: day.opened + opened.length,
			closed: day.closed + closed.length,
			openedNames: withNames(day.openedNames, opened),
			closedNames: withNames(day.closedNames, closed),
		};
	});
}

/** The first of those who are named. */
function withNames(names: readonly Named[], changes: readonly DayChange[]): readonly Named[] {
	const more = changes.slice(0, MOST_NAMED - names.length);
	return [...names, ...more.map(({ email, why }) => ({ email: cut(email), why: cut(why) }))];
}

/** Whether a day is not one that a wrong clock has noted, far in the future. */
function isNear({ date }: Day, today: string): boolean {
	return date <= daysBefore(today, 1 - MOST_DAYS);
}

/** Forgets days that are too long ago, and whom days before yesterday name. */
function trim(days: readonly Day[], today: string): Day[] {
	const [oldest, yesterday] = [daysBefore(today, MOST_DAYS - 1), daysBefore(today, 1)];
	const kept = days.filter(({ date }) => date >= oldest).slice(0, MOST_DAYS + 1);
	return kept.map((day) => {
		// With another time zone, the date can be that of tomorrow.
		const hasNames = day.date >= yesterday && day.date <= daysBefore(today, -1);
		return hasNames ? day : withoutNames(day);
	});
}

function withoutNames({ stops, ...day }: Day): Day {
	const quiet = stops === undefined ? {} : { stops: { ...stops, message: '' } };
	return { ...day, openedNames: [], closedNames: [], ...quiet };
}

function cut(text: string): string {
	return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} …` : text;
}
