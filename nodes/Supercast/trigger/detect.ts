/** Detects changes in a list. Relies only on IDs, and not on order, age or page size. */
import { ServiceError } from '../api/errors/errors';
import { FEW_RECORDS, recognizesNone } from '../api/otherChannel';
import { type FetchPage, LARGEST_PAGE, type Page } from '../api/paging/page';
import { readAhead } from '../api/paging/readAhead';
import {
	emptyPages,
	fieldMissing,
	noneLeft,
	tooLong,
	type Change,
	type EventKind,
} from './eventKind';
import { Findings } from './findings';
import { idHash, type KnownIds } from './knownIds';
import { findDeleted, type LookUpMissing } from './missing';
import { announced } from './outputs';
import { PollReading } from './snapshot';
import type { PollClock, StateStore, TriggerState } from './state';

export interface PollInput {
	eventKind: EventKind;
	fetchPage: FetchPage;
	isGone: LookUpMissing;
	/** Ends every request when the poll's time is up. */
	signal: AbortSignal;
	store: StateStore;
	/** Identifies the credential, host and channel. */
	source: string;
	includeExisting: boolean;
	clock: PollClock;
}

/** A poll in progress. If it fails, all its findings are dropped. */
interface Poll extends PollInput {
	/** The state after the last poll. */
	state: TriggerState;
	/** Whether the last poll had the same credential, host and channel. */
	isSameSource: boolean;
	findings: Findings;
}

/**
 * The time between thorough readings. If the trigger polls every minute, the next one comes after an
 * hour, or after ten minutes for a short list.
 */
const READ_EVERY_MS = 59 * 60_000;
const READ_SHORT_EVERY_MS = 9 * 60_000;
const SHORT_LIST = 500;
/** A list with fewer records proves nothing about their fields. */
const FEWEST_TO_JUDGE = 5;
/** How many times to repeat the first reading while records are added or deleted. */
const MOST_ROUNDS = 20;

/**
 * Reads only as much of a list as it needs, remembers the records, and returns the changes. The
 * first reading returns none, or all records if `includeExisting` is on. If time runs out, the next
 * poll continues, but a first reading starts over.
 * @throws InputError if the list is too long, or seems to belong to another channel. Then the state
 * does not change.
 */
export async function detect(input: PollInput): Promise<Change[]> {
	const { eventKind, store, source, includeExisting, clock } = input;
	const state = store.load();
	const isSameSource = state.source === source;
	const findings = new Findings(eventKind, state, isSameSource, clock.now());
	const poll: Poll = { ...input, state, isSameSource, findings };
	const reading = isSameSource ? await readAgain(poll) : await readFirst(poll);
	checkVisible(poll, reading);
	if (isOtherChannel(poll) && !includeExisting) findings.dropExisting(store.session.publishedAt);
	save(poll, nextState(poll, reading));
	return [...findings.changes.values()];
}

/** @throws InputError if Supercast shows a total but no records, or omits the event's field. */
function checkVisible({ eventKind, findings: { known } }: Poll, reading: PollReading): void {
	const { seen, highest } = reading;
	if (reading.isOver && seen.size === 0 && highest > 0) throw emptyPages(eventKind, highest);
	if (eventKind.needs === undefined || seen.size < FEWEST_TO_JUDGE) return;
	const isBlind = [...seen].every((hash) => known.get(hash) === '');
	if (isBlind) throw fieldMissing(eventKind, eventKind.needs);
}

/** After a change of the source, a list without any known record belongs to another channel. */
function isOtherChannel({ isSameSource, findings }: Poll): boolean {
	return !isSameSource && !findings.hasKnown;
}

function nextState(poll: Poll, reading: PollReading): TriggerState {
	const { state, findings, source, isSameSource, clock } = poll;
	const next: TriggerState = {
		...state,
		source,
		generation: isSameSource ? state.generation : state.generation + 1,
		known: knownNext(poll),
		size: sizeOf(poll, reading),
		readAt: reading.isOver && reading.isThorough ? clock.now() : state.readAt,
		doubtful: findings.doubtful ?? state.doubtful,
	};
	forgetIfFull(poll, reading, next.known);
	return next;
}

function knownNext(poll: Poll): KnownIds {
	const { state, findings, isSameSource, eventKind } = poll;
	// Records of the other channel must not look deleted in this channel.
	const mustDropOthers = isOtherChannel(poll) && eventKind.reportsDeletions;
	if (isSameSource || mustDropOthers) return findings.known;
	return new Map([...state.known, ...findings.known]);
}

/** How many listed records are certainly known. */
function sizeOf(
	{ store }: Poll,
	{ total, seen, highest, isOver }: PollReading,
): number | undefined {
	const isUnfinished = store.session.reading !== undefined;
	if (total === undefined || seen.size > highest || isUnfinished) return undefined;
	return isOver ? Math.min(total, seen.size) - (highest - total) : total;
}

/** Forgets missing records only if there is no room left, because a reading may miss a record. */
function forgetIfFull({ eventKind }: Poll, reading: PollReading, known: KnownIds): void {
	const isFull = known.size > eventKind.maxRecords;
	if (!isFull || !reading.isOver || !reading.isSteady) return;
	for (const hash of known.keys()) {
		if (!reading.seen.has(hash)) known.delete(hash);
	}
}

