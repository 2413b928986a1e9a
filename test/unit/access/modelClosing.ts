/** Which feeds close, and how many may, as the page of rules says (`model.ts`). */

import {
	emailOf,
	hasPrefix,
	isOpen,
	isSame,
	isTheirs,
	lower,
	moves,
	peopleOf,
	type Change,
	type Feed,
	type Judged,
	type Person,
	type Row,
	type Words,
} from './model';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export interface Settings extends Words {
	close: 'all' | 'none' | 'prefix' | 'withCustomerId';
	neverClose: string[];
	closeAfter: number;
	maxClosePercent: number;
	maxOpenPercent: number;
	allowOnce: string[];
	/** Undefined if the user does not give it. Then the items have no Record ID either. */
	recordsExpected?: number;
	isDryRun: boolean;
}

/** What Sync remembers. */
export interface Memory {
	countedAt?: number;
	/** Who was missing, and for how many lists in a row. */
	missing: Map<string, number>;
	/** When it closed feeds, and when that or another email counted for the limit. */
	closed: number[];
	counted: number[];
	/** How many feeds each text of Allow Once has allowed. */
	used: Map<string, number>;
	hasKnownSome: boolean;
	incomplete: number;
}

export const NOTHING: Memory = {
	...{ missing: new Map(), closed: [], counted: [], used: new Map() },
	...{ hasKnownSome: false, incomplete: 0 },
};

export interface Run {
	rows: readonly Row[];
	feeds: readonly Feed[];
	settings: Settings;
	memory: Memory;
	/** When the list was read, and when Sync starts. */
	readAt: number;
	now: number;
	isByHand: boolean;
	isPinned: boolean;
	isMoreDue: boolean;
	/** The names of people whom events have been about, and when. */
	events: ReadonlyArray<{ at: number; names: string[] }>;
}

export const nameOf = ({ email, customerId }: Feed): string => `${lower(email)} ${customerId}`;
export const lately = (times: number[], now: number): number[] =>
	times.filter((at) => at > now - DAY_MS);

/** The records of a list, and what they ask for. */
export interface List {
	/** All records that are not `close`, and those that are. */
	given: Judged[];
	ended: Judged[];
	invalid: Judged[];
	live: Judged[];
	people: Person[];
	openings: Change[];
	isIncomplete: boolean;
}

// Closing

export const available = (feeds: readonly Feed[]): Feed[] =>
	feeds.filter(({ state }) => state === 'available');

/** The open feeds that are Sync's own. */
export function ownFeeds(
	{ people, ended }: List,
	feeds: readonly Feed[],
	settings: Settings,
): Feed[] {
	const ofGone = peopleOf(ended, []);
	return available(feeds).filter((feed) => {
		const person = people.find((one) => one.feeds.includes(feed));
		const gone = ofGone.filter(({ rows }) => rows.some((row) => isTheirs(row, feed)));
		const records = person?.rows ?? gone.flatMap(({ rows }) => rows);
		return isOwn(
			feed,
			records.map(({ email }) => email),
			settings,
		);
	});
}

function isOwn(
	{ email, customerId, hasPlan }: Feed,
	others: string[],
	settings: Settings,
): boolean {
	const { close, prefixes, closeWithPlan, neverClose } = settings;
	if (close === 'none' || (hasPlan && !closeWithPlan)) return false;
	if (close !== 'all' && customerId === '') return false;
	if (close === 'prefix' && !hasPrefix(customerId, prefixes)) return false;
	const emails = [email, ...others].map(lower);
	return !emails.some((one) => neverClose.some((entry) => one === entry || one.endsWith(entry)));
}

export interface Closing {
	/** The own feeds of nobody on the list, and for how many lists in a row. */
	missing: Map<Feed, number>;
	/** Those that close now, unless it is over the limit. */
	due: Feed[];
	isOver: boolean;
}

export function closings(list: List, { feeds, settings, memory, readAt, now }: Run): Closing {
	const { people, openings, isIncomplete } = list;
	const own = ownFeeds(list, feeds, settings);
	const isNext = memory.countedAt === undefined || readAt - memory.countedAt >= MINUTE_MS;
	const gone = own.filter((feed) => !people.some((person) => person.feeds.includes(feed)));
	const missing = new Map(
		gone.map((feed) => [feed, (memory.missing.get(nameOf(feed)) ?? 0) + (isNext ? 1 : 0)]),
	);
	const due = gone.filter((feed) => {
		const isTime = settings.closeAfter === 1 || missing.get(feed)! >= settings.closeAfter;
		return isTime && !isIncomplete && !staysFor(people, openings, feed);
	});
	const limited = limit(
		5,
		settings.maxClosePercent,
		own.length + lately(memory.closed, now).length,
	);
	const free = Math.max(0, limited - lately(memory.counted, now).length);
	const most = free + leftOf('close', settings, memory, now);
	return { missing, due, isOver: due.length + openings.filter(moves).length > most };
}

/** A feed without a customer ID may be that of a member who has no subscriber after the opening. */
export function staysFor(
	people: readonly Person[],
	opened: readonly Change[],
	feed: Feed,
): boolean {
	const hasNone = (person: Person): boolean =>
		person.feeds.length === 0 && !opened.some(({ after }) => isSame(after.email, emailOf(person)));
	return feed.customerId === '' && people.some((person) => isOpen(person) && hasNone(person));
}

export function limit(always: number, percent: number, feeds: number): number {
	return percent === 0 ? 0 : Math.max(always, Math.floor((feeds * percent) / 100));
}

// Allow it once

/** How many feeds such texts still allow: `close 160 until 2026-11-29 21:00 UTC`. */
export function leftOf(
	kind: string,
	{ allowOnce }: Settings,
	{ used }: Memory,
	now: number,
): number {
	const valid = allowOnce.map(partsOf).filter((one) => one.kind === kind && now < one.until);
	return valid.reduce((sum, { text, feeds }) => sum + feeds - (used.get(text) ?? 0), 0);
}

function partsOf(text: string): { text: string; kind: string; feeds: number; until: number } {
	const [kind = '', count, , day, time] = text.split(' ');
	return { text, kind, feeds: Number(count), until: Date.parse(`${day}T${time}Z`) };
}
