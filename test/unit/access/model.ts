/**
 * What the page of rules says (`docs/sync.md`), as functions. They are slow and simple, and know
 * nothing of the code. One part for each part of the page.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A record of a membership system, as an item shows it. What it does not have is empty. */
export interface Row {
	recordId: string;
	email: string;
	customerId: string;
	status: string;
	product: string;
	until: string;
	name: string;
}

/** A subscriber in Supercast. */
export interface Feed {
	email: string;
	customerId: string;
	state: string;
	hasPlan: boolean;
	name: string;
}

/** What a user has set, for Sync and Set Access. */
export interface Words {
	openFor: string[];
	keepFor: string[];
	closeFor: string[];
	products: string[];
	otherProducts: string[];
	prefixes: string[];
	closeWithPlan: boolean;
}

export interface Settings extends Words {
	close: 'all' | 'none' | 'prefix' | 'withCustomerId';
	neverClose: string[];
	closeAfter: number;
	maxClosePercent: number;
	maxOpenPercent: number;
	allowOnce: string[];
	/** Undefined if the user does not give it. */
	recordsExpected?: number | string;
	isDryRun: boolean;
}

// The list

export type Access = 'close' | 'keep' | 'open' | 'unclear';

const lower = (text: string): string => text.trim().toLowerCase();
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

function statusAccess(status: string, words: Words, hasStatuses: boolean): Access {
	const lists: Array<[string[], Access]> = [
		[words.openFor, 'open'],
		[words.keepFor, 'keep'],
		[words.closeFor, 'close'],
	];
	const listWith = (word: string) =>
		lists.find(([list]) => list.some((one) => lower(one) === word));
	if (lower(status) !== '')
		return (listWith(lower(status)) ?? listWith('(other)'))?.[1] ?? 'unclear';
	// If no record has a status, the column is lost.
	return (hasStatuses ? listWith('(empty)')?.[1] : undefined) ?? 'unclear';
}

export function accessOf(row: Row, words: Words, hasStatuses: boolean, today: string): Access {
	const isIn = (list: string[]) =>
		list.some((one) => lower(one) === (lower(row.product) || '(empty)'));
	const counts = isIn(words.products);
	if (isIn(words.otherProducts) && !counts) return 'close';
	if (isDay(row.until) && row.until < today) return 'close';
	const access = statusAccess(row.status, words, hasStatuses);
	const isUndecided = words.products.length > 0 && !counts;
	const isUnreadable = row.until !== '' && !isDay(row.until);
	return access !== 'close' && (isUndecided || isUnreadable) ? 'unclear' : access;
}

/** Of someone who is not `close`: an email that is none, or an ID that has no prefix. */
function isInvalid({ email, customerId }: Row, prefixes: string[]): boolean {
	const isForeign = customerId !== '' && !hasPrefix(customerId, prefixes);
	return (email === '' && customerId === '') || (email !== '' && !email.includes('@')) || isForeign;
}

function hasPrefix(customerId: string, prefixes: string[]): boolean {
	return prefixes.length === 0 || prefixes.some((one) => customerId.startsWith(one));
}

// Who is who

type Judged = Row & { access: Access };

interface Person {
	rows: Judged[];
	/** Those with the customer ID or the email of one of the rows. */
	feeds: Feed[];
}

const isSame = (one: string, other: string): boolean => one !== '' && lower(one) === lower(other);

function isTheirs(row: Row, feed: Feed): boolean {
	const hasId = row.customerId !== '' && row.customerId === feed.customerId;
	return hasId || isSame(row.email, feed.email);
}

function areOne(one: Row, other: Row, feeds: readonly Feed[]): boolean {
	const haveOneId = one.customerId !== '' && one.customerId === other.customerId;
	const haveOneFeed = feeds.some((feed) => isTheirs(one, feed) && isTheirs(other, feed));
	return haveOneId || isSame(one.email, other.email) || haveOneFeed;
}

function peopleOf(rows: readonly Judged[], feeds: readonly Feed[]): Person[] {
	let people: Judged[][] = [];
	for (const row of rows) {
		const own = people.filter((person) => person.some((other) => areOne(row, other, feeds)));
		people = [...people.filter((person) => !own.includes(person)), [...own.flat(), row]];
	}
	return people.map((unsorted) => {
		const own = rows.filter((row) => unsorted.includes(row));
		return { rows: own, feeds: feeds.filter((feed) => own.some((row) => isTheirs(row, feed))) };
	});
}

function isOpen({ rows }: Person): boolean {
	return rows.some(({ access }) => access === 'open');
}

const emailOf = ({ rows }: Person): string => rows.find(({ email }) => email !== '')?.email ?? '';

