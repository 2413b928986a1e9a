/** Random channels and what happens in them: lives of members, right and wrong lists, events, restarts. */

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { FEEDS, LISTS, LIVES, PEOPLE, rowOf } from './lives';
import type { Row } from './model';
import type { Settings } from './modelClosing';

/** What people do in Supercast, without n8n. */
export const BY_HAND: Record<string, IDataObject> = {
	closes: { state: 'deactivated' },
	opens: { state: 'available' },
	suspends: { state: 'suspended' },
	'ends the plan of': { plan_id: null },
	'takes the ID from': { customer_id: null },
};

/** How the items reach Sync. */
const ARRIVALS = {
	fresh: {},
	'read three minutes before': { ageMinutes: 3 },
	'read six minutes before': { ageMinutes: 6 },
	pinned: { isPinned: true },
	'while another branch is due': { isMoreDue: true },
};

export interface Event {
	who: number;
	access: string;
	names: 'both' | 'email' | 'id';
	onlyOpen: boolean;
	isPrefixed: boolean;
}

/** What happens until the next list, and that list. */
export interface Step {
	minutes: number;
	lives: Array<{ who: number; what: string }>;
	hand?: { who: number; what: string };
	event?: Event;
	process: 'goes on' | 'restarts' | 'restarts and has lost everything';
	list: string;
	arrival: keyof typeof ARRIVALS;
	start: 'by hand' | 'by hand, dry' | 'scheduled' | 'scheduled, dry';
	/** Whether a person does what the last message says. */
	follows: boolean;
	isOfOther: boolean;
}

export interface World {
	feeds: string[];
	/** Whether each person has a record on the first list. */
	listed: boolean[];
	settings: Settings;
	/** Whether the items have a Record ID, and the number of records is known. */
	isCounted: boolean;
	steps: Step[];
}

const keysOf = <T extends object>(table: T) => Object.keys(table) as Array<keyof T & string>;

/** The first value comes as often as all others. */
const mostly = <T>(first: T, ...others: T[]): fc.Arbitrary<T> =>
	fc.oneof(fc.constant(first), fc.constantFrom(first, ...others));

const who = fc.nat({ max: PEOPLE - 1 });

const step: fc.Arbitrary<Step> = fc.record({
	minutes: mostly(5, 0.5, 1, 30, 25 * 60),
	lives: fc.array(fc.record({ who, what: fc.constantFrom(...keysOf(LIVES)) }), { maxLength: 2 }),
	hand: fc.option(fc.record({ who, what: fc.constantFrom(...keysOf(BY_HAND)) }), {
		...{ nil: undefined, freq: 1 },
	}),
	event: fc.option(
		fc.record({
			who,
			access: mostly('active', 'canceled', 'on hold', 'other'),
			names: mostly('both', 'email', 'id'),
			...{ onlyOpen: mostly(false, true), isPrefixed: fc.boolean() },
		}),
		{ nil: undefined, freq: 1 },
	),
	process: mostly('goes on', 'restarts', 'restarts and has lost everything'),
	list: fc.oneof({ weight: 4, arbitrary: fc.constant('right') }, fc.constantFrom(...keysOf(LISTS))),
	arrival: fc.oneof(
		{ weight: 4, arbitrary: fc.constant('fresh' as const) },
		fc.constantFrom(...keysOf(ARRIVALS)),
	),
	start: mostly('scheduled', 'scheduled, dry', 'by hand', 'by hand, dry'),
	...{ follows: fc.boolean(), isOfOther: fc.boolean() },
});

const settings: fc.Arbitrary<Settings> = fc.record({
	openFor: mostly(['active'], ['Active', '(empty)'], ['active', '(other)']),
	keepFor: mostly(['on hold'], ['On Hold', '(other)']),
	closeFor: fc.constant(['canceled']),
	products: mostly([] as string[], ['podcast']),
	otherProducts: mostly([] as string[], ['mug'], ['mug', '(empty)']),
	prefixes: mostly(['a-'], ['a-', 'b-']),
	closeWithPlan: mostly(false, true),
	close: mostly('prefix', 'withCustomerId', 'all', 'none'),
	neverClose: mostly(['@staff.example'], [], ['p1@example.com']),
	closeAfter: mostly(2, 1, 3),
	maxClosePercent: mostly(10, 0, 50, 100),
	maxOpenPercent: mostly(25, 0),
	allowOnce: fc.constant([]),
	isDryRun: fc.constant(false),
});

export const worlds: fc.Arbitrary<World> = fc.record({
	feeds: fc.array(fc.constantFrom(...keysOf(FEEDS)), { minLength: PEOPLE, maxLength: PEOPLE }),
	listed: fc.array(mostly(true, false), { minLength: PEOPLE, maxLength: PEOPLE }),
	// A word in two lists is an error, which has a separate test.
	settings: settings.filter(({ openFor, keepFor }) => !(openFor.length > 1 && keepFor.length > 1)),
	isCounted: fc.boolean(),
	steps: fc.array(step, { minLength: 2, maxLength: 8 }),
});

/** The records of a membership system, which change from list to list. */
export class Members {
	private readonly rows: Row[][];

	/** @param letter What its customer IDs begin with. */
	constructor(
		listed: readonly boolean[],
		private readonly letter: string,
	) {
		this.rows = listed.map((isListed, who) => (isListed ? [rowOf(who)] : []));
	}

	live({ who, what }: { who: number; what: string }): void {
		const rows = this.rows[who]!;
		const changed = LIVES[what]!(rows, rows[0] ?? rowOf(who), who);
		this.rows[who] = changed
			.slice(0, 4)
			.map((row, index) => ({ ...row, recordId: `r-${who}-${index}` }));
	}

	/** The rows that a list brings, and how many records the system says that it has. */
	list(kind: string): { rows: Row[]; expected: number } {
		const complete = this.rows.flat();
		const rows = LISTS[kind]!(complete).map((row) => ({
			...row,
			customerId: row.customerId.replace(/^a-/, this.letter),
		}));
		return { rows, expected: complete.length };
	}

	/** The record about which an event is. */
	recordOf({ who, access, names }: Event): Row {
		const row = this.rows[who]!.find(({ email }) => email.includes('@')) ?? rowOf(who);
		const isFull = row.customerId.startsWith('a-') ? row : { ...row, customerId: `a-m${who}` };
		return {
			...{ ...isFull, status: access },
			...(names === 'email' && { customerId: '' }),
			...(names === 'id' && { email: '' }),
		};
	}
}

export function arrivalOf({ arrival }: Step): {
	ageMinutes?: number;
	isPinned?: boolean;
	isMoreDue?: boolean;
} {
	return ARRIVALS[arrival];
}
