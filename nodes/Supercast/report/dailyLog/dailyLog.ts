/** What Sync remembers of the latest days, so that its summary can say what happened. */

import { createHash } from 'node:crypto';

import { identifierKey } from '../../api/identity';
import { identifierOf } from '../../subscriber/customerId';
import type { CurrentSubscriber } from '../../access/match';
import { subscriberName } from '../page/names';
import { addChanges, addStop, dateOf, type Day, type DayChange, type LocalTime } from './days';
import { stateRow } from '../../subscriber/states';

export interface DailyLog {
	/** Oldest first. */
	days: readonly Day[];
	/**
	 * A short hash for each feed that was open after the latest sync run, joined. A later sync run finds
	 * by it what others have opened and closed. Undefined if no sync run has seen all subscribers.
	 */
	open?: string;
	/** When the subscribers were last read, in milliseconds since 1970. */
	readAt: number;
	/** When the latest sync run ended. */
	checkedAt: number;
	/** When the latest scheduled sync run began. 0 if none has. */
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

/** What a sync run has seen and done. */
export interface SyncRun {
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

/** The daily log after a sync run that ran to its end. */
export function afterSyncRun(dailyLog: DailyLog, syncRun: SyncRun): DailyLog {
	const { at, local, areAll, readAt } = syncRun;
	const known = dailyLog.open === undefined ? undefined : new Set(hashesIn(dailyLog.open));
	const hashed = syncRun.subscribers.map((one) => ({ ...one, hash: hashOf(one) }));
	const found =
		known !== undefined && areAll ? changesSince(dailyLog, known, hashed, readAt) : undefined;
	const own = syncRun.changes.map((change): DayChange => ({ ...change, at }));
	const before = hashed.filter(({ isOpen }) => isOpen);
	// Without all subscribers, what the run itself did is all that is known.
	const hashes = openAfter(areAll ? before.map(({ hash }) => hash) : known, syncRun.changes);
	const open = hashes?.size ?? before.length;
	const snapshot = { date: dateOf(local, at), open, areAll: found !== undefined, local };
	return {
		days: addChanges(dailyLog.days, [...(found ?? []), ...own], snapshot),
		open: hashes && [...hashes].join(''),
		readAt: areAll ? readAt : dailyLog.readAt,
		...timesAfter(dailyLog, syncRun),
	};
}

/** The hashes of the feeds that are open after the run. Undefined if that is unknown. */
function openAfter(
	before: Iterable<string> | undefined,
	changes: readonly OwnChange[],
): Set<string> | undefined {
	if (before === undefined) return undefined;
	const hashes = new Set(before);
	for (const { kind, subscriber } of changes) {
		if (kind === 'opened') hashes.add(hashOf(subscriber));
		else hashes.delete(hashOf(subscriber));
	}
	return hashes;
}

/** The daily log after a sync run that stopped: the list was refused, or Supercast was unreachable. */
export function afterStop(
	dailyLog: DailyLog,
	stop: { run: StartedRun; at: number; local: LocalTime; message: string },
): DailyLog {
	return {
		...dailyLog,
		days: addStop(dailyLog.days, stop.at, stop),
		...timesAfter(dailyLog, stop),
	};
}

/** Of two daily logs of the same Sync, the one with the later sync run. */
export function laterLog(one: DailyLog, other: DailyLog): DailyLog {
	return other.checkedAt > one.checkedAt ? other : one;
}

/**
 * When the next scheduled sync run is due. The shorter of two gaps counts, because n8n may have been
 * off. Undefined if no two scheduled sync runs are known.
 */
export function nextSyncRunOf(
	{ scheduledAt, gapMs, gapBeforeMs }: DailyLog,
	now: number,
): number | undefined {
	const gaps = [gapMs, gapBeforeMs].filter((gap) => gap > 0);
	if (gaps.length === 0) return undefined;
	const gap = Math.min(...gaps);
	// A long run ends after further sync runs were due.
	return scheduledAt + gap * Math.max(1, Math.floor((now - scheduledAt) / gap) + 1);
}

type SyncRunTimes = Pick<DailyLog, 'checkedAt' | 'gapBeforeMs' | 'gapMs' | 'scheduledAt'>;

function timesAfter(
	{ scheduledAt, gapMs, gapBeforeMs }: DailyLog,
	{ at, run: { startedAt, startedBy } }: { at: number; run: StartedRun },
): SyncRunTimes {
	const isAnother = startedBy === 'schedule' && startedAt !== scheduledAt;
	if (!isAnother) return { checkedAt: at, scheduledAt, gapMs, gapBeforeMs };
	const times = { checkedAt: at, scheduledAt: startedAt };
	if (scheduledAt === 0) return { ...times, gapMs: 0, gapBeforeMs: 0 };
	return { ...times, gapMs: startedAt - scheduledAt, gapBeforeMs: gapMs };
}

/** How many characters a hash has. */
export const FEED_HASH_LENGTH = 5;

/** Two of 10,000 subscribers share one in one of 20 channels. */
function hashOf(subscriber: CurrentSubscriber): string {
	const name = identifierKey(identifierOf(subscriber));
	return createHash('sha256').update(name).digest('base64url').slice(0, FEED_HASH_LENGTH);
}

function hashesIn(open: string): string[] {
	return open.match(new RegExp(`.{${FEED_HASH_LENGTH}}`, 'gs')) ?? [];
}

/** A subscriber with their hash, which takes long to compute. */
type Hashed = CurrentSubscriber & { hash: string };

/** What has opened and closed since the latest sync run, by this Sync or not. */
function changesSince(
	{ readAt: since }: DailyLog,
	known: ReadonlySet<string>,
	hashed: readonly Hashed[],
	readAt: number,
): DayChange[] {
	const whenIn = (...times: number[]): number =>
		times.find((time) => time > since && time <= readAt) ?? readAt;
	const there = new Set(hashed.map(({ hash }) => hash));
	const opened = hashed.filter((one) => one.isOpen && !known.has(one.hash));
	const closed = hashed.filter((one) => !one.isOpen && known.has(one.hash));
	const deleted = [...known].filter((hash) => !there.has(hash));
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
