/** The title of a run: one line, for the subject of an email and the heading of the page. */

import { dayTitle, yesterdayIn } from './page/day';
import { feeds } from './page/names';
import type { ToldRun } from './run';
import { warningTitles } from './warnings';

/** Yesterday's numbers. Without them, those of the run. Then what went wrong. */
export function titleOf(run: ToldRun): string {
	const { plan, day, settings } = run;
	const start = settings.dryRun ? 'DRY RUN: ' : 'Supercast: ';
	if (plan.refusal !== undefined) return `${start}Sync would refuse to run${refusedCount(run)}`;
	const yesterday = day && yesterdayIn(day);
	if (yesterday !== undefined) return [dayTitle(yesterday), ...warningTitles(run)].join(', ');
	return `${start}${[...changesIn(run), ...warningTitles(run)].join(', ') || nothingIn(run)}`;
}

/** What a run changed, or would change, about feeds. */
export function changesIn({ opening, closing, closingSoon, settings }: ToldRun): string[] {
	const { dryRun } = settings;
	// A dry run shows what the list leads to, now or with the next lists.
	const closed = closing.length + (dryRun ? closingSoon.length : 0);
	return [
		opening.length > 0 ? `${feeds(opening.length)} ${dryRun ? 'would open' : 'opened'}` : '',
		closed > 0 ? `${feeds(closed)} ${dryRun ? 'would close' : 'closed'}` : '',
	].filter((one) => one !== '');
}

function nothingIn({ settings }: ToldRun): string {
	return settings.dryRun ? 'no feed would open or close' : 'no feed had to open or close';
}

function refusedCount({ plan: { refusal } }: ToldRun): string {
	if (refusal === undefined || !('closings' in refusal) || refusal.closings === undefined)
		return '';
	const { closing, limit } = refusal.closings;
	return `, because ${feeds(closing.length)} would close and the limit is ${limit}`;
}
