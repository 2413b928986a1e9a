import type { IExecuteFunctions } from 'n8n-workflow';

import type { LocalTime } from '../access/sync/diary/days';
import { afterStop, EMPTY_DIARY, laterDiary, type Diary } from '../access/sync/diary/diary';
import type { DiaryBook } from '../access/sync/diary/keep';
import { readDiary, writeDiary } from '../access/sync/diary/stored';
import { staticDataOf } from './context';

/** How many diaries this process keeps. */
const MOST_DIARIES = 100;

/** By workflow, node and credential. The latest one comes last. */
const processDiaries = new Map<string, Diary>();

/**
 * The diary of this node, in this process and in the node's static data, like the memory of Sync.
 * Whatever becomes of it, Sync opens and closes the same feeds.
 */
export function diaryFor(
	context: IExecuteFunctions,
	credential: string,
	kept = processDiaries,
): DiaryBook {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().id, credential]);
	const stored = staticDataOf(context);
	return {
		local: localTime(context.getTimezone()),
		load: () => laterDiary(kept.get(key) ?? EMPTY_DIARY, readDiary(stored.diary, credential)),
		write: (diary) => {
			kept.delete(key);
			kept.set(key, diary);
			for (const oldest of kept.keys()) {
				if (kept.size <= MOST_DIARIES) break;
				kept.delete(oldest);
			}
			stored.diary = writeDiary(diary, credential);
		},
	};
}

/** Notes that a check stopped, and why. */
export function noteStop(book: DiaryBook, at: number, error: Error): void {
	const { local } = book;
	book.write(afterStop(book.load(), { at, local, message: error.message }));
}

/** Dates and times in a time zone. An unknown one counts as UTC. */
function localTime(timeZone: string): LocalTime {
	const isKnown = Intl.supportedValuesOf('timeZone').includes(timeZone);
	// Swedish dates and times are in the form of ISO 8601.
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone: isKnown ? timeZone : 'UTC',
		dateStyle: 'short',
		timeStyle: 'short',
	});
	return (time) => format.format(time);
}
