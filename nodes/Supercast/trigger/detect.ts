/** Finds out what has changed in a list. Relies on ids alone: on no order, no age, no page size. */
import { readAhead } from '../api/paging/readAhead';
import { LARGEST_PAGE, type FetchPage, type Page } from '../api/paging/readPages';
import { tooLong, TimeIsUpError, type Change, type Watch } from './events';
import { idHash } from './idHash';
import { ListScan } from './listScan';
import { ABSENT, type KnownIds, type PollClock, type StateStore, type TriggerState } from './state';

/** What one poll needs. */
export interface PollInput {
	watch: Watch;
	/** Rejects with TimeIsUpError when the poll has to end. */
	fetchPage: FetchPage;
	/** Asks for some of these records. Tells which of them the service has no more. */
	checkGone(missing: KnownIds): Promise<Map<string, boolean>>;
	store: StateStore;
	/** Name of the access by which the list is read. */
	source: string;
	/** Whether what is there at the first reading is announced. */
	includeExisting: boolean;
	clock: PollClock;
}

/** What a poll has read: the record if it was not known like this, no note if it is not listed. */
interface Reading {
	scan: ListScan;
	found: Map<string, Pick<Change, 'record'> & { note?: string; isGone?: boolean }>;
	/** Whether the time was up before it was over. */
	isCut?: boolean;
}

/** Between two thorough readings: an hour, or ten minutes for a short list, if polled each minute. */
const READ_EVERY_MS = 59 * 60_000;
const READ_SHORT_EVERY_MS = 9 * 60_000;
const SHORT_LIST = 500;

/** How often a list is read at first while records come and go. */
const MOST_ROUNDS = 20;

/**
 * Reads as much of a list as it takes, and remembers it.
 *
 * @returns What is to be announced, in the order of the list. At the first reading, and when another
 * access shows a list without a single known record: nothing, or all with `includeExisting`.
 * @throws whatever `fetchPage` throws, and InputError for a list that is too long; the state is untouched then. When the time
 * is up, a whole reading goes on in the next poll, except for the first one.
 */
export async function detect(input: PollInput): Promise<Change[]> {
	const { store, source } = input;
	const state = store.load();
	const isSame = state?.source === source;
	const reading = isSame ? await read(input, state) : await readFirst(input);
	const { next, changes } = nextState(state, reading, input);
	store.save(next, !isSame || state.readAt === 0 || changes.length > 0);
	if (reading.isCut) store.session.scan = reading.scan;
	return changes;
}

async function readFirst(input: PollInput): Promise<Reading> {
	const found: Reading['found'] = new Map();
	for (let round = 1; ; round++) {
		const scan = new ListScan(true);
		await readOn({ scan, found }, input);
		if (scan.isSteady || found.size >= scan.highest || round === MOST_ROUNDS)
			return { scan, found };
	}
}

async function read(input: PollInput, state: TriggerState): Promise<Reading> {
	const { watch, store, clock } = input;
	const { known, size, readAt } = state;
	const every = known.size > SHORT_LIST ? READ_EVERY_MS : READ_SHORT_EVERY_MS;
	const isThorough = clock.now() - readAt >= every || size === undefined || known.size > watch.most;
	const scan = store.session.scan ?? new ListScan(isThorough);
	// A poll that fails moves nothing, so what it read has to be read again.
	store.session.scan = undefined;
	const reading: Reading = { scan, found: new Map() };
	const { pages } = scan;
	const isWhole = watch.readsAll || scan.isThorough || pages > 0;
	const ends = isWhole ? Promise.resolve() : readEnds(reading, input, state);
	await ends
		.then(async () => await readOn(reading, input, known))
		.catch((error: unknown) => {
			reading.isCut = error instanceof TimeIsUpError && scan.pages > pages;
			if (!reading.isCut) throw error;
		});
	return reading;
}

