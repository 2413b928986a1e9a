/** How many feeds opened and closed on each day, who yesterday and today, and which checks stopped. */

/** As many days as the chart of the summary shows, and the present day. */
const MOST_DAYS = 31;

/** How many people each list of a day names. All of them count. */
export const MOST_NAMED = 40;

/** Only yesterday and today have names. */
const DAYS_WITH_NAMES = 2;

/** A longer text is cut, so that what n8n stores stays small. */
const LONGEST_TEXT = 300;

/** A feed that opened or closed. */
export interface DayChange {
	kind: 'closed' | 'opened';
	/** In milliseconds since 1970. */
	at: number;
	/** Empty if nobody knows it any more, because the subscriber was deleted. */
	email: string;
	/** Why a feed closed, in words. Empty for an opening. */
	why: string;
}

/** A person in the list of a day. */
export type Named = Pick<DayChange, 'email' | 'why'>;

/** Checks of a day that ended early or could not do everything. */
export interface Stops {
	count: number;
	/** When the first and the last of them ended, in milliseconds since 1970. */
	first: number;
	last: number;
	/** What the last one said. */
	message: string;
}

export interface Day {
	/** In the workflow's timezone, such as `2026-11-26`. */
	date: string;
	opened: number;
	closed: number;
	/** How many feeds were open at the end of the day. */
	open: number;
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

/**
 * Adds changes, each to its day. On the latest day, `open` feeds are open.
 * @param days The earlier days, oldest first.
 */
export function addChanges(
	days: readonly Day[],
	changes: readonly DayChange[],
	{ date, open, local }: { date: string; open: number; local: LocalTime },
): Day[] {
	const byDate = new Map(days.map((one) => [one.date, one]));
	const before = days.filter((one) => one.date < date).at(-1)?.open ?? open;
	byDate.set(date, byDate.get(date) ?? emptyDay(date, before));
	for (const change of changes) {
		const own = dateOf(local, change.at);
		// A change of the last minutes of a day is found on the next one.
		const day = byDate.get(own) ?? emptyDay(own, before);
		byDate.set(own, withChange(day, change));
	}
	const latest = byDate.get(date);
	if (latest !== undefined) byDate.set(date, { ...latest, open });
	return trim([...byDate.values()]);
}

/** Adds a check that stopped. */
export function addStop(
	days: readonly Day[],
	at: number,
	{ local, message }: { local: LocalTime; message: string },
): Day[] {
	const date = dateOf(local, at);
	const day = days.find((one) => one.date === date) ?? emptyDay(date, days.at(-1)?.open ?? 0);
	const { count, first } = day.stops ?? { count: 0, first: at };
	const stops = { count: count + 1, first, last: at, message: cut(message) };
	return trim([...days.filter((one) => one !== day), { ...day, stops }]);
}

function emptyDay(date: string, open: number): Day {
	return { date, opened: 0, closed: 0, open, openedNames: [], closedNames: [] };
}

function withChange(day: Day, { kind, email, why }: DayChange): Day {
	const named = { email: cut(email), why: cut(why) };
	const add = (names: readonly Named[]): readonly Named[] =>
		names.length < MOST_NAMED ? [...names, named] : names;
	return kind === 'opened'
		? { ...day, opened: day.opened + 1, open: day.open + 1, openedNames: add(day.openedNames) }
		: { ...day, closed: day.closed + 1, open: day.open - 1, closedNames: add(day.closedNames) };
}

/** Forgets the oldest days, and the names of all but the latest. */
function trim(days: readonly Day[]): Day[] {
	const kept = [...days].sort((one, other) => (one.date < other.date ? -1 : 1)).slice(-MOST_DAYS);
	return kept.map((day, index) =>
		index < kept.length - DAYS_WITH_NAMES ? { ...day, openedNames: [], closedNames: [] } : day,
	);
}

function cut(text: string): string {
	return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} …` : text;
}