/** If a person has subscribed several times, the memberships that are open come first. */
function idsOf({ rows }: Person): string[] {
	const openFirst = [...rows.filter(({ access }) => access === 'open'), ...rows];
	return openFirst.map(({ customerId }) => customerId).filter((id) => id !== '');
}

function isConflict({ rows, feeds }: Person): boolean {
	const emails = rows.map(({ email }) => lower(email)).filter((email) => email !== '');
	return new Set(emails).size > 1 || feeds.length > 1;
}

// Opening

/** What should become of a feed. Without `before`, it is created. */
interface Change {
	before?: Feed;
	after: Feed;
}

function opening(person: Person, { prefixes, closeWithPlan }: Words): Change | undefined {
	if (isConflict(person) || !isOpen(person)) return undefined;
	const [email, ids, [before]] = [emailOf(person), idsOf(person), person.feeds];
	const [id = ''] = ids;
	const name = person.rows.filter(({ access }) => access === 'open').at(-1)?.name ?? '';
	if (before === undefined) {
		const after = { email, customerId: id, state: 'available', hasPlan: false, name };
		return email === '' ? undefined : { after };
	}
	if (before.hasPlan && !closeWithPlan) return undefined;
	const names = {
		email: email === '' || isSame(email, before.email) ? before.email : email,
		customerId: id === '' || ids.includes(before.customerId) ? before.customerId : id,
	};
	if (before.state === 'deactivated') {
		return { before, after: { ...before, ...names, state: 'available', name } };
	}
	const { customerId } = before;
	const isOther =
		customerId !== '' && !hasPrefix(customerId, prefixes) && !ids.includes(customerId);
	if (before.state !== 'available' || isOther) return undefined;
	return { before, after: { ...before, ...names } };
}

const opens = ({ before }: Change): boolean => before?.state !== 'available';
const moves = ({ before, after }: Change): boolean =>
	before !== undefined && !isSame(before.email, after.email);

// Closing

/** Whether a feed is a Sync's own. `ended` are the records that give no access, of its person. */
function isOwn({ email, customerId, hasPlan }: Feed, ended: Row[], settings: Settings): boolean {
	const { close, prefixes, closeWithPlan, neverClose } = settings;
	if (close === 'none' || (hasPlan && !closeWithPlan)) return false;
	if (close !== 'all' && customerId === '') return false;
	if (close === 'prefix' && !hasPrefix(customerId, prefixes)) return false;
	const emails = [email, ...ended.map((row) => row.email)].map(lower);
	return !emails.some((one) => neverClose.some((entry) => one === entry || one.endsWith(entry)));
}

/** All records that give no access and are, directly or through others, of a feed's person. */
function endedOf(feed: Feed, ended: readonly Judged[]): Judged[] {
	return peopleOf(ended, []).flatMap(({ rows }) =>
		rows.some((row) => isTheirs(row, feed)) ? rows : [],
	);
}

// What Sync remembers

export interface Memory {
	countedAt?: number;
	/** Who was missing, and for how many lists in a row. */
	missing: Map<string, number>;
	/** When it closed feeds, and when that or another email counted for the limit. */
	closed: number[];
	counted: number[];
	used: Map<string, number>;
	hasKnownSome: boolean;
	incomplete: number;
}

export const NOTHING: Memory = {
	...{ missing: new Map(), closed: [], counted: [], used: new Map() },
	...{ hasKnownSome: false, incomplete: 0 },
};

const nameOf = ({ email, customerId }: Feed): string => `${lower(email)} ${customerId}`;

// A run of Sync

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

export interface Result {
	feeds: Feed[];
	memory: Memory;
	fails: boolean;
	/** What happened to feeds: `created`, `reopened` or `closed` for each. */
	done: string[];
}

