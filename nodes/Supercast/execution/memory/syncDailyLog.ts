import type { IExecuteFunctions } from 'n8n-workflow';

import type { LocalTime } from '../../report/dailyLog/days';
import { afterStop, laterLog, type DailyLog, type StartedBy } from '../../report/dailyLog/dailyLog';
import type { DailyLogStore } from '../../report/dailyLog/logRun';
import { readDailyLog, writeDailyLog } from '../../report/dailyLog/stored';
import { runtime } from '../../api/clock';
import { isTimeZone } from '../../subscriber/timeZones';
import { runDataOf } from '../context';
import { SyncStore, type MemoryOwner } from './syncStore';

/** The daily logs of Syncs, in this process and in n8n's static data. */
export const dailyLogs = new SyncStore<DailyLog>({
	name: 'diary',
	choose: laterLog,
	read: readDailyLog,
	write: writeDailyLog,
});

/** The daily log of this node. Whatever becomes of it, Sync opens and closes the same feeds. */
export function dailyLogFor(context: IExecuteFunctions, owner: MemoryOwner): DailyLogStore {
	const given = context.getTimezone();
	const zone = isTimeZone(given) ? given : 'UTC';
	const run = { startedAt: runtime.clock.date(), startedBy: startedBy(context) };
	return { ...dailyLogs.of(context, owner), local: localTime(zone), zone, run };
}

/** Notes that a sync run stopped, and why. */
export function logStop(store: DailyLogStore, at: number, error: Error): void {
	const { local, run } = store;
	store.keep(afterStop(store.load(), { at, local, run, message: error.message }));
}

/** Types of nodes that start a workflow at times that one knows beforehand. */
const SCHEDULES = ['scheduleTrigger', 'cron', 'interval'].map((name) => `n8n-nodes-base.${name}`);

function startedBy(context: IExecuteFunctions): StartedBy {
	const mode = context.getMode();
	if (mode === 'manual') return 'hand';
	const { active } = context.getWorkflow();
	if (!active && ['cli', 'retry', 'trigger'].includes(mode)) return 'unpublished';
	return mode === 'trigger' && hasScheduleRun(context) ? 'schedule' : 'other';
}

function hasScheduleRun(context: IExecuteFunctions): boolean {
	const { runData = {} } = runDataOf(context)?.resultData ?? {};
	const before = context.getParentNodes(context.getNode().name);
	return before.some(({ name, type }) => SCHEDULES.includes(type) && name in runData);
}

/** Dates and times in a time zone. */
function localTime(timeZone: string): LocalTime {
	// Swedish dates and times are in the form of ISO 8601.
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone,
		dateStyle: 'short',
		timeStyle: 'short',
	});
	return (time) => format.format(time);
}
