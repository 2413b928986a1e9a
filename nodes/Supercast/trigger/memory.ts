/** What is remembered between two polls: which records are known, in a bounded space. Pure. */

import { isInOrder, oldestFirst, showsAge, sortedByAge } from './age';
import { codeOf, joinCodes, splitCodes } from './codes';
import { ListTooLongError, type Listed, type Reading } from './reading';

/** The memory as n8n stores it: plain JSON. */
export interface Memory {
	version: 1;
	/** With which access the list was read. */
	source: string;
	/** Codes of the known records, those learned first in front. */
	known: string;
	/** Whether some of them were learned in an order that says nothing about their age. */
	isUnsorted?: boolean;
	/** Whether the list had older records than those that are known. */
	isPartial?: boolean;
	/** How many records the list had, where the service says so. */
	size?: number;
	last?: LastNews;
}

/** What was announced last. */
export interface LastNews {
	/** Codes of the records. */
	known: string;
	/** Milliseconds since 1970. */
	at: number;
	/** Whether a later reading went over the same part of the list and found nothing among them. */
	isSettled?: boolean;
}

/** Time, as far as it matters here; milliseconds since 1970. */
export interface Clock {
	now(): number;
	/** When this process of n8n started. */
	processStartedAt: number;
}

/** How many ids are remembered: what takes 160 kB, and as many as 200 requests can list. */
export const MOST_KNOWN = 20_000;

/** What is kept when the memory overflows, so that this does not happen at every poll. */
const SHARE_KEPT = 3 / 4;

/**
 * n8n writes the memory first and the execution a moment later, so what was announced is lost when
 * its process dies in between. A process that started so soon after an announcement cannot know, and
 * announces it again. It is the time in which a process manager starts n8n again after a crash; a
 * regular restart hardly ever takes less.
 */
export const UNSURE_MS = 2_000;

/** Reads a stored memory. Returns undefined when there is none, or none that can be read. */
export function parseMemory(stored: unknown): Memory | undefined {
	const memory = (stored ?? {}) as Partial<Memory>;
	const isUsable =
		memory.version === 1 && typeof memory.known === 'string' && typeof memory.source === 'string';
	return isUsable ? (memory as Memory) : undefined;
}

/** Tells which records are known. */
export class Knowledge {
	private readonly codes: Set<string>;

	private readonly unsettled: Set<string>;

	constructor(memory: Memory, clock: Clock) {
		const last = splitCodes(memory.last?.known ?? '');
		this.codes = new Set(splitCodes(memory.known));
		this.unsettled = new Set(memory.last?.isSettled === true ? [] : last);
		if (isUnsure(memory, clock)) for (const code of last) this.codes.delete(code);
	}

	has({ id }: Listed): boolean {
		return this.codes.has(codeOf(id));
	}

	/**
	 * Whether a record is known, and does not come from the last news: among those, another one may
	 * have been skipped while records moved from one page to the other.
	 */
	isSettled({ id }: Listed): boolean {
		const code = codeOf(id);
		return this.codes.has(code) && !this.unsettled.has(code);
	}
}

function isUnsure({ last }: Memory, { processStartedAt }: Clock): boolean {
	if (last === undefined || last.at > processStartedAt) return false;
	return processStartedAt - last.at < UNSURE_MS;
}

/** Whether not one record is known: then it is the list of another channel. */
export function isForeign({ known }: Memory, { records }: Reading): boolean {
	const codes = new Set(splitCodes(known));
	return !records.some(({ id }) => codes.has(codeOf(id)));
}

/** What applies to every update of a memory. */
export interface Update {
	clock: Clock;
	/** With which access the list was read. */
	source: string;
	/** How many ids are remembered at most. */
	most: number;
}

/** The memory after the first look at a list, which announced `news`: all of it or nothing. */
export function firstMemory(
	reading: Reading,
	news: readonly Listed[],
	{ clock, source, most }: Update,
): Memory {
	const codes = oldestFirst(reading).map(({ id }) => codeOf(id));
	const known = joinCodes(codes.slice(-most));
	const { total, isComplete, hasChanged } = reading;
	const size = total !== undefined && hasChanged ? 0 : total;
	return {
		version: 1,
		source,
		known,
		...(isInOrder(reading) || codes.length < 2 ? {} : { isUnsorted: true }),
		...(isComplete && codes.length <= most ? {} : { isPartial: true }),
		...(size === undefined ? {} : { size }),
		...(news.length === 0 ? {} : { last: { known, at: clock.now() } }),
	};
}

