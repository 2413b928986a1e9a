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
import { PollSnapshot } from './snapshot';
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
 * The time between thorough snapshots. If the trigger polls every minute, the next one comes after an
 * hour, or after ten minutes for a short list.
 */
const READ_EVERY_MS = 59 * 60_000;
const READ_SHORT_EVERY_MS = 9 * 60_000;
const SHORT_LIST = 500;
/** A list with fewer records proves nothing about their fields. */
const FEWEST_TO_JUDGE = 5;
/** How many times to repeat the first snapshot while records are added or deleted. */
const MOST_ROUNDS = 20;

/**
 * Reads only as much of a list as it needs, remembers the records, and returns the changes. The
 * first snapshot returns none, or all records if `includeExisting` is on. If time runs out, the next
 * poll continues, but a first snapshot starts over.
 * @throws InputError if the list is too long, or seems to belong to another channel. Then the state
 * does not change.
 */
export async function detect(input: PollInput): Promise<Change[]> {
	const { eventKind, store, source, includeExisting, clock } = input;
	const state = store.load();
	const isSameSource = state.source === source;
	const findings = new Findings(eventKind, state, isSameSource, clock.now());
	const poll: Poll = { ...input, state, isSameSource, findings };
	const snapshot = isSameSource ? await readAgain(poll) : await readFirst(poll);
	checkVisible(poll, snapshot);
	if (isOtherChannel(poll) && !includeExisting) findings.dropExisting(store.session.publishedAt);
	save(poll, nextState(poll, snapshot));
	return [...findings.changes.values()];
}

/** @throws InputError if Supercast shows a total but no records, or omits the event's field. */
function checkVisible({ eventKind, findings: { known } }: Poll, snapshot: PollSnapshot): void {
	const { seen, highest } = snapshot;
	if (snapshot.isOver && seen.size === 0 && highest > 0) throw emptyPages(eventKind, highest);
	if (eventKind.needs === undefined || seen.size < FEWEST_TO_JUDGE) return;
	const isBlind = [...seen].every((hash) => known.get(hash) === '');
	if (isBlind) throw fieldMissing(eventKind, eventKind.needs);
}

/** After a change of the source, a list without any known record belongs to another channel. */
function isOtherChannel({ isSameSource, findings }: Poll): boolean {
	return !isSameSource && !findings.hasKnown;
}

function nextState(poll: Poll, snapshot: PollSnapshot): TriggerState {
	const { state, findings, source, isSameSource, clock } = poll;
	const next: TriggerState = {
		...state,
		source,
		generation: isSameSource ? state.generation : state.generation + 1,
		known: knownNext(poll),
		size: sizeOf(poll, snapshot),
		readAt: snapshot.isOver && snapshot.isThorough ? clock.now() : state.readAt,
		doubtful: findings.doubtful ?? state.doubtful,
	};
	forgetIfFull(poll, snapshot, next.known);
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
	{ total, seen, highest, isOver }: PollSnapshot,
): number | undefined {
	const isUnfinished = store.session.snapshot !== undefined;
	if (total === undefined || seen.size > highest || isUnfinished) return undefined;
	return isOver ? Math.min(total, seen.size) - (highest - total) : total;
}

/** Forgets missing records only if there is no room left, because a snapshot may miss a record. */
function forgetIfFull({ eventKind }: Poll, snapshot: PollSnapshot, known: KnownIds): void {
	const isFull = known.size > eventKind.maxRecords;
	if (!isFull || !snapshot.isOver || !snapshot.isSteady) return;
	for (const hash of known.keys()) {
		if (!snapshot.seen.has(hash)) known.delete(hash);
	}
}

function save({ state, isSameSource, findings, store, clock }: Poll, next: TriggerState): void {
	const isFirst = !isSameSource || state.readAt === 0;
	if (findings.changes.size === 0) return store.save(next, isFirst ? 'first' : undefined);
	const output = announced(findings.changes, state, store, clock.now());
	store.save({ ...next, ...output }, 'output');
}

/** Repeats the snapshot until the list shows no sign of change. */
async function readFirst(poll: Poll): Promise<PollSnapshot> {
	// An unfinished reading belongs to the list of the previous credential.
	poll.store.session.snapshot = undefined;
	let before: PollSnapshot | undefined;
	for (let round = 1; ; round++) {
		const snapshot = new PollSnapshot(true);
		await readOn(poll, snapshot);
		const isComplete = poll.findings.known.size >= snapshot.highest;
		const isDone = snapshot.isSteady || isComplete || isRepeated(snapshot, before);
		if (isDone || round === MOST_ROUNDS) return snapshot;
		before = snapshot;
	}
}

