/** Detects changes in a list. Relies only on IDs, and not on order, age or page size. */
import { ServiceError } from '../api/errors/errors';
import { type FetchPage, LARGEST_PAGE, readAhead } from '../api/paging/readPages';
import { noneLeft, tooLong, TimeIsUpError, type Change, type Watch } from './events';
import { ListScan } from './listScan';
import { ABSENT, idHash, type KnownIds, type PollClock } from './state';
import type { StateStore, TriggerState } from './state';

export interface PollInput {
	watch: Watch;
	/** Rejects with TimeIsUpError when the poll's time is up. */
	fetchPage: FetchPage;
	/** Looks up a record that the list no longer contains, by its note. Returns whether it is gone. */
	isGone(note: string): Promise<boolean>;
	store: StateStore;
	/** Identifies the credential, host and channel. */
	source: string;
	includeExisting: boolean;
	clock: PollClock;
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
/** How many missing records one poll looks up. */
const MOST_CHECKS = 50;
/** Requests that share a signal. For more than ten, Node 20 prints a warning. */
const AT_ONCE = 8;
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
	const { store, source } = input;
	const state = store.load();
	const isSame = state?.source === source;
	const scan = isSame ? await read(input, state) : await readFirst(input);
	const { next, changes } = nextState(state, scan, input);
	const isFirst = !isSame || state.readAt === 0;
	store.save(next, changes.length > 0 ? 'output' : isFirst ? 'first' : undefined);
	return changes;
}

async function readFirst(input: PollInput): Promise<ListScan> {
	let before: ListScan | undefined;
	for (let round = 1; ; round++) {
		const scan = new ListScan(true);
		scan.found = before?.found ?? scan.found;
		await readOn(scan, input, new Map());
		// If the total is always too high, there is no reason to read the list again.
		const isRepeated = before?.seen.size === scan.seen.size && !before.hasMoved && !scan.hasMoved;
		const isComplete = scan.isSteady || isRepeated || scan.found.size >= scan.highest;
		if (isComplete || round === MOST_ROUNDS) return scan;
		before = scan;
	}
}

async function read(input: PollInput, state: TriggerState): Promise<ListScan> {
	const { watch, store, clock } = input;
	const { known, size, readAt } = state;
	const every = known.size > SHORT_LIST ? READ_EVERY_MS : READ_SHORT_EVERY_MS;
	const age = clock.now() - readAt;
	// A time in the future can't be right.
	const isDue = age < 0 || age >= every || known.size > watch.maxRecords;
	const scan = store.session.scan ?? new ListScan(isDue || size === undefined);
	// A failed poll does not change the state, so its pages must be read again.
	store.session.scan = undefined;
	Object.assign(scan, { found: new Map(), wasAhead: age < 0 });
	const { pages } = scan;
	await isKnownByEnds(scan, input, state)
		.then(async (isKnown) => (isKnown ? undefined : await readOn(scan, input, known)))
		.catch((error: unknown) => {
			const isPartOfList = error instanceof TimeIsUpError && scan.pages > pages;
			if (!isPartOfList || isForeign(scan, watch, known)) throw error;
			store.session.scan = scan;
		});
	return scan;
}

/**
 * Whether the first and last page are enough: the known records and the new ones on these pages add
 * up to the length of the list.
 */
async function isKnownByEnds(scan: ListScan, input: PollInput, state: TriggerState) {
	if (input.watch.readsAll || scan.isThorough || scan.pages > 0) return false;
	const { known, size = 0 } = state;
	const expected = (): number => {
		if (known.size > 0 && !hasAny(known, scan)) return Number.NaN;
		return size + [...scan.found.keys()].filter((hash) => !known.has(hash)).length;
	};
	const { total, records } = await readPage(scan, input, 1, known);
	if (scan.isOver || total === undefined) return false;
	if (total === expected()) return true;
	await readPage(scan, input, Math.ceil(total / records.length), known);
	return scan.highest <= expected();
}

async function readOn(scan: ListScan, input: PollInput, known: KnownIds): Promise<void> {
	const { watch } = input;
	const ahead = { ...input, fetchPage: readAhead(input.fetchPage, Infinity) };
	while (!scan.isOver) {
		await readPage(scan, ahead, scan.pages + 1, known);
		if (scan.seen.size > watch.maxRecords) throw tooLong(watch);
	}
	if (isForeign(scan, watch, known)) {
		if (scan.isThorough) throw noneLeft(watch, known.size);
		Object.assign(scan, { isThorough: true, isOver: false });
		return await readOn(scan, input, known);
	}
	if (watch.reportsDeletions) await lookUpMissing(scan, input, known);
}