/**
 * Which records of a reading are news, the oldest first: those that are not known. When the memory
 * does not reach back to the oldest records, unknown ones that are older than all known ones are not.
 *
 * @throws ListTooLongError when it cannot be told which are older.
 */
export function newsOf(memory: Memory, reading: Reading, clock: Clock): Listed[] {
	const knowledge = new Knowledge(memory, clock);
	const isUnknown = (record: Listed): boolean => !knowledge.has(record);
	const sorted = oldestFirst(reading);
	if (sorted.length === 0) return [];
	if (memory.isPartial !== true) return sorted.filter(isUnknown);
	const firstKnown = sorted.findIndex((record) => knowledge.has(record));
	if (!isInOrder(reading) || firstKnown < 0)
		throw new ListTooLongError('Older records are not known');
	return sorted.slice(firstKnown).filter(isUnknown);
}

/**
 * The memory after a poll that announces `news`. Known records that are gone are kept: a list that
 * shows them again, or that was read while records moved, leads to nothing being announced twice.
 * Only when the memory is full, those that are gone make room.
 */
export function learn(
	memory: Memory,
	reading: Reading,
	news: readonly Listed[],
	{ clock, source, most }: Update,
): Memory {
	// A long list that is empty by mistake, for once, says nothing about what is older.
	if (memory.isPartial === true && reading.records.length === 0) return memory;
	const codes = news.map(({ id }) => codeOf(id));
	const isAged = showsAge(reading, most);
	const isUnsorted =
		!isAged && (memory.isUnsorted === true || (codes.length > 0 && !isInOrder(reading)));
	const { known, isPartial } = withRoom(memory, codes, reading, most);
	const last = lastNews(memory, codes, reading, clock);
	const size = sizeAfter(memory, reading, news.length);
	return {
		version: memory.version,
		source,
		known: joinCodes(known),
		...(isUnsorted ? { isUnsorted } : {}),
		...(isPartial ? { isPartial } : {}),
		...(size === undefined ? {} : { size }),
		...(last === undefined ? {} : { last }),
	};
}

/** Whether a memory has no room left, so that the next reading has to tell what is gone. */
export function isFull({ known, isPartial }: Memory, most: number): boolean {
	return isPartial !== true && splitCodes(known).length >= most;
}

function withRoom(
	memory: Memory,
	news: string[],
	reading: Reading,
	most: number,
): { known: string[]; isPartial: boolean } {
	const learned = [...new Set([...splitCodes(memory.known), ...news])];
	const isPartial = memory.isPartial === true;
	const present = oldestFirst(reading).map(({ id }) => codeOf(id));
	const isUnsorted = memory.isUnsorted === true;
	const isAged = showsAge(reading, most);
	const known = isUnsorted && isAged ? sortedByAge(learned, present, reading) : learned;
	if (isPartial || isLonger(reading, most)) {
		const whole = [...new Set([...present, ...known])];
		if (reading.isComplete && whole.length <= most) return { known: whole, isPartial: false };
		// Which are the oldest, and whether one was skipped among them, the next poll may tell.
		const isUnclear = (isUnsorted && !isAged) || (reading.hasChanged && !isPartial);
		if (isUnclear) return { known, isPartial };
		return { known: known.slice(-most), isPartial: isPartial || known.length > most };
	}
	if (!isFull(memory, most) || !reading.isComplete) return { known, isPartial };
	const stays = new Set(present);
	let surplus = known.length - Math.floor(most * SHARE_KEPT);
	return { known: known.filter((code) => stays.has(code) || surplus-- <= 0), isPartial };
}

/** Whether a list is longer than the memory; one that does not say is, when reading it ended early. */
function isLonger({ total, records, isComplete }: Reading, most: number): boolean {
	if (total !== undefined) return total > most;
	return records.length > most || (!isComplete && records.length >= most);
}

function lastNews(
	{ last }: Memory,
	codes: string[],
	{ hasChanged }: Reading,
	clock: Clock,
): LastNews | undefined {
	if (codes.length > 0) return { known: joinCodes(codes), at: clock.now() };
	if (last === undefined || hasChanged) return last;
	// No process that starts from now on can be unsure of it any more.
	return clock.now() - last.at < UNSURE_MS ? { ...last, isSettled: true } : undefined;
}

/** How many known records the list has at least. */
function sizeAfter(memory: Memory, reading: Reading, news: number): number | undefined {
	const { total, isComplete, records, hasChanged } = reading;
	if (total === undefined) return undefined;
	if (hasChanged) return 0;
	if (isComplete) return Math.min(total, records.length);
	return memory.size === undefined ? total : Math.min(total, memory.size + news);
}
