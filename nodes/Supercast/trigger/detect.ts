/** Detects changes in a list. Relies only on IDs, and not on order, age or page size. */
import { ServiceError } from '../api/errors/errors';
import { type FetchPage, LARGEST_PAGE, type Page, readAhead } from '../api/paging/readPages';
import { announced } from './outputs';
import { noneLeft, tooLong, type Change, type Watch } from './events';
import { idHash, ListScan, type KnownIds, type PollClock } from './state';
import type { StateStore, TriggerState } from './state';

export interface PollInput {
	watch: Watch;
	fetchPage: FetchPage;
	/** Looks up a record that the list no longer contains, by its note. Returns whether it is gone. */
	isGone(note: string): Promise<boolean>;
	/** Ends every request when the poll's time is up. */
	signal: AbortSignal;
	store: StateStore;
	/** Identifies the credential, host and channel. */
	source: string;
	includeExisting: boolean;
	clock: PollClock;
}

/** A poll under way. If it fails, nothing of it counts. */
interface Poll extends PollInput {
	/** The state after the last poll. */
	state: TriggerState;
	/** What the next poll will know. During a first reading, what this one has found. */
	known: KnownIds;
	/** By hash. */
	changes: Map<string, Change>;
	/** Whether the list contains any record that was known before. */
	hasKnown: boolean;
	doubtful?: Set<string>;
}

/**
 * The time between thorough readings. If the trigger polls every minute, the next one comes after an
 * hour, or after ten minutes for a short list.
 */
const READ_EVERY_MS = 59 * 60_000;
const READ_SHORT_EVERY_MS = 9 * 60_000;
const SHORT_LIST = 500;
/** How many times to repeat the first reading while records are added or deleted. */
const MOST_ROUNDS = 20;
/** After this many pages in a row with nothing new, Supercast must be ignoring the page number. */
const MOST_IDLE_PAGES = 5;
/** How many missing records one poll looks up. */
const MOST_CHECKS = 50;
/** So few records may all be gone, or all fail, without a common cause. */
const FEW = 2;
/** Failures that would affect every look-up. */
const GENERAL_FAILURES = [undefined, 401, 403, 429];

/**
 * Reads only as much of a list as it needs, remembers the records, and returns the changes. The
 * first reading returns none, or all records if `includeExisting` is on. If time runs out, the next
 * poll continues, but a first reading starts over.
 * @throws InputError if the list is too long or another channel's. Then the state does not change.
 */
export async function detect(input: PollInput): Promise<Change[]> {
	const { watch, store, source, includeExisting, clock } = input;
	const state = store.load();
	const isSame = state.source === source;
	const known: KnownIds = new Map(isSame ? state.known : []);
	const poll: Poll = { ...input, state, known, changes: new Map(), hasKnown: false };
	const scan = isSame ? await read(poll) : await readFirst(poll);
	// With another credential, host or channel, a list without a known record is another channel's.
	const isNew = !isSame && !poll.hasKnown;
	if (isNew && !includeExisting) poll.changes.clear();
	const { seen, total, highest, isOver } = scan;
	const isThorough = isOver && scan.isThorough;
	const isCounted = total !== undefined && seen.size <= highest && !store.session.scan;
	const next: TriggerState = {
		...state,
		source,
		generation: state.generation + Number(!isSame),
		// Records of the other channel must not look deleted in this channel.
		known:
			isSame || (isNew && watch.reportsDeletions) ? known : new Map([...state.known, ...known]),
		size: !isCounted ? undefined : isOver ? Math.min(total, seen.size) - (highest - total) : total,
		readAt: isThorough ? clock.now() : state.readAt,
		doubtful: poll.doubtful ?? state.doubtful,
	};
	// Forget missing records only if there is no room left: just one reading may miss a record.
	const isFull = next.known.size > watch.maxRecords && isOver && scan.isSteady;
	for (const hash of isFull ? next.known.keys() : []) if (!seen.has(hash)) next.known.delete(hash);
	const isFirst = !isSame || state.readAt === 0;
	if (poll.changes.size > 0)
		store.save({ ...next, ...announced(poll.changes, state, store, clock.now()) }, 'output');
	else store.save(next, isFirst ? 'first' : undefined);
	return [...poll.changes.values()];
}

/** When an event was, as the trigger's outputs before it tell. */
function occasionOf({ state }: Poll, hash: string): Pick<Change, 'since' | 'isRepeated'> {
	const since = state.repeated?.get(hash);
	return since === undefined ? { since: state.announcedAt } : { since, isRepeated: true };
}

async function readFirst(poll: Poll): Promise<ListScan> {
	// An unfinished reading is of the other credential's list.
	poll.store.session.scan = undefined;
	let before: ListScan | undefined;
	for (let round = 1; ; round++) {
		const scan = new ListScan(true);
		await readOn(poll, scan);
		// If the total is always too high, there is no reason to read the list again.
		const isRepeated = before?.seen.size === scan.seen.size && !before.hasMoved && !scan.hasMoved;
		const isComplete = scan.isSteady || isRepeated || poll.known.size >= scan.highest;
		if (isComplete || round === MOST_ROUNDS) return scan;
		before = scan;
	}
}

async function read(poll: Poll): Promise<ListScan> {
	const { watch, store, clock, signal, state } = poll;
	const { known, size, readAt } = state;
	const every = known.size > SHORT_LIST ? READ_EVERY_MS : READ_SHORT_EVERY_MS;
	const age = clock.now() - readAt;
	// A time in the future can't be right.
	const isDue = age < 0 || age >= every || known.size > watch.maxRecords || size === undefined;
	const scan = store.session.scan ?? new ListScan(isDue);
	// A failed poll does not change the state, so its pages must be read again.
	store.session.scan = undefined;
	const { pages } = scan;
	poll.hasKnown = pages > 0;
	await readChanges(poll, scan).catch((error: unknown) => {
		const isLate = signal.aborted && error instanceof ServiceError;
		if (!isLate || scan.pages === pages || isForeign(poll, scan)) throw error;
		store.session.scan = scan;
	});
	return scan;
}

