/** A run of Sync, as the page of rules describes it (`model.ts`). */

import {
	accessOf,
	applied,
	emailOf,
	isConflict,
	isInvalid,
	isSame,
	isTheirs,
	lower,
	moves,
	opening,
	opens,
	peopleOf,
	type Change,
	type Feed,
	type Judged,
	type Person,
	type Row,
} from './model';
import {
	available,
	closings,
	lately,
	leftOf,
	limit,
	nameOf,
	ownFeeds,
	staysFor,
	type Closing,
	type List,
	type Memory,
	type Run,
	type Settings,
} from './modelClosing';

const MINUTE_MS = 60_000;

export interface Result {
	feeds: Feed[];
	memory: Memory;
	fails: boolean;
	/** What happened to feeds: `created`, `reopened` or `closed` for each. */
	done: string[];
}

export function sync(run: Run): Result {
	const list = readList(run);
	const closing = closings(list, run);
	const isStopped = isWrong(list, run);
	const changes = isStopped ? [] : changesOf(list, closing, run);
	const memory = remembered(list, closing, run);
	const isReal = !run.settings.isDryRun;
	if (isReal) for (const change of changes) note(change, memory, run);
	const isOver = closing.isOver && run.settings.maxClosePercent > 0;
	const isThird = list.isIncomplete && memory.incomplete > 2;
	return {
		feeds: isReal ? applied(run.feeds, changes) : [...run.feeds],
		memory,
		fails: isReal && (isStopped || isOver || isThird),
		done: changes.flatMap(actionOf),
	};
}

// The list, and when it is incomplete

function readList(run: Run): List {
	const { settings, feeds } = run;
	const rows = run.rows.filter((row) => Object.values(row).some((value) => value !== ''));
	const hasStatuses = rows.some(({ status }) => status.trim() !== '');
	const today = new Date(run.now).toISOString().slice(0, 10);
	const judged = rows.map((row): Judged => {
		return { ...row, access: accessOf(row, settings, hasStatuses, today) };
	});
	const given = judged.filter(({ access }) => access !== 'close');
	const ended = judged.filter(({ access }) => access === 'close');
	const invalid = given.filter((row) => isInvalid(row, settings.prefixes));
	const live = given.filter((row) => !invalid.includes(row));
	const people = peopleOf(live, feeds);
	const isIncomplete = invalid.length > 0 || lacksRecords(rows, settings) || isLate(run);
	const openings = people.flatMap((person) => opening(person, settings) ?? []);
	return { given, ended, invalid, live, people, openings, isIncomplete };
}

function lacksRecords(rows: readonly Row[], { recordsExpected }: Settings): boolean {
	if (recordsExpected === undefined) return false;
	const ids = rows.map(({ recordId }) => recordId);
	const different = new Set(ids.filter((id) => id !== '')).size;
	return ids.includes('') || different < ids.length || different < recordsExpected;
}

function isLate({ now, readAt, isPinned, isMoreDue }: Run): boolean {
	return now - readAt > 5 * MINUTE_MS || isPinned || isMoreDue;
}

// When a list is wrong

function isWrong(list: List, { feeds, settings, memory, isByHand, now }: Run): boolean {
	const { given, invalid, people, openings } = list;
	const isNameless = (person: Person) => emailOf(person) === '' && person.feeds.length === 0;
	const doubtful = people.filter((person) => isConflict(person) || isNameless(person));
	const unnamed = invalid.filter(({ email }) => !email.includes('@'));
	const doubtfulRows = doubtful.flatMap(({ rows }) => rows).length + unnamed.length;
	const wanted = openings.filter(opens).length;
	const allowed = leftOf('open', settings, memory, now);
	const isAllowed = allowed > 0 && wanted <= allowed;
	const isFirst = isByHand && ownFeeds(list, feeds, settings).length === 0;
	const most = limit(50, settings.maxOpenPercent, available(feeds).length) + allowed;
	return (
		namesOn(list).length === 0 ||
		doubtfulRows > given.length / 2 ||
		(!isKnown(list, feeds) && memory.hasKnownSome && !isAllowed) ||
		(wanted > most && !isFirst)
	);
}

