/** The title of a run: one line, for the subject of an email and the heading of the page. */

import { counted, feeds } from './names';
import { countsText } from './page/blocks';
import { dayCounts } from './page/day';
import type { ToldRun } from './run';
import { warningTitles } from './warnings';

/** What went wrong, and then what happened. That of a dry run is what the next run would do. */
export function titleOf(run: ToldRun): string {
	const { settings, channel, isWrong } = run;
	const [stops, others] = [warningTitles(run, 'stops'), warningTitles(run, 'others')];
	if (settings.dryRun) {
		const next = isWrong ? [] : [nextText(run)];
		return `DRY RUN: ${[...stops, ...next, ...others].join(', ')} (${channel})`;
	}
	const day = isWrong ? [] : [countsText(dayCounts(run))];
	return `${[...stops, ...others, ...day].join(', ')} (${channel})`;
}

/** What the next run would do, in a few words. */
function nextText({ nextRun, updated }: ToldRun): string {
	const { opening = [], closing = [] } = nextRun ?? {};
	const parts = [
		opening.length > 0 ? `open ${feeds(opening.length)}` : '',
		closing.length > 0 ? `close ${feeds(closing.length)}` : '',
		updated.length > 0 ? `change ${counted(updated.length, 'subscriber')}` : '',
	].filter((part) => part !== '');
	return `the next real run would ${parts.join(' and ') || 'change nothing'}`;
}
