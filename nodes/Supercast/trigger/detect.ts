/** Detects changes in a list. Relies only on IDs, and not on order, age or page size. */
import { readAhead } from '../api/paging/readAhead';
import { LARGEST_PAGE, type FetchPage } from '../api/paging/readPages';
import { tooLong, TimeIsUpError, type Change, type Watch } from './events';
import { ABSENT, idHash, type KnownIds } from './knownIds';
import { ListScan } from './listScan';
import type { PollClock, StateStore, TriggerState } from './state';

/** The input of one poll. */
export interface PollInput {
	watch: Watch;
	/** Reads one page. Rejects with TimeIsUpError when the poll's time is up. */
	fetchPage: FetchPage;
	/**
	 * Looks up some of the records that the list no longer contains. Returns for each of these
	 * whether it no longer exists.
	 */
	checkGone(missing: KnownIds): Promise<Map<string, boolean>>;
	store: StateStore;
	/** Identifies the credential, host and channel that the list comes from. */
	source: string;
	/** Whether to return the records that already exist at the first reading. */
	includeExisting: boolean;
	clock: PollClock;
}

/**
 * The time between two thorough readings. With a poll every minute, it is an hour, or ten minutes
 * for a short list.
 */
const READ_EVERY_MS = 59 * 60_000;
const READ_SHORT_EVERY_MS = 9 * 60_000;
const SHORT_LIST = 500;
/** How many times to repeat the first reading while records are added or deleted. */
const MOST_ROUNDS = 20;

/**
 * Reads only as much of a list as it needs, remembers the records, and returns the changes for the
 * workflow. The first reading returns nothing, or all records if `includeExisting` is on. With
 * another credential or channel, a reading counts as the first one if the list contains no known
 * record. If a poll runs out of time while it reads the whole list, the next poll continues. Only a
 * first reading starts over.
 *
 * @throws InputError if the list is too long, and any error from `fetchPage`. If it throws, the
 * state does not change.
 */
export async function detect(input: PollInput): Promise<Change[]> {
	const { store, source } = input;
	const state = store.load();
	const isSame = state?.source === source;
	const scan = isSame ? await read(input, state) : await readFirst(input);
	const { next, changes } = nextState(state, scan, input);
	store.save(next, !isSame || state.readAt === 0 || changes.length > 0);
	return changes;
}

async function readFirst(input: PollInput): Promise<ListScan> {
	const found: ListScan['found'] = new Map();
	for (let round = 1; ; round++) {
		const scan = Object.assign(new ListScan(true), { found });
		await readOn(scan, input, new Map());
		if (scan.isSteady || found.size >= scan.highest || round === MOST_ROUNDS) return scan;
	}
}

async function read(input: PollInput, state: TriggerState): Promise<ListScan> {
	const { watch, store, clock } = input;
	const { known, size } = state;
	const every = known.size > SHORT_LIST ? READ_EVERY_MS : READ_SHORT_EVERY_MS;
	const isDue = clock.now() - state.readAt >= every || known.size > watch.most;
	const scan = store.session.scan ?? new ListScan(isDue || size === undefined);
	// A failed poll does not change the state, so its pages must be read again.
	store.session.scan = undefined;
	scan.found = new Map();
	const { pages } = scan;
	await readEnds(scan, input, state)
		.then(async () => await readOn(scan, input, known))
		.catch((error: unknown) => {
			if (!(error instanceof TimeIsUpError) || scan.pages === pages) throw error;
			store.session.scan = scan;
		});
	return scan;
}

/**
 * Reads the first page, and the last one if needed. These pages are enough if the known records and
 * the new ones on these pages add up to the length of the list.
 */
async function readEnds(scan: ListScan, input: PollInput, state: TriggerState): Promise<void> {
	if (input.watch.readsAll || scan.isThorough || scan.pages > 0) return;
	const { known, size = 0 } = state;
	const news = (): number => [...scan.found.keys()].filter((hash) => !known.has(hash)).length;
	const { total, records } = await readPage(scan, input, 1, known);
	if (scan.isOver || total === undefined) return;
	scan.isEnough = total === size + news();
	if (scan.isEnough) return;
	await readPage(scan, input, Math.ceil(total / records.length), known);
	scan.isEnough = scan.highest <= size + news();
}

async function readOn(scan: ListScan, input: PollInput, known: KnownIds): Promise<void> {
	const ahead = { ...input, fetchPage: readAhead(input.fetchPage, Infinity) };
	while (!scan.isOver && !scan.isEnough) {
		await readPage(scan, ahead, scan.pages + 1, known);
		if (scan.seen.size > input.watch.most) throw tooLong(input.watch);
	}
	if (!input.watch.tellsGone) return;
	const missing = new Map([...known].filter(([hash]) => !scan.seen.has(hash)));
	for (const [hash, isGone] of await input.checkGone(missing)) scan.found.set(hash, { isGone });
}

async function readPage(scan: ListScan, input: PollInput, number: number, known: KnownIds) {
	const { idOf, noteOf } = input.watch;
	const page = await input.fetchPage(number, LARGEST_PAGE);
	for (const [hash, record] of scan.take(page, number, (one) => idHash(idOf(one)))) {
		const note = noteOf(record);
		const found = known.get(hash) === note ? { note } : { note, record };
		if (note !== undefined) scan.found.set(hash, found);
	}
	return page;
}

/**
 * Whether the list belongs to another channel. This is assumed if the credential, host or channel
 * has changed and the list contains no known record.
 */
export function isOtherChannel(state: TriggerState, source: string, scan: ListScan): boolean {
	return state.source !== source && ![...scan.seen].some((hash) => state.known.has(hash));
}

/** Returns the state after a reading, and the changes for the workflow. */
export function nextState(
	state: TriggerState | undefined,
	scan: ListScan,
	{ watch, source, includeExisting, clock }: PollInput,
): { next: TriggerState; changes: Change[] } {
	const isNew = state === undefined || isOtherChannel(state, source, scan);
	// Records of the other channel must not look deleted in this channel.
	const known: KnownIds = new Map(isNew && watch.tellsGone ? [] : state?.known);
	let undo: KnownIds = new Map();
	const changes: Change[] = [];
	let { size, readAt = 0, announcedAt = 0 } = state ?? {};
	for (const [hash, { note, record, isGone = false }] of scan.found) {
		const before = known.get(hash);
		const isNews = record && watch.isNews(record, note ?? '', isNew ? undefined : before);
		if (isGone || (isNews && (!isNew || includeExisting))) {
			changes.push({ record, before });
			undo.set(hash, before ?? ABSENT);
			announcedAt = clock.now();
		}
		if (size !== undefined && before === undefined) size++;
		if (note !== undefined) known.set(hash, note);
		// Also forget a record that exists but is certainly not listed. It is added again once it
		// is listed.
		else if (isGone || (scan.isThorough && scan.isSteady)) known.delete(hash);
	}
	size = scan.isOver ? scan.size() : size && Math.min(size, scan.total ?? 0);
	if (scan.isOver && scan.isThorough) readAt = clock.now();
	// Forget missing records only if there is no room left, because a record may be missing from
	// just one reading.
	const isFull = scan.isOver && scan.isSteady && known.size > watch.most;
	for (const hash of isFull ? known.keys() : []) if (!scan.seen.has(hash)) known.delete(hash);
	if (changes.length === 0) undo = state?.undo ?? undo;
	return { next: { source, known, size, readAt, announcedAt, undo }, changes };
}
