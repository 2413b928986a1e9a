import type { IExecuteFunctions } from 'n8n-workflow';

import type { LocalTime } from '../../access/sync/diary/days';
import { afterStop, laterDiary, type Diary } from '../../access/sync/diary/diary';
import type { DiaryBook } from '../../access/sync/diary/keep';
import { readDiary, writeDiary } from '../../access/sync/diary/stored';
import { SyncStore } from './syncStore';

const diaries = new SyncStore<Diary>({
	name: 'diary',
	choose: laterDiary,
	read: readDiary,
	write: writeDiary,
});

/** The diary of this node. Whatever becomes of it, Sync opens and closes the same feeds. */
export function diaryFor(context: IExecuteFunctions, credential: string): DiaryBook {
	return { ...diaries.of(context, credential), local: localTime(context.getTimezone()) };
}

/** Notes that a check stopped, and why. */
export function noteStop(book: DiaryBook, at: number, error: Error): void {
	const { local } = book;
	book.keep(afterStop(book.load(), { at, local, message: error.message }));
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
