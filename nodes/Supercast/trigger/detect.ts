/** Finds out what is new in a list. Relies on ids alone. Pure. */

import type { FetchPage } from '../api/paging/readPages';
import { isInOrder, oldestFirst, sufficeToSort } from './age';
import {
	firstMemory,
	isForeign,
	isFull,
	Knowledge,
	learn,
	MOST_KNOWN,
	newsOf,
	type Memory,
	type Clock,
} from './memory';
import { ListTooLongError, readList, type Listed, type Need, type Reading } from './reading';

/** Where the memory is kept. */
export interface Shelf {
	/** Gives the memory as it is now; undefined before the first look. */
	recall(): Memory | undefined;
	keep(memory: Memory): void;
}

/** One look at a list. */
export interface Look {
	fetchPage: FetchPage;
	shelf: Shelf;
	/** Name of the access by which it is read. */
	source: string;
	/** Whether what is there at the first look is news. */
	includeExisting: boolean;
	clock: Clock;
	/** How many ids are remembered at most. */
	most?: number;
}

/** How many records in a row that were known before show that there is nothing new beyond them. */
const ENOUGH_KNOWN = 10;

/** How often a whole list is read in one poll while records come and go. */
const MOST_LOOKS = 3;

/**
 * Looks at a list, and remembers what it finds.
 *
 * @returns Every record that was not known, the oldest first. At the first look, and when another
 * access than before shows a list without a single known record, none unless `includeExisting`.
 * @throws whatever `fetchPage` throws, and ListTooLongError: the memory is untouched then.
 */
export async function detect(look: Look): Promise<Listed[]> {
	const { shelf, clock, source, includeExisting } = look;
	const most = look.most ?? MOST_KNOWN;
	const before = shelf.recall();
	const isSameSource = before?.source === source;
	const reading = await read(look, isSameSource ? before : undefined, most);

	// Another poll may have been quicker. From here on nothing is waited for, so that none comes between.
	const memory = shelf.recall();
	if (memory === undefined || (!isSameSource && isForeign(memory, reading))) {
		if (includeExisting && !reading.isComplete) {
			throw new ListTooLongError('There are too many records to announce them all');
		}
		const news = includeExisting ? oldestFirst(reading) : [];
		shelf.keep(firstMemory(reading, news, { clock, source, most }));
		return news;
	}
	const news = newsOf(memory, reading, clock);
	shelf.keep(learn(memory, reading, news, { clock, source, most }));
	return news;
}

async function read(look: Look, memory: Memory | undefined, most: number): Promise<Reading> {
	const isAllThatFits: Need['isMet'] = ({ length }) => length >= most;
	if (memory === undefined) {
		// A list that does not say how long it is does not tell, either, whether a record was skipped.
		const isSure: IsSure = ({ hasChanged, total }, looks) =>
			!hasChanged && (total !== undefined || looks > 1);
		return await readUntilSure(look, { most, isMet: isAllThatFits }, isSure);
	}
	const isEnough = pastNews(memory, look.clock, most);
	// To tell what is gone, or how old it is, takes two looks: a record may have been skipped.
	const isSureOfAll: IsSure = ({ hasChanged }, looks) => !hasChanged && looks > 1;
	if (isFull(memory, most)) {
		const isMet: Need['isMet'] = (...seen) => isAllThatFits(...seen) && isEnough(...seen);
		return await readUntilSure(look, { most, isMet }, isSureOfAll);
	}
	const isSure: IsSure = (reading, looks) =>
		memory.isUnsorted !== true || !isInOrder(reading) || isSureOfAll(reading, looks);
	return await readUntilSure(look, { most, isMet: isEnough }, isSure);
}

/** Tells when a reading has come to what was there before. */
function pastNews(memory: Memory, clock: Clock, most: number): Need['isMet'] {
	const knowledge = new Knowledge(memory, clock);
	return (newestFirst, all, total = 0) => {
		// Once, so that what is remembered can be sorted by age.
		if (memory.isUnsorted === true && !sufficeToSort(all, most)) return false;
		// What follows after the known ones is news in disorder, or older than the memory.
		const end = memory.isPartial === true ? newestFirst : newestFirst.slice(-ENOUGH_KNOWN);
		if (!hasRun(end, (record) => knowledge.isSettled(record))) return false;
		const news = all.filter((record) => !knowledge.has(record)).length;
		// Has the list grown by more than was found? Then the rest is somewhere else.
		return memory.size === undefined || total <= memory.size + news;
	};
}

function hasRun(records: readonly Listed[], isKnown: (record: Listed) => boolean): boolean {
	let length = 0;
	return records.some((record) => {
		length = isKnown(record) ? length + 1 : 0;
		return length === ENOUGH_KNOWN;
	});
}

/** Whether what was read at the last of so many looks can be relied on. */
type IsSure = (reading: Reading, looks: number) => boolean;

/** Reads all that there is, or as much as it needs: again while records come and go. */
async function readUntilSure(look: Look, need: Need, isSure: IsSure): Promise<Reading> {
	let earlier: Listed[] = [];
	for (let looks = 1; ; looks++) {
		const reading = await readList(look.fetchPage, need);
		const records = together(earlier, reading);
		if (looks >= MOST_LOOKS || isSure(reading, looks)) return { ...reading, records };
		earlier = records;
	}
}

/** Adds what only an earlier look has seen, as the oldest: it is gone by now, or was skipped. */
function together(earlier: readonly Listed[], { records, order }: Reading): Listed[] {
	const ids = new Set(records.map(({ id }) => id));
	const others = earlier.filter(({ id }) => !ids.has(id));
	return order === 'newest' ? [...records, ...others] : [...others, ...records];
}
