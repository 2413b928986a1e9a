/** Writes a run of Sync into the daily log. */

import type { AppliedDecision } from '../../access/apply';
import type { CurrentSubscriber } from '../../access/match';
import type { AccessAction } from '../../access/rules';
import { reasonText } from '../wording';
import { personName } from '../page/names';
import type { LocalTime } from './days';
import { afterSyncRun, type DailyLog, type OwnChange, type StartedRun } from './dailyLog';

/** The days and hours of a run. */
export interface RunTimes {
	local: LocalTime;
	/** The time zone of `local`, as the page names it. */
	zone: string;
	run: StartedRun;
}

/** Where the daily log of a Sync is, and what a run notes in it. */
export interface DailyLogStore extends RunTimes {
	load: () => DailyLog;
	keep: (dailyLog: DailyLog) => void;
}

/** What a run has read and done. Times are in milliseconds since 1970. */
export interface RunFacts {
	at: number;
	readAt: number;
	subscribers: readonly CurrentSubscriber[];
	/** Whether these are all subscribers. */
	areAll: boolean;
	outcomes: readonly AppliedDecision[];
}

/** Adds a run to the daily log, and returns it for the summary. */
export function logRun(
	store: DailyLogStore,
	{ outcomes, ...read }: RunFacts,
): RunTimes & { dailyLog: DailyLog; at: number } {
	const { local, zone, run } = store;
	const changes = outcomes.flatMap(changeOf);
	const dailyLog = afterSyncRun(store.load(), { ...read, local, run, changes });
	store.keep(dailyLog);
	return { dailyLog, at: read.at, local, zone, run };
}

/** The feed that a decision has opened or closed. Otherwise empty. */
function changeOf(outcome: AppliedDecision): OwnChange[] {
	const { action, error, subscriber } = outcome;
	const email = personName(outcome);
	// After a failure, the next sync run finds out what has changed.
	if (error !== undefined || subscriber === undefined) return [];
	if (action === 'closed' && subscriber.isOpen) {
		return [{ kind: 'closed', subscriber, email, why: reasonText(outcome) }];
	}
	return isOpened(action, subscriber) ? [{ kind: 'opened', subscriber, email, why: '' }] : [];
}

/** Without a UUID, or in another state, the next sync run finds out whether the feed is open. */
function isOpened(action: AccessAction, { isOpen, uuid }: CurrentSubscriber): boolean {
	return uuid !== '' && (action === 'reopened' || (action === 'created' && isOpen));
}
