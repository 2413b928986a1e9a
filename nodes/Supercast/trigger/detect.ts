/** Finds out what is new in a list. Relies on ids alone. Pure. */

import type { FetchPage } from '../transport/pagination';
import { oldestFirst, sufficeToSort } from './age';
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
	if (memory === undefined) return await readWhole(look, { most, isMet: isAllThatFits }, 1);
	const isEnough = pastNews(memory, look.clock, most);
	if (!isFull(memory, most)) return await readList(look.fetchPage, { most, isMet: isEnough });
	// To tell what is gone takes more than one look: a record may have been skipped while others moved.
	const isMet: Need['isMet'] = (...seen) => isAllThatFits(...seen) && isEnough(...seen);
	return await readWhole(look, { most, isMet }, 2);
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

/** Reads all that there is, or as much as it needs: again while records come and go. */
async function readWhole(look: Look, need: Need, leastLooks: number): Promise<Reading> {
	const seen = new Map<string, Listed>();
	for (let looks = 1; ; looks++) {
		const reading = await readList(look.fetchPage, need);
		for (const record of reading.records) seen.set(record.id, record);
		// A list that does not say how long it is does not tell, either, whether one was skipped.
		const least = reading.total === undefined ? 2 : leastLooks;
		if (looks >= MOST_LOOKS || (looks >= least && !reading.hasChanged)) {
			return { ...reading, records: [...seen.values()] };
		}
	}
}