/** If the total is always too high, there is no reason to read the list again. */
function isRepeated(snapshot: PollSnapshot, before: PollSnapshot | undefined): boolean {
	const isSame = before?.seen.size === snapshot.seen.size;
	return isSame && !before.hasMoved && !snapshot.hasMoved;
}

/** Reads a list that the trigger knows. If time runs out, the session keeps the snapshot. */
async function readAgain(poll: Poll): Promise<PollSnapshot> {
	const { store, signal, findings } = poll;
	const snapshot = store.session.snapshot ?? new PollSnapshot(isThoroughDue(poll));
	// A failed poll does not change the state, so its pages must be read again.
	store.session.snapshot = undefined;
	const { pages } = snapshot;
	findings.hasKnown = pages > 0;
	await readChanges(poll, snapshot).catch((error: unknown) => {
		const isLate = signal.aborted && error instanceof ServiceError;
		if (!isLate || snapshot.pages === pages || isForeign(poll, snapshot)) throw error;
		store.session.snapshot = snapshot;
	});
	return snapshot;
}

function isThoroughDue({ state, eventKind, clock }: Poll): boolean {
	const { known, size, readAt } = state;
	const every = known.size > SHORT_LIST ? READ_EVERY_MS : READ_SHORT_EVERY_MS;
	const age = clock.now() - readAt;
	// A time in the future can't be right.
	return age < 0 || age >= every || size === undefined || known.size > eventKind.maxRecords;
}

async function readChanges(poll: Poll, snapshot: PollSnapshot): Promise<void> {
	const { eventKind, state, findings } = poll;
	if (await isKnownByEnds(poll, snapshot)) return;
	await readOn(poll, snapshot);
	while (isForeign(poll, snapshot)) {
		if (snapshot.isThorough) throw noneLeft(eventKind, state.known.size);
		snapshot.continueThoroughly();
		await readOn(poll, snapshot);
	}
	if (eventKind.reportsDeletions) await findDeleted(state, findings, snapshot, poll.isGone);
}

/**
 * Whether the first and last pages are enough. They are if the known records and the new ones on
 * these pages add up to the length of the list.
 */
async function isKnownByEnds(poll: Poll, snapshot: PollSnapshot): Promise<boolean> {
	if (poll.eventKind.readsAll || snapshot.isThorough || snapshot.pages > 0) return false;
	const { total, records } = await readPage(poll, snapshot, 1);
	if (snapshot.isOver || total === undefined) return false;
	if (total === expectedSize(poll)) return true;
	await readPage(poll, snapshot, Math.ceil(total / records.length));
	return snapshot.highest <= expectedSize(poll);
}

/**
 * How long the list is if no records are new except those found. NaN if none of them was known,
 * because the list may then belong to another channel.
 */
function expectedSize({ state, findings }: Poll): number {
	if (!findings.hasKnown) return Number.NaN;
	return (state.size ?? 0) + findings.known.size - state.known.size;
}

async function readOn(poll: Poll, snapshot: PollSnapshot): Promise<void> {
	const fetchPage = readAhead(poll.fetchPage);
	while (!snapshot.isOver) {
		await readPage(poll, snapshot, snapshot.pages + 1, fetchPage);
		if (snapshot.seen.size > poll.eventKind.maxRecords) throw tooLong(poll.eventKind);
	}
}

async function readPage(
	{ eventKind, findings, fetchPage: fetchOne }: Poll,
	snapshot: PollSnapshot,
	number: number,
	fetchPage = fetchOne,
): Promise<Page> {
	const page = await fetchPage(number, LARGEST_PAGE);
	const { size } = snapshot.seen;
	for (const record of page.records) {
		const hash = idHash(eventKind.idOf(record));
		if (snapshot.isNew(hash)) findings.add(hash, record);
	}
	snapshot.endPage(number, page, snapshot.seen.size - size);
	return page;
}

/**
 * Whether a list seems to belong to another channel, or to be the result of an outage. It then
 * contains no known record, although that is not normal for such a list.
 */
function isForeign({ eventKind, state, findings }: Poll, { seen, highest }: PollSnapshot): boolean {
	const isLong = Math.max(seen.size, highest) > FEW_RECORDS;
	const isOdd = eventKind.reportsDeletions || (eventKind.isLasting && isLong);
	return isOdd && recognizesNone(state.known.size, findings.hasKnown);
}
