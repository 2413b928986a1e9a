/** Random channels and what happens in them: lives of members, right and wrong lists, events, restarts. */

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Feed, Row, Settings } from './model';

/** How many people there are. Some have nothing to do with the list. */
const PEOPLE = 10;

/** What a person has at Supercast before the first list. */
const FEEDS: Record<string, Partial<Feed> | undefined> = {
	'an open feed': {},
	'another open feed': {},
	'a closed feed': { state: 'deactivated' },
	'no feed': undefined,
	'an open feed without an ID': { customerId: '' },
	'an open feed of another system': { customerId: 'b-' },
	'an open feed with an older ID': { customerId: 'a-old-' },
	'the ID of the first': { customerId: 'a-m0' },
	'the ID of the first and a closed feed': { customerId: 'a-m0', state: 'deactivated' },
	'an older email': { email: 'old' },
	'an older email and a closed feed': { email: 'old', state: 'deactivated' },
	'a plan': { hasPlan: true },
	'a plan without an ID': { hasPlan: true, customerId: '' },
	'a closed feed and a plan': { hasPlan: true, state: 'deactivated' },
	'a suspended feed': { state: 'suspended' },
	'a failed payment': { state: 'charge_failure' },
	'no checkout': { state: 'pending' },
	'an unknown state': { state: 'mystery' },
	'an email in Never Close': { email: 'staff' },
};

type Life = (rows: Row[], row: Row, who: number) => Row[];

const all =
	(change: (row: Row, who: number) => Partial<Row>): Life =>
	(rows, _, who) =>
		rows.map((row) => ({ ...row, ...change(row, who) }));

/** What happens to the records of a person. */
const LIVES: Record<string, Life> = {
	leaves: all(() => ({ status: 'canceled' })),
	'leaves, and another address knows why': (rows, row) => [
		...rows.map((one) => ({ ...one, status: 'Canceled' })),
		{ ...row, email: 'host@staff.example', status: 'canceled' },
	],
	'is deleted': () => [],
	returns: (_, row) => [{ ...row, status: ' ACTIVE ' }],
	'returns with a new ID': (rows, row, who) => [
		...rows.map((one) => ({ ...one, status: 'canceled' })),
		{ ...row, customerId: `a-new-${who}`, status: 'active' },
	],
	'pays twice': (rows, row, who) => [...rows, { ...row, customerId: `a-two-${who}` }],
	'has a pause': all(() => ({ status: 'on hold' })),
	'has a word that nobody has decided about': all(() => ({ status: 'member.paused' })),
	'has no status': all(() => ({ status: '' })),
	'takes a new email': all((_, who) => ({ email: `new${who}@example.com` })),
	'takes the older email again': all((_, who) => ({ email: `old${who}@example.com` })),
	'writes the email in capitals': all(({ email }) => ({ email: ` ${email.toUpperCase()}` })),
	'has the email of the next': all((_, who) => ({ email: `p${(who + 1) % PEOPLE}@example.com` })),
	'has the ID of the next': all((_, who) => ({ customerId: `a-m${(who + 1) % PEOPLE}` })),
	'has another address in a second record': (rows, row, who) => [
		...rows,
		{ ...row, email: `new${who}@example.com` },
	],
	'loses the email': all(() => ({ email: '' })),
	'loses the ID': all(() => ({ customerId: '' })),
	'loses both': all(() => ({ email: '', customerId: '' })),
	'has a broken email': all(() => ({ email: 'nobody', customerId: '' })),
	'has an ID of another system': all((_, who) => ({ customerId: `b-m${who}` })),
	'buys a mug': (rows, row, who) => [
		...rows,
		{ ...row, product: 'MUG', customerId: `a-mug-${who}` },
	],
	'has an unknown product': all(() => ({ product: 'hat [2025]' })),
	'has no product': all(() => ({ product: '' })),
	'has paid until yesterday': all(() => ({ until: '2025-12-31' })),
	'has paid until next year': all(() => ({ until: '2027-01-01' })),
	'has an end that cannot be read': all(() => ({ until: 'soon' })),
};

/** What is wrong with a list, apart from its records. */
const LISTS: Record<string, (rows: Row[]) => Row[]> = {
	right: (rows) => rows,
	'without half of the people': (rows) => rows.slice(0, rows.length / 2),
	'of two people': (rows) => rows.slice(0, 2),
	'of nobody': () => [],
	'of people who have all left': (rows) => rows.map((row) => ({ ...row, status: 'canceled' })),
	'without statuses': (rows) => rows.map((row) => ({ ...row, status: '' })),
	'with one ID for all': (rows) => rows.map((row) => ({ ...row, customerId: 'a-m1' })),
	'with one email for all': (rows) => rows.map((row) => ({ ...row, email: 'p1@example.com' })),
	'without IDs': (rows) => rows.map((row) => ({ ...row, customerId: '' })),
	'without emails': (rows) => rows.map((row) => ({ ...row, email: '' })),
	'without emails and IDs': (rows) => rows.map((row) => ({ ...row, email: '', customerId: '' })),
	'with a record twice': (rows) => [...rows, ...rows.slice(0, 1)],
	'with a record that has no record ID': (rows) =>
		rows.map((row, index) => (index === 0 ? { ...row, recordId: '' } : row)),
	'without the last record': (rows) => rows.slice(0, -1),
	'of another channel': (rows) => rows.map((row) => strange(row, 0)),
	'with 60 strangers': (rows) => [
		...rows,
		...Array.from({ length: 60 }, (_, index) => strange(rowOf(0), index)),
	],
};

function strange(row: Row, index: number): Row {
	const name = `${index}${row.recordId}`;
	const record = { recordId: `s-${name}`, customerId: `a-s${name}`, email: `s${name}@example.net` };
	return { ...row, ...record, status: 'active' };
}

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
	// A word in two lists is an error, which has a test of its own.
	settings: settings.filter(({ openFor, keepFor }) => !(openFor.length > 1 && keepFor.length > 1)),
	isCounted: fc.boolean(),
	steps: fc.array(step, { minLength: 2, maxLength: 8 }),
});

/** The subscriber whom a person has before the first list. */
export function feedOf(who: number, kind: string): Feed | undefined {
	const made = FEEDS[kind];
	if (made === undefined) return undefined;
	const { email = 'p', customerId = 'a-', ...others } = made;
	return {
		...{ state: 'available', hasPlan: false, name: `Old ${who}` },
		...others,
		email: email === 'staff' ? `p${who}@staff.example` : `${email}${who}@example.com`,
		customerId: customerId.endsWith('-') ? `${customerId}m${who}` : customerId,
	};
}

/** The usual record of a person. */
export function rowOf(who: number): Row {
	return {
		...{ recordId: `r-${who}`, email: `p${who}@example.com`, customerId: `a-m${who}` },
		...{ status: 'active', product: 'Podcast', until: '', name: `Ann ${who}` },
	};
}

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
