/** Finds out what is new in a list. Relies on ids alone. Pure. */

import type { FetchPage } from '../transport/pagination';
import {
	firstMemory,
	isForeign,
	isFull,
	Knowledge,
	learn,
	MOST_KNOWN,
	newsOf,
	oldestFirst,
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

/** How many known records in a row show that there is nothing new beyond them. */
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
	if (memory === undefined) return await readWhole(look, most, 1);
	// To tell what is gone takes more than one look: a record may have been skipped while others moved.
	if (isFull(memory, most)) return await readWhole(look, most, 2);
	return await readList(look.fetchPage, needOfPoll(memory, look.clock, most));
}

function needOfPoll(memory: Memory, clock: Clock, most: number): Need {
	const knowledge = new Knowledge(memory, clock);
	return {
		most,
		isMet: (newestFirst, all, total = 0) => {
			const end = newestFirst.slice(-ENOUGH_KNOWN);
			const isPastNews =
				end.length === ENOUGH_KNOWN && end.every((record) => knowledge.has(record));
			if (!isPastNews) return false;
			const news = all.filter((record) => !knowledge.has(record)).length;
			// Has the list grown by more than was found? Then the rest is somewhere else.
			return memory.size === undefined || total <= memory.size + news;
		},
	};
}

/** Reads all that there is, or as much as can be remembered: again while records come and go. */
async function readWhole(look: Look, most: number, leastLooks: number): Promise<Reading> {
	const need: Need = { most, isMet: ({ length }) => length >= most };
	const seen = new Map<string, Listed>();
	for (let looks = 1; ; looks++) {
		const reading = await readList(look.fetchPage, need);
		for (const record of reading.records) seen.set(record.id, record);
		if (looks >= MOST_LOOKS || (looks >= leastLooks && !reading.hasChanged)) {
			return { ...reading, records: [...seen.values()] };
		}
	}
}
