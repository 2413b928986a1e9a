/** The title of a run: one line, for the subject of an email and the heading of the page. */

import { counted, feeds } from './names';
import { countsText } from './page/blocks';
import { dayCounts } from './page/day';
import type { ToldRun } from './run';
import { warningTitles } from './warnings';

/** What went wrong, and then what happened. */
export function titleOf(run: ToldRun): string {
	const { settings, channel, isWrong } = run;
	const start = settings.dryRun ? 'DRY RUN: ' : '';
	const what = isWrong ? [] : [settings.dryRun ? nextText(run) : countsText(dayCounts(run))];
	return `${start}${[...warningTitles(run), ...what].join(', ')} (${channel})`;
}

/** What the next run would do, in a few words. */
function nextText({ nextRun, updated }: ToldRun): string {
	const { opening = [], closing = [] } = nextRun ?? {};
	const parts = [
		opening.length > 0 ? `open ${feeds(opening.length)}` : '',
		closing.length > 0 ? `close ${feeds(closing.length)}` : '',
		updated.length > 0 ? `change ${counted(updated.length, 'subscriber')}` : '',
	].filter((part) => part !== '');
	return `the next run would ${parts.join(' and ') || 'change nothing'}`;
}