export function sync(run: Run): Result {
	const { feeds, settings, memory, now } = run;
	const rows = run.rows.filter((row) => Object.values(row).some((value) => value !== ''));
	const hasStatuses = rows.some(({ status }) => status.trim() !== '');
	const today = new Date(now).toISOString().slice(0, 10);
	const judged = rows.map((row) => ({
		...row,
		access: accessOf(row, settings, hasStatuses, today),
	}));
	const given = judged.filter(({ access }) => access !== 'close');
	const ended = judged.filter(({ access }) => access === 'close');
	const invalid = given.filter((row) => isInvalid(row, settings.prefixes));
	const live = given.filter((row) => !invalid.includes(row));
	const people = peopleOf(live, feeds);
	const available = feeds.filter(({ state }) => state === 'available');
	const rowsOf = (feed: Feed) =>
		people.filter((one) => one.feeds.includes(feed)).flatMap((one) => one.rows);
	const own = available.filter((feed) =>
		isOwn(
			feed,
			[...rowsOf(feed), ...(rowsOf(feed).length > 0 ? [] : endedOf(feed, ended))],
			settings,
		),
	);
	const openings = people.flatMap((person) => opening(person, settings) ?? []);

	// When a list is incomplete
	const isIncomplete = invalid.length > 0 || isIncompleteList(rows, run);

	// When a list is wrong
	const names = [...live, ...ended].filter(
		(row) => row.email.includes('@') || row.customerId !== '',
	);
	const knows = feeds.some((feed) => names.some((row) => isTheirs(row, feed)));
	const nameless = (person: Person) => emailOf(person) === '' && person.feeds.length === 0;
	const doubtful = people.filter((person) => isConflict(person) || nameless(person));
	const unnamed = invalid.filter(({ email }) => !email.includes('@'));
	const doubtfulRows = doubtful.flatMap((person) => person.rows).length + unnamed.length;
	const wanted = openings.filter(opens).length;
	const mayOpen = leftOf('open', settings, memory, now);
	const isFirst = run.isByHand && own.length === 0;
	const maxOpen = limit(50, settings.maxOpenPercent, available.length) + mayOpen;
	const isAllowed = mayOpen > 0 && wanted <= mayOpen;
	const isWrong =
		names.length === 0 ||
		doubtfulRows > given.length / 2 ||
		(!knows && memory.hasKnownSome && !isAllowed) ||
		(wanted > maxOpen && !isFirst);

	// Closing
	const isNext = memory.countedAt === undefined || run.readAt - memory.countedAt >= MINUTE_MS;
	const gone = own.filter((feed) => !people.some((person) => person.feeds.includes(feed)));
	const listsOf = (feed: Feed) => (memory.missing.get(nameOf(feed)) ?? 0) + (isNext ? 1 : 0);
	const isUnmatched = (openable: readonly Change[]) =>
		people.some(
			(person) =>
				isOpen(person) &&
				person.feeds.length === 0 &&
				!openable.some(({ after }) => isSame(after.email, emailOf(person))),
		);
	const stays = (feed: Feed) => feed.customerId === '' && isUnmatched(openings);
	const due = gone.filter((feed) => {
		const isDue = settings.closeAfter === 1 || listsOf(feed) >= settings.closeAfter;
		return isDue && !isIncomplete && !stays(feed);
	});
	const lately = (times: number[]) => times.filter((at) => at > now - DAY_MS);
	const share = own.length + lately(memory.closed).length;
	const maxClose = limit(5, settings.maxClosePercent, share) - lately(memory.counted).length;
	const mayClose = leftOf('close', settings, memory, now);
	const isOver = due.length + openings.filter(moves).length > Math.max(0, maxClose) + mayClose;

	// What happens
	const isUntouched = (change: { before?: Feed; after: Feed }) =>
		settings.isDryRun || !hasEvent(change, people, run);
	const opened = openings
		.map((one) => (isOver && one.before ? withEmailOf(one, one.before) : one))
		.filter(isUntouched);
	const closed = (isOver ? [] : due)
		.map((before): Change => ({ before, after: { ...before, state: 'deactivated' } }))
		.filter(isUntouched)
		.filter(({ after }) => after.customerId !== '' || !isUnmatched(opened));
	const changes = isWrong ? [] : [...opened, ...closed];

	// What is remembered
	const before: Memory = {
		...memory,
		...{ closed: lately(memory.closed), counted: lately(memory.counted) },
		used: new Map([...memory.used].filter(([text]) => settings.allowOnce.includes(text))),
	};
	const after: Memory =
		isIncomplete || isWrong
			? {
					...before,
					missing: new Map([...memory.missing].filter(([name]) => !isOnList(name, live))),
					incomplete: memory.incomplete + (isWrong ? 0 : 1),
				}
			: {
					...before,
					countedAt: isNext ? run.readAt : memory.countedAt,
					missing: new Map(gone.map((feed) => [nameOf(feed), listsOf(feed)])),
					hasKnownSome: knows,
					incomplete: 0,
				};
	const isThird = isIncomplete && after.incomplete > 2;
	const isReal = !settings.isDryRun;
	if (isReal) for (const change of changes) note(change, after, settings, now);
	return {
		feeds: isReal ? applied(feeds, changes) : [...feeds],
		memory: after,
		fails: isReal && (isWrong || (isOver && settings.maxClosePercent > 0) || isThird),
		done: changes.flatMap(actionOf),
	};
}

function isIncompleteList(rows: readonly Row[], run: Run): boolean {
	const { recordsExpected } = run.settings;
	const ids = rows.map(({ recordId }) => recordId);
	const isShort =
		recordsExpected !== undefined &&
		(recordsExpected === '' || new Set(ids).size < Number(recordsExpected));
	const hasIds = recordsExpected !== undefined;
	const areIdsWrong = hasIds && (ids.includes('') || new Set(ids).size < ids.length);
	const isOld = run.now - run.readAt > 5 * MINUTE_MS;
	return isShort || areIdsWrong || isOld || run.isPinned || run.isMoreDue;
}