async function readPage(scan: ListScan, input: PollInput, number: number, known: KnownIds) {
	const { watch, fetchPage } = input;
	const page = await fetchPage(number, LARGEST_PAGE);
	for (const [hash, record] of scan.add(page, number, (one) => idHash(watch.idOf(one)))) {
		const note = watch.noteOf(record);
		const isKnown = known.get(hash) === note;
		if (note !== undefined) scan.found.set(hash, isKnown ? { note } : { note, record });
		// It was noted when the clock was ahead, for example an episode that was not published yet.
		else if (scan.wasAhead && known.has(hash)) scan.found.set(hash, { isForgotten: true });
	}
	return page;
}

/**
 * Looks up records that the list no longer contains. Ignores a failure, because the next poll may
 * succeed. Throws if no look-up got a response, and the failure would affect all of them.
 */
async function lookUpMissing(scan: ListScan, input: PollInput, known: KnownIds): Promise<void> {
	const missing = [...known].filter(([hash]) => !scan.seen.has(hash)).slice(0, MOST_CHECKS);
	// The output has this order, whichever response comes first.
	for (const [hash] of missing) scan.found.set(hash, {});
	const failures: Error[] = [];
	const lookUp = async ([hash, note]: [string, string]): Promise<void> => {
		const isGone = await input.isGone(note).catch((error: Error) => void failures.push(error));
		// Without a response, the record stays known, and a later poll looks it up.
		scan.found.set(hash, { isGone: isGone ?? undefined });
	};
	for (let at = 0; at < missing.length; at += AT_ONCE) {
		await Promise.all(missing.slice(at, at + AT_ONCE).map(lookUp));
	}
	const general = failures.find((error) => failures.length > FEW || isGeneral(error));
	if (failures.length === missing.length && general !== undefined) throw general;
}

/**
 * Whether a list seems to belong to another channel, or to none during an outage: it contains no
 * known record, and that is not normal.
 */
function isForeign(scan: ListScan, watch: Watch, known: KnownIds): boolean {
	const isOdd =
		watch.reportsDeletions || (watch.isLasting && Math.max(scan.seen.size, scan.highest) > FEW);
	return isOdd && known.size > FEW && !hasAny(known, scan);
}

function isGeneral(error: unknown): boolean {
	return !(error instanceof ServiceError) || GENERAL_FAILURES.includes(error.status);
}

function hasAny(known: KnownIds, { seen, found }: ListScan): boolean {
	return [...seen, ...found.keys()].some((hash) => known.has(hash));
}

function nextState(
	state: TriggerState | undefined,
	scan: ListScan,
	{ watch, source, includeExisting, clock }: PollInput,
): { next: TriggerState; changes: Change[] } {
	const { announcedAt = 0, announcedBefore = 0, generation = 0, size } = state ?? {};
	// With another credential, host or channel, a list without a known record is another channel's.
	const isNew = state === undefined || (state.source !== source && !hasAny(state.known, scan));
	// Records of the other channel must not look deleted in this channel.
	const known: KnownIds = new Map(isNew && watch.reportsDeletions ? [] : state?.known);
	const isThorough = scan.isOver && scan.isThorough;
	// Without a total, a reading may miss a record because another one was deleted meanwhile.
	const isDoubting = isThorough && scan.isSteady && scan.total !== undefined;
	const doubtful = new Set<string>();
	const undo: KnownIds = new Map();
	const changes: Change[] = [];
	for (const [hash, { note, record, isGone, isForgotten }] of scan.found) {
		const before = known.get(hash);
		const isNews = record && watch.shouldReport(record, note ?? '', isNew ? undefined : before);
		if (isGone || (isNews && (!isNew || includeExisting))) {
			changes.push({ record, before, since: announcedAt });
			undo.set(hash, before ?? ABSENT);
		}
		// Move a missing record to the end, so that the next poll looks up others first.
		if (note === undefined) known.delete(hash);
		const isDoubted = isDoubting && isGone === false;
		if (isDoubted) doubtful.add(hash);
		// A record that exists is certainly not listed if two thorough readings miss it. It is added
		// again once it is listed.
		const isForgettable = isGone || isForgotten || (isDoubted && state?.doubtful?.has(hash));
		const kept = note ?? (isForgettable ? undefined : before);
		if (kept !== undefined) known.set(hash, kept);
	}
	// Forget missing records only if there is no room left: just one reading may miss a record.
	const isFull = scan.isOver && scan.isSteady && known.size > watch.maxRecords;
	for (const hash of isFull ? known.keys() : []) if (!scan.seen.has(hash)) known.delete(hash);
	const hasChanges = changes.length > 0;
	const next = {
		source,
		generation: generation + Number(state?.source !== source),
		known,
		size: scan.size(size, known.size - (state?.known.size ?? 0)),
		readAt: isThorough ? clock.now() : (state?.readAt ?? 0),
		announcedAt: hasChanges ? clock.now() : announcedAt,
		announcedBefore: hasChanges ? announcedAt : announcedBefore,
		undo: hasChanges ? undo : (state?.undo ?? undo),
		doubtful: isDoubting ? doubtful : state?.doubtful,
	};
	return { next, changes };
}