/** Reads the first page, and the last one. They are enough if they explain how long the list is. */
async function readEnds(reading: Reading, input: PollInput, state: TriggerState): Promise<void> {
	const { scan, found } = reading;
	const { known, size = 0 } = state;
	const explained = (): number =>
		size + [...found.keys()].filter((hash) => !known.has(hash)).length;
	const { total, records } = await readPage(reading, input, 1, known);
	if (scan.isOver || total === undefined) return;
	scan.isEnough = total === explained();
	if (scan.isEnough) return;
	await readPage(reading, input, Math.ceil(total / records.length), known);
	scan.isEnough = scan.highest <= explained();
}

async function readOn(
	reading: Reading,
	input: PollInput,
	known: KnownIds = new Map(),
): Promise<void> {
	const { scan, found } = reading;
	const ahead = { ...input, fetchPage: readAhead(input.fetchPage, Infinity) };
	while (!scan.isOver && !scan.isEnough) {
		await readPage(reading, ahead, scan.pages + 1, known);
		if (scan.seen.size > input.watch.most) throw tooLong(input.watch);
	}
	const missing = [...known].filter(([hash]) => !scan.seen.has(hash));
	if (!input.watch.tellsGone) return;
	for (const [hash, isGone] of await input.checkGone(new Map(missing))) found.set(hash, { isGone });
}

async function readPage(
	{ scan, found }: Reading,
	{ watch, fetchPage }: PollInput,
	number: number,
	known: KnownIds,
): Promise<Page> {
	const page = await fetchPage(number, LARGEST_PAGE);
	for (const [hash, record] of scan.take(page, number, (one) => idHash(watch.idOf(one)))) {
		const note = watch.noteOf(record);
		if (note !== undefined) found.set(hash, known.get(hash) === note ? { note } : { note, record });
	}
	return page;
}

/** Whether not one record is known although the access changed: then it is another channel's list. */
export function isOtherChannel(state: TriggerState, source: string, scan: ListScan): boolean {
	return state.source !== source && ![...scan.seen].some((hash) => state.known.has(hash));
}

/** The state after a reading, and what it announces. */
export function nextState(
	state: TriggerState | undefined,
	{ scan, found }: Reading,
	{ watch, source, includeExisting, clock }: PollInput,
): { next: TriggerState; changes: Change[] } {
	const isNew = state === undefined || isOtherChannel(state, source, scan);
	// What another channel had must not look as if it was gone from this one.
	const known: KnownIds = new Map(isNew && watch.tellsGone ? [] : state?.known);
	const undo: KnownIds = new Map();
	const changes: Change[] = [];
	let { size, readAt = 0, announcedAt = 0 } = state ?? {};
	for (const [hash, { note, record, isGone = false }] of found) {
		const before = known.get(hash);
		const isNews = record && watch.isNews(record, note ?? '', isNew ? undefined : before);
		if (isGone || (isNews && (!isNew || includeExisting))) {
			changes.push({ record, before });
			undo.set(hash, before ?? ABSENT);
			announcedAt = clock.now();
		}
		if (size !== undefined && before === undefined) size++;
		if (note !== undefined) known.set(hash, note);
		// One that is there, and surely not listed, is learned again when it is.
		else if (isGone || (scan.isThorough && scan.isSteady)) known.delete(hash);
	}
	size &&= Math.min(size, scan.total ?? 0);
	if (scan.isOver) size = scan.size();
	if (scan.isOver && scan.isThorough) readAt = clock.now();
	// Only where there is no room left is forgotten what is gone: it may have been hidden for once.
	const isFull = scan.isOver && scan.isSteady && known.size > watch.most;
	for (const hash of isFull ? known.keys() : []) if (!scan.seen.has(hash)) known.delete(hash);
	const kept = changes.length > 0 ? undo : (state?.undo ?? undo);
	return { next: { source, known, size, readAt, announcedAt, undo: kept }, changes };
}
