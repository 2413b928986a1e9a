/** What the daily email says about a day. */

import type { NamedPeople } from '../../access/sync/memory';
import { counted, feeds } from '../names';
import type { ToldRun } from '../run';
import { momentText } from '../time';
import { listBlock, words, type Block, type Count, type Tone } from './blocks';

/** The counts since the last daily email. Without one, those of the run. */
export function dayCounts({ told, opened, closed, openFeeds }: ToldRun): Count[] {
	const isDay = told?.joined !== undefined;
	const [joined, left] = isDay
		? [told.joined?.count ?? 0, told.left?.count ?? 0]
		: [opened.length, closed.length];
	return [
		{ count: joined, label: isDay ? 'joined' : 'opened', tone: 'open' },
		{ count: left, label: isDay ? 'left' : 'closed', tone: 'closed' },
		{ count: openFeeds.size, label: 'open', tone: 'number' },
	];
}

export function dayBlocks(run: ToldRun): Block[] {
	const { told, settings } = run;
	const counts = dayCounts(run);
	if (told?.joined === undefined || told.since === undefined) {
		const start = told === undefined ? 'A later run says' : 'From tomorrow on, this email says';
		return [
			{ kind: 'counts', title: 'This run', counts },
			words(`${start} here who joined and who left since the day before.`, 'quiet'),
		];
	}
	const [since, until] = [told.since, told.at].map((at) => momentText(at, settings.zone));
	return [
		{ kind: 'counts', title: `${since} to ${until} (${settings.zone})`, counts },
		namesBlock('Left', 'closed', told.left),
		namesBlock('Joined', 'open', told.joined),
		words(sinceThen(run), 'quiet'),
	];
}

function namesBlock(title: string, tone: Tone, all: NamedPeople | undefined): Block {
	return listBlock(title, tone, all?.names ?? [], { count: all?.count });
}

/** What this run did, if it is not the one that the counts are about. */
function sinceThen({ told, endedAt, opened, closed }: ToldRun): string {
	if (told?.at === endedAt || opened.length + closed.length === 0) return '';
	return `This run opened ${feeds(opened.length)}, and closed ${counted(closed.length, 'feed')}.`;
}
