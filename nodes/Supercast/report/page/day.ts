/** What happened yesterday, as the daily log has it. */

import { dateOf, daysBefore, type Day, type LocalTime, type Named } from '../dailyLog/days';
import { nextSyncRunOf, type DailyLog } from '../dailyLog/dailyLog';
import type { RunTimes } from '../dailyLog/logRun';
import {
	countsText,
	dateText,
	FEW_LINES,
	listBlock,
	weekdayOf,
	type Block,
	type ChartDay,
	type Count,
	type Tone,
} from './blocks';

/** The chart shows this many days. */
const CHART_DAYS = 30;

export interface DayFacts extends RunTimes {
	/** After the run. */
	dailyLog: DailyLog;
	/** When the run ended, in milliseconds since 1970. */
	at: number;
}

/** A day of which it is known how many feeds were open. */
type KnownDay = Day & ChartDay;

function isKnown(day: Day | undefined): day is KnownDay {
	return day?.open !== undefined;
}

/** Undefined if nobody knows what happened yesterday. */
export function yesterdayIn(facts: DayFacts): KnownDay | undefined {
	const day = dayIn(facts, 1);
	return isKnown(day) ? day : undefined;
}

function dayIn({ dailyLog, at, local }: DayFacts, daysAgo: 0 | 1): Day | undefined {
	const date = daysBefore(dateOf(local, at), daysAgo);
	return dailyLog.days.find((one) => one.date === date);
}

/** Such as "Yesterday: 3 joined, 1 left, 812 open". */
export function dayTitle({ opened, closed, open }: KnownDay): string {
	const [left, joined, level] = countsOf({ opened, closed, open });
	return `Yesterday: ${countsText([joined, left, level])}`;
}

function countsOf({ opened, closed, open }: Omit<ChartDay, 'date'>): [Count, Count, Count] {
	return [
		{ count: closed, label: 'left', tone: 'closed' },
		{ count: opened, label: 'joined', tone: 'open' },
		{ count: open, label: 'open', tone: 'number' },
	];
}

/** The counts and the names of yesterday. On the first day, those of today. */
export function dayBlocks(facts: DayFacts): Block[] {
	const yesterday = yesterdayIn(facts);
	const today = dayIn(facts, 0);
	const day = yesterday ?? today;
	if (!isKnown(day) || !isKnown(today)) return [];
	const since =
		yesterday === undefined || today.opened + today.closed === 0
			? ''
			: `Today so far: ${countsText(countsOf(today))}.`;
	return [
		{
			kind: 'counts',
			title: `${day === today ? 'Today' : weekdayOf(day.date)}, ${dateText(day.date)}`,
			counts: countsOf(day),
		},
		namesBlock('Left', 'closed', day.closedNames, day.closed),
		namesBlock('Joined', 'open', day.openedNames, day.opened),
		{ kind: 'words', text: since, tone: 'quiet' },
	];
}

function namesBlock(title: string, tone: Tone, names: readonly Named[], count: number): Block {
	const lines = names.map(({ email, why }) => {
		if (email === '') return 'a subscriber who was deleted';
		return why === '' ? email : `${email} (${why})`;
	});
	return listBlock(title, tone, lines, { most: FEW_LINES, count });
}

/** Which sync runs stopped. */
export function stopsBlock(facts: DayFacts): Block {
	const days = [dayIn(facts, 1), dayIn(facts, 0)];
	const lines = days.flatMap((day) => (day?.stops === undefined ? [] : [stopText(day, facts)]));
	return listBlock('Sync runs that stopped', 'attention', lines);
}

function stopText({ stops }: Day, facts: DayFacts): string {
	const { count, first, last, message } = stops ?? { count: 0, first: 0, last: 0, message: '' };
	const time = when(first, facts);
	const until = last === first ? '' : ` to ${facts.local(last).slice(11)}`;
	const runs = count === 1 ? '1 sync run' : `${count} sync runs, of which the last said`;
	return `${time}${until} (${facts.zone}): ${runs}: ${message}`;
}

/** Such as "yesterday, 3:00" or "November 24, 3:00". */
function when(time: number, { at, local }: DayFacts): string {
	const [date, clock] = [dateOf(local, time), clockText(local, time)];
	const today = dateOf(local, at);
	if (date === today) return `today, ${clock}`;
	return date === daysBefore(today, 1) ? `yesterday, ${clock}` : `${dateText(date)}, ${clock}`;
}

/** Such as "7:02". */
function clockText(local: LocalTime, time: number): string {
	return local(time).slice(11).replace(/^0/, '');
}

/** The days up to yesterday, also those without a sync run. On the first day, nothing. */
export function chartBlock(facts: DayFacts): Block {
	const { dailyLog } = facts;
	const last = yesterdayIn(facts);
	const days: ChartDay[] = [];
	for (let ago = CHART_DAYS - 1; last !== undefined && ago >= 0; ago--) {
		const date = daysBefore(last.date, ago);
		const known = dailyLog.days.filter(isKnown).find((one) => one.date === date);
		const before = days.at(-1);
		if (known !== undefined) days.push(known);
		else if (before !== undefined) days.push({ date, opened: 0, closed: 0, open: before.open });
	}
	return { kind: 'chart', days };
}

/** When this sync run ran and how it went, and whether a next one comes. */
export function lightsBlock(facts: DayFacts, result: Light): Block {
	const { at, local, zone } = facts;
	const last = `Last sync run, ${clockText(local, at)} (${zone})`;
	return {
		kind: 'lights',
		lights: [{ tone: result.tone, text: `${last}: ${result.text}` }, ...nextLights(facts)],
	};
}

interface Light {
	tone: Tone;
	text: string;
}

/** Only a schedule that has run twice tells when the next sync run comes. */
function nextLights({ dailyLog, at, local, zone, run }: DayFacts): Light[] {
	const start = 'Next sync run: ';
	switch (run.startedBy) {
		case 'hand':
			// In such a run, n8n tells no node whether the workflow is published (seen in 2.41).
			return [
				{ tone: 'quiet', text: `${start}when the workflow's schedule says, if it is published` },
			];
		case 'unpublished':
			return [{ tone: 'attention', text: `${start}none, because the workflow is not published` }];
		case 'other':
			return [];
		case 'schedule': {
			const next = nextSyncRunOf(dailyLog, at);
			if (next === undefined) return [];
			return [{ tone: 'open', text: `${start}about ${clockText(local, next)} (${zone})` }];
		}
	}
}
