/** Finds out what is new in a list. Relies on ids alone. Pure. */

import type { FetchPage } from '../transport/pagination';
import {
	firstMemory,
	isForeign,
	Knowledge,
	learn,
	MOST_KNOWN,
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

/** How often a first look is repeated when records came or went meanwhile. */
const MOST_FIRST_LOOKS = 3;

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
	const reading =
		before !== undefined && isSameSource
			? await readList(look.fetchPage, needOfPoll(before, clock, most))
			: await readWhole(look, most);

	// Another poll may have been quicker. From here on nothing is waited for, so that none comes between.
	const memory = shelf.recall();
	if (memory === undefined || (!isSameSource && isForeign(memory, reading))) {
		const news = includeExisting ? oldestFirst(reading) : [];
		shelf.keep(firstMemory(reading, news, { clock, source, most }));
		return news;
	}
	const knowledge = new Knowledge(memory, clock);
	const news = oldestFirst(reading).filter((record) => !knowledge.has(record));
	shelf.keep(learn(memory, reading, news, { clock, source, most }));
	return news;
}

function needOfPoll(memory: Memory, clock: Clock, most: number): Need {
	const knowledge = new Knowledge(memory, clock);
	return {
		most,
		isMet: (newestFirst, read, total = 0) => {
			// A full memory takes a whole list to tell what is gone, unless the list is a longer one.
			if (knowledge.size >= most && total <= most) return false;
			const end = newestFirst.slice(-ENOUGH_KNOWN);
			const isPastNews =
				end.length === ENOUGH_KNOWN && end.every((record) => knowledge.has(record));
			if (!isPastNews) return false;
			const news = read.filter((record) => !knowledge.has(record)).length;
			// Has the list grown by more than was found? Then the rest is somewhere else.
			return memory.size === undefined || total <= memory.size + news;
		},
	};
}

/** Reads all that there is, or as much as can be remembered. */
async function readWhole({ fetchPage, includeExisting }: Look, most: number): Promise<Reading> {
	const need: Need = { most, isMet: () => false };
	let reading = await readList(fetchPage, need);
	const seen = new Map(reading.records.map((record) => [record.id, record]));
	for (let look = 1; reading.hasChanged && look < MOST_FIRST_LOOKS; look++) {
		reading = await readList(fetchPage, need);
		for (const record of reading.records) seen.set(record.id, record);
	}
	if (includeExisting && !reading.isComplete) {
		throw new ListTooLongError('There are too many records to announce them all');
	}
	return { ...reading, records: [...seen.values()] };
}
