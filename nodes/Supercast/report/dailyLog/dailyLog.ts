/** What Sync remembers of the latest days, so that its summary can say what happened. */

import { createHash } from 'node:crypto';

import { nameKey } from '../../api/identity';
import { nameOf } from '../../subscriber/customerId';
import type { CurrentSubscriber } from '../../access/match';
import { subscriberName } from '../page/names';
import { addChanges, addStop, dateOf, type Day, type DayChange, type LocalTime } from './days';
import { stateRow } from '../../subscriber/states';

export interface Diary {
	/** Oldest first. */
	days: readonly Day[];
	/**
	 * A short mark for each feed that was open after the latest check, joined. A later check finds
	 * by it what others have opened and closed. Undefined if no check has seen all subscribers.
	 */
	open?: string;
	/** When the subscribers were last read, in milliseconds since 1970. */
	readAt: number;
	/** When the latest check ended. */
	checkedAt: number;
	/** When the latest scheduled check began. 0 if none has. */
	scheduledAt: number;
	/** How long after the scheduled one before, and how long that one came after its own. */
	gapMs: number;
	gapBeforeMs: number;
}

/** What started a run. A run of a workflow that is not published has no schedule to go on with. */
export type StartedBy = 'hand' | 'other' | 'schedule' | 'unpublished';

/** A run, which is noted once even if it has done something and stopped. */
export interface StartedRun {
	/** When its list arrived, in milliseconds since 1970. */
	startedAt: number;
	startedBy: StartedBy;
}

/** A feed that this run opened or closed. */
export type OwnChange = Omit<DayChange, 'at'> & { subscriber: CurrentSubscriber };

/** What a check has seen and done. */
export interface Check {
	run: StartedRun;
	/** When it ended, and when it had read the subscribers. Both in milliseconds since 1970. */
	at: number;
	readAt: number;
	local: LocalTime;
	/** The subscribers as read. */
	subscribers: readonly CurrentSubscriber[];
	/** Whether these are all, so that someone who is not among them was deleted. */
	areAll: boolean;
	/** What the run itself changed afterwards. */
	changes: readonly OwnChange[];
}

/** The diary after a check that ran to its end. */
export function afterCheck(diary: Diary, check: Check): Diary {
	const { at, local, areAll, readAt } = check;
	const known = diary.open === undefined ? undefined : new Set(marksIn(diary.open));
	const marked = check.subscribers.map((one) => ({ ...one, mark: markOf(one) }));
	const found =
		known !== undefined && areAll ? changesSince(diary, known, marked, readAt) : undefined;
	const own = check.changes.map((change): DayChange => ({ ...change, at }));
	const before = marked.filter(({ isOpen }) => isOpen);
	// Without all subscribers, what the run itself did is all that is known.
	const marks = openAfter(areAll ? before.map(({ mark }) => mark) : known, check.changes);
	const open = marks?.size ?? before.length;
	const reading = { date: dateOf(local, at), open, areAll: found !== undefined, local };
	return {
		days: addChanges(diary.days, [...(found ?? []), ...own], reading),
		open: marks && [...marks].join(''),
		readAt: areAll ? readAt : diary.readAt,
		...timesAfter(diary, check),
	};
}

/** The marks of the feeds that are open after the run. Undefined if that is unknown. */
function openAfter(
	before: Iterable<string> | undefined,
	changes: readonly OwnChange[],
): Set<string> | undefined {
	if (before === undefined) return undefined;
	const marks = new Set(before);
	for (const { kind, subscriber } of changes) {
		if (kind === 'opened') marks.add(markOf(subscriber));
		else marks.delete(markOf(subscriber));
	}
	return marks;
}

/** The diary after a check that stopped: the list was refused, or Supercast was unreachable. */
export function afterStop(
	diary: Diary,
	stop: { run: StartedRun; at: number; local: LocalTime; message: string },
): Diary {
	return { ...diary, days: addStop(diary.days, stop.at, stop), ...timesAfter(diary, stop) };
}

/** Of two diaries of the same Sync, the one with the later check. */
export function laterDiary(one: Diary, other: Diary): Diary {
	return other.checkedAt > one.checkedAt ? other : one;
}

/**
 * When the next scheduled check is due. The shorter of two gaps counts, because n8n may have been
 * off. Undefined if no two scheduled checks are known.
 */
export function nextCheckOf(
	{ scheduledAt, gapMs, gapBeforeMs }: Diary,
	now: number,
): number | undefined {
	const gaps = [gapMs, gapBeforeMs].filter((gap) => gap > 0);
	if (gaps.length === 0) return undefined;
	const gap = Math.min(...gaps);
	// A long run ends after further checks were due.
	return scheduledAt + gap * Math.max(1, Math.floor((now - scheduledAt) / gap) + 1);
}

type CheckTimes = Pick<Diary, 'checkedAt' | 'gapBeforeMs' | 'gapMs' | 'scheduledAt'>;

function timesAfter(
	{ scheduledAt, gapMs, gapBeforeMs }: Diary,
	{ at, run: { startedAt, startedBy } }: { at: number; run: StartedRun },
): CheckTimes {
	const isAnother = startedBy === 'schedule' && startedAt !== scheduledAt;
	if (!isAnother) return { checkedAt: at, scheduledAt, gapMs, gapBeforeMs };
	const times = { checkedAt: at, scheduledAt: startedAt };
	if (scheduledAt === 0) return { ...times, gapMs: 0, gapBeforeMs: 0 };
	return { ...times, gapMs: startedAt - scheduledAt, gapBeforeMs: gapMs };
}

/** How many characters a mark has. */
export const MARK_LENGTH = 5;

/** Two of 10,000 subscribers share one in one of 20 channels. */
function markOf(subscriber: CurrentSubscriber): string {
	const name = nameKey(nameOf(subscriber));
	return createHash('sha256').update(name).digest('base64url').slice(0, MARK_LENGTH);
}

function marksIn(open: string): string[] {
	return open.match(new RegExp(`.{${MARK_LENGTH}}`, 'gs')) ?? [];
}

/** A subscriber with their mark, which takes long to compute. */
type Marked = CurrentSubscriber & { mark: string };

/** What has opened and closed since the latest check, by this Sync or not. */
function changesSince(
	{ readAt: since }: Diary,
	known: ReadonlySet<string>,
	marked: readonly Marked[],
	readAt: number,
): DayChange[] {
	const whenIn = (...times: number[]): number =>
		times.find((time) => time > since && time <= readAt) ?? readAt;
	const there = new Set(marked.map(({ mark }) => mark));
	const opened = marked.filter((one) => one.isOpen && !known.has(one.mark));
	const closed = marked.filter((one) => !one.isOpen && known.has(one.mark));
	const deleted = [...known].filter((mark) => !there.has(mark));
	return [
		...opened.map((one): DayChange => {
			const at = whenIn(one.createdTime, one.updatedTime);
			return { kind: 'opened', at, email: subscriberName(one), why: '' };
		}),
		...closed.map((one): DayChange => {
			const at = whenIn(one.updatedTime);
			return { kind: 'closed', at, email: subscriberName(one), why: whyClosed(one.state) };
		}),
		...deleted.map((): DayChange => ({ kind: 'closed', at: readAt, email: '', why: 'deleted' })),
	];
}

/** Why a feed is closed that this Sync did not close. */
function whyClosed(state: string): string {
	return stateRow(state)?.why ?? state;
}