function save({ state, isSameSource, findings, store, clock }: Poll, next: TriggerState): void {
	const isFirst = !isSameSource || state.readAt === 0;
	if (findings.changes.size === 0) return store.save(next, isFirst ? 'first' : undefined);
	const output = announced(findings.changes, state, store, clock.now());
	store.save({ ...next, ...output }, 'output');
}

/** Repeats the reading until the list shows no sign of change. */
async function readFirst(poll: Poll): Promise<PollReading> {
	// An unfinished reading belongs to the list of the previous credential.
	poll.store.session.reading = undefined;
	let before: PollReading | undefined;
	for (let round = 1; ; round++) {
		const reading = new PollReading(true);
		await readOn(poll, reading);
		const isComplete = poll.findings.known.size >= reading.highest;
		const isDone = reading.isSteady || isComplete || isRepeated(reading, before);
		if (isDone || round === MOST_ROUNDS) return reading;
		before = reading;
	}
}

/** If the total is always too high, there is no reason to read the list again. */
function isRepeated(reading: PollReading, before: PollReading | undefined): boolean {
	const isSame = before?.seen.size === reading.seen.size;
	return isSame && !before.hasMoved && !reading.hasMoved;
}

/** Reads a list that the trigger knows. If time runs out, the session keeps the reading. */
async function readAgain(poll: Poll): Promise<PollReading> {
	const { store, signal, findings } = poll;
	const reading = store.session.reading ?? new PollReading(isThoroughDue(poll));
	// A failed poll does not change the state, so its pages must be read again.
	store.session.reading = undefined;
	const { pages } = reading;
	findings.hasKnown = pages > 0;
	await readChanges(poll, reading).catch((error: unknown) => {
		const isLate = signal.aborted && error instanceof ServiceError;
		if (!isLate || reading.pages === pages || isForeign(poll, reading)) throw error;
		store.session.reading = reading;
	});
	return reading;
}

function isThoroughDue({ state, eventKind, clock }: Poll): boolean {
	const { known, size, readAt } = state;
	const every = known.size > SHORT_LIST ? READ_EVERY_MS : READ_SHORT_EVERY_MS;
	const age = clock.now() - readAt;
	// A time in the future can't be right.
	return age < 0 || age >= every || size === undefined || known.size > eventKind.maxRecords;
}

async function readChanges(poll: Poll, reading: PollReading): Promise<void> {
	const { eventKind, state, findings } = poll;
	if (await isKnownByEnds(poll, reading)) return;
	await readOn(poll, reading);
	while (isForeign(poll, reading)) {
		if (reading.isThorough) throw noneLeft(eventKind, state.known.size);
		reading.continueThoroughly();
		await readOn(poll, reading);
	}
	if (eventKind.reportsDeletions) await findDeleted(state, findings, reading, poll.isGone);
}

/**
 * Whether the first and last pages are enough. They are if the known records and the new ones on
 * these pages add up to the length of the list.
 */
async function isKnownByEnds(poll: Poll, reading: PollReading): Promise<boolean> {
	if (poll.eventKind.readsAll || reading.isThorough || reading.pages > 0) return false;
	const { total, records } = await readPage(poll, reading, 1);
	if (reading.isOver || total === undefined) return false;
	if (total === expectedSize(poll)) return true;
	await readPage(poll, reading, Math.ceil(total / records.length));
	return reading.highest <= expectedSize(poll);
}

/**
 * How long the list is if no records are new except those found. NaN if none of them was known,
 * because the list may then belong to another channel.
 */
function expectedSize({ state, findings }: Poll): number {
	if (!findings.hasKnown) return Number.NaN;
	return (state.size ?? 0) + findings.known.size - state.known.size;
}

async function readOn(poll: Poll, reading: PollReading): Promise<void> {
	const fetchPage = readAhead(poll.fetchPage);
	while (!reading.isOver) {
		await readPage(poll, reading, reading.pages + 1, fetchPage);
		if (reading.seen.size > poll.eventKind.maxRecords) throw tooLong(poll.eventKind);
	}
}

async function readPage(
	{ eventKind, findings, fetchPage: fetchOne }: Poll,
	reading: PollReading,
	number: number,
	fetchPage = fetchOne,
): Promise<Page> {
	const page = await fetchPage(number, LARGEST_PAGE);
	const { size } = reading.seen;
	for (const record of page.records) {
		const hash = idHash(eventKind.idOf(record));
		if (reading.isNew(hash)) findings.add(hash, record);
	}
	reading.endPage(number, page, reading.seen.size - size);
	return page;
}

/**
 * Whether a list seems to belong to another channel, or to be the result of an outage. It then
 * contains no known record, although that is not normal for such a list.
 */
function isForeign({ eventKind, state, findings }: Poll, { seen, highest }: PollReading): boolean {
	const isLong = Math.max(seen.size, highest) > FEW_RECORDS;
	const isOdd = eventKind.reportsDeletions || (eventKind.isLasting && isLong);
	return isOdd && recognizesNone(state.known.size, findings.hasKnown);
}