function namesOn({ live, ended }: List): Row[] {
	return [...live, ...ended].filter((row) => row.email.includes('@') || row.customerId !== '');
}

/** Whether Supercast has someone of the list. */
function isKnown(list: List, feeds: readonly Feed[]): boolean {
	return feeds.some((feed) => namesOn(list).some((row) => isTheirs(row, feed)));
}

// What happens

function changesOf({ people, openings }: List, { due, isOver }: Closing, run: Run): Change[] {
	const isFree = (change: Change): boolean =>
		run.settings.isDryRun || !hasEvent(change, people, run);
	const opened = openings.map((one) => (isOver ? withoutMove(one) : one)).filter(isFree);
	const closed = due
		.filter((feed) => !isOver && !staysFor(people, opened, feed))
		.map((before): Change => ({ before, after: { ...before, state: 'deactivated' } }));
	return [...opened, ...closed.filter(isFree)];
}

function withoutMove({ before, after }: Change): Change {
	return before === undefined ? { after } : { before, after: { ...after, email: before.email } };
}

/** Whether an event about this person came after the list. */
function hasEvent({ before, after }: Change, people: readonly Person[], run: Run): boolean {
	const person = people.find(
		(one) => one.feeds.includes(before ?? after) || isSame(emailOf(one), after.email),
	);
	const own = [...(before ? [before] : []), ...(person?.rows ?? [])];
	const names = own.flatMap(({ email, customerId }) => [lower(email), customerId]);
	const isAbout = (name: string): boolean => name !== '' && names.includes(name);
	return run.events.some((event) => event.at >= run.readAt && event.names.some(isAbout));
}

function actionOf({ before, after }: Change): string[] {
	if (before === undefined) return ['created'];
	if (before.state === after.state) return [];
	return [after.state === 'available' ? 'reopened' : 'closed'];
}

// What is remembered

function remembered(list: List, { missing }: Closing, run: Run): Memory {
	const { settings, memory, now, readAt } = run;
	const kept: Memory = {
		...memory,
		...{ closed: lately(memory.closed, now), counted: lately(memory.counted, now) },
		used: new Map([...memory.used].filter(([text]) => settings.allowOnce.includes(text))),
	};
	const isStopped = isWrong(list, run);
	if (list.isIncomplete || isStopped) {
		const absent = [...memory.missing].filter(([name]) => !isOnList(name, list.live));
		const incomplete = memory.incomplete + (isStopped ? 0 : 1);
		return { ...kept, missing: new Map(absent), incomplete };
	}
	const { countedAt } = memory;
	return {
		...kept,
		countedAt: countedAt !== undefined && readAt - countedAt < MINUTE_MS ? countedAt : readAt,
		missing: new Map([...missing].map(([feed, lists]) => [nameOf(feed), lists])),
		...{ hasKnownSome: isKnown(list, run.feeds), incomplete: 0 },
	};
}

function isOnList(name: string, live: readonly Row[]): boolean {
	const [email = '', id = ''] = name.split(' ');
	return live.some((row) => isSame(row.email, email) || (id !== '' && row.customerId === id));
}

// Allow it once

/** Remembers a change that counts for a limit, or that was allowed once. */
function note(change: Change, memory: Memory, { settings, now }: Run): void {
	const use = (kind: string): boolean => {
		const isLeft = (text: string): boolean =>
			leftOf(kind, { ...settings, allowOnce: [text] }, memory, now) > 0;
		const text = settings.allowOnce.find(isLeft);
		if (text !== undefined) memory.used.set(text, (memory.used.get(text) ?? 0) + 1);
		return text !== undefined;
	};
	if (opens(change)) use('open');
	const isClosing = change.after.state === 'deactivated';
	if (isClosing) memory.closed.push(now);
	if ((isClosing || moves(change)) && !use('close')) memory.counted.push(now);
}