function limit(always: number, percent: number, feeds: number): number {
	return percent === 0 ? 0 : Math.max(always, Math.floor((feeds * percent) / 100));
}

function isOnList(name: string, live: readonly Row[]): boolean {
	const [email = '', id = ''] = name.split(' ');
	return live.some((row) => isSame(row.email, email) || (id !== '' && row.customerId === id));
}

/** Whether an event about this person came after the list. */
function hasEvent({ before, after }: Change, people: readonly Person[], run: Run): boolean {
	const person = people.find(
		(one) =>
			(before !== undefined && one.feeds.includes(before)) || isSame(emailOf(one), after.email),
	);
	const names = [before, ...(person?.rows ?? [])].flatMap((one) =>
		one === undefined ? [] : [lower(one.email), one.customerId],
	);
	return run.events.some(
		(event) =>
			event.at >= run.readAt && event.names.some((name) => name !== '' && names.includes(name)),
	);
}

function withEmailOf({ before, after }: Change, { email }: Feed): Change {
	return { before, after: { ...after, email } };
}

function applied(feeds: readonly Feed[], changes: readonly Change[]): Feed[] {
	const kept = feeds.map((feed) => changes.find(({ before }) => before === feed)?.after ?? feed);
	return [
		...kept,
		...changes.flatMap(({ before, after }) => (before === undefined ? [after] : [])),
	];
}

function actionOf({ before, after }: Change): string[] {
	if (before === undefined) return ['created'];
	if (before.state === after.state) return [];
	return [after.state === 'available' ? 'reopened' : 'closed'];
}

// Allow it once

/** How many feeds such texts still allow: `close 160 until 2026-11-29 21:00 UTC`. */
function leftOf(kind: string, { allowOnce }: Settings, { used }: Memory, now: number): number {
	const valid = allowOnce.map(partsOf).filter((one) => one.kind === kind && now < one.until);
	return valid.reduce((sum, { text, feeds }) => sum + feeds - (used.get(text) ?? 0), 0);
}

function partsOf(text: string): { text: string; kind: string; feeds: number; until: number } {
	const [kind = '', count, , day, time] = text.split(' ');
	return { text, kind, feeds: Number(count), until: Date.parse(`${day}T${time}Z`) };
}

/** Remembers a change that counts for a limit, or that was allowed once. */
function note(change: Change, memory: Memory, settings: Settings, now: number): void {
	const use = (kind: string): boolean => {
		const text = settings.allowOnce.find(
			(one) => leftOf(kind, { ...settings, allowOnce: [one] }, memory, now) > 0,
		);
		if (text !== undefined) memory.used.set(text, (memory.used.get(text) ?? 0) + 1);
		return text !== undefined;
	};
	if (opens(change)) use('open');
	const isClosing = change.after.state === 'deactivated';
	if (isClosing) memory.closed.push(now);
	if ((isClosing || moves(change)) && !use('close')) memory.counted.push(now);
}

// Set Access

export function setAccess(
	row: Row,
	feeds: readonly Feed[],
	words: Words & { onlyOpen: boolean; isOld: boolean },
	today: string,
): { feeds: Feed[]; event: string[] } {
	const access = accessOf(row, words, false, today);
	const person = { rows: [{ ...row, access }], feeds: feeds.filter((one) => isTheirs(row, one)) };
	const isLeft =
		access === 'keep' || access === 'unclear' || (access === 'close' && words.onlyOpen);
	const names = [row, ...person.feeds].flatMap(({ email, customerId }) => [
		lower(email),
		customerId,
	]);
	const change = access === 'open' ? opening(person, words) : ending(person, words);
	const isChanged = !isLeft && change !== undefined;
	return {
		feeds: isChanged ? applied(feeds, [change]) : [...feeds],
		event: isLeft ? [] : names,
	};
}

function ending(person: Person, words: Words & { isOld: boolean }): Change | undefined {
	const { rows, feeds } = person;
	const [before] = feeds;
	if (before?.state !== 'available' || isConflict(person) || words.isOld) return undefined;
	if (before.hasPlan && !words.closeWithPlan) return undefined;
	const [{ customerId } = { customerId: '' }] = rows;
	const isOfOther =
		customerId === ''
			? !hasPrefix(before.customerId, words.prefixes)
			: customerId !== before.customerId;
	if (before.customerId !== '' && isOfOther) return undefined;
	return { before, after: { ...before, state: 'deactivated' } };
}