async function readChanges(poll: Poll, scan: ListScan): Promise<void> {
	if (await isKnownByEnds(poll, scan)) return;
	await readOn(poll, scan);
	while (isForeign(poll, scan)) {
		if (scan.isThorough) throw noneLeft(poll.watch, poll.state.known.size);
		Object.assign(scan, { isThorough: true, isOver: false });
		await readOn(poll, scan);
	}
	if (poll.watch.reportsDeletions) await lookUpMissing(poll, scan);
}

/**
 * Whether the first and last page are enough: the known records and the new ones on these pages add
 * up to the length of the list.
 */
async function isKnownByEnds(poll: Poll, scan: ListScan): Promise<boolean> {
	if (poll.watch.readsAll || scan.isThorough || scan.pages > 0) return false;
	const { known, size = 0 } = poll.state;
	const expected = (): number =>
		known.size > 0 && !poll.hasKnown ? Number.NaN : size + poll.known.size - known.size;
	const { total, records } = await readPage(poll, scan, 1);
	if (scan.isOver || total === undefined) return false;
	if (total === expected()) return true;
	await readPage(poll, scan, Math.ceil(total / records.length));
	return scan.highest <= expected();
}

async function readOn(poll: Poll, scan: ListScan): Promise<void> {
	const fetchPage = readAhead(poll.fetchPage);
	while (!scan.isOver) {
		await readPage(poll, scan, scan.pages + 1, fetchPage);
		if (scan.seen.size > poll.watch.maxRecords) throw tooLong(poll.watch);
	}
}

/** A reading ends at an empty page, or at Supercast's total, with any page size. */
async function readPage(
	poll: Poll,
	scan: ListScan,
	number: number,
	fetchPage = poll.fetchPage,
): Promise<Page> {
	const { watch, state, known, changes, clock } = poll;
	const page = await fetchPage(number, LARGEST_PAGE);
	const { total = scan.total, records } = page;
	const { size } = scan.seen;
	for (const record of records) {
		const hash = idHash(watch.idOf(record));
		if (scan.seen.has(hash)) continue;
		scan.seen.add(hash);
		const [note, before] = [watch.noteOf(record), state.known.get(hash)];
		poll.hasKnown ||= before !== undefined;
		const isNews = note !== before && note !== undefined && watch.shouldReport(record, before);
		if (isNews) changes.set(hash, { record, before, ...occasionOf(poll, hash) });
		else changes.delete(hash);
		if (note !== undefined) known.set(hash, note);
		// It was noted when the clock was ahead, for example an episode that was not published yet.
		else if (clock.now() < state.readAt) known.delete(hash);
	}
	const fresh = scan.seen.size - size;
	scan.hasMoved ||= fresh < records.length || total !== (scan.total ?? total);
	scan.total = total;
	scan.highest = Math.max(scan.highest, total ?? 0);
	if (number !== scan.pages + 1) return page;
	scan.pages = number;
	scan.idlePages = fresh > 0 ? 0 : scan.idlePages + 1;
	const isCounted = total !== undefined && scan.seen.size >= total;
	const isLast = isCounted && (records.length < scan.longestPage || !scan.isThorough);
	scan.longestPage = Math.max(scan.longestPage, records.length);
	scan.isOver = records.length === 0 || scan.idlePages >= MOST_IDLE_PAGES || isLast;
	return page;
}

/**
 * Looks up records that the list no longer contains. Ignores a failure, because the next poll may
 * succeed. Throws if no look-up got a response, and the failure would affect all of them.
 */
async function lookUpMissing(poll: Poll, scan: ListScan): Promise<void> {
	const { state, known, changes } = poll;
	const missing = [...state.known].filter(([hash]) => !scan.seen.has(hash)).slice(0, MOST_CHECKS);
	// Without a total, a reading may miss a record because another one was deleted meanwhile.
	const isDoubting = scan.isThorough && scan.isSteady && scan.total !== undefined;
	if (isDoubting) poll.doubtful = new Set();
	const failures: ServiceError[] = [];
	for (const [hash, before] of missing) {
		const isGone = await poll
			.isGone(before)
			.catch((error: ServiceError) => void failures.push(error));
		const isDoubted = isDoubting && isGone === false;
		if (isDoubted) poll.doubtful?.add(hash);
		// A record that exists is certainly not listed if two thorough readings miss it. It is added
		// again once it is listed.
		const isMissedTwice = isDoubted && state.doubtful?.has(hash);
		known.delete(hash);
		if (isGone) changes.set(hash, { before, ...occasionOf(poll, hash) });
		// At the end, so that the next poll looks up others first.
		else if (!isMissedTwice) known.set(hash, before);
	}
	const isGeneral = ({ status }: ServiceError): boolean =>
		failures.length > FEW || GENERAL_FAILURES.includes(status);
	const failure = failures.find(isGeneral);
	if (failures.length === missing.length && failure !== undefined) throw failure;
}

/**
 * Whether a list seems to belong to another channel, or to none during an outage: it contains no
 * known record, and that is not normal.
 */
function isForeign({ watch, state, hasKnown }: Poll, { seen, highest }: ListScan): boolean {
	const isOdd = watch.reportsDeletions || (watch.isLasting && Math.max(seen.size, highest) > FEW);
	return isOdd && state.known.size > FEW && !hasKnown;
}
