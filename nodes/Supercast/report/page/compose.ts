/** The page of a run: one row for each part, in the order of the page. */

import type { ToldRun } from '../run';
import { warningBlocks } from '../warnings';
import { isEmptyBlock, type Block, type Tone } from './blocks';
import { chartBlock, dayBlocks, lightsBlock, stopsBlock, type DayFacts } from './day';
import {
	changesBlock,
	closingSoonBlock,
	dryRunBlock,
	durationBlock,
	leftBeforeBlocks,
	plannedBlocks,
	skippedBlock,
	statusesBlock,
} from './run';

/** A part of the page, and the runs whose page has it. */
type Part =
	| { on: 'dryRun' | 'everyRun' | 'realRun'; blocks: (run: ToldRun) => Block[] }
	| { on: 'loggedRun'; blocks: (run: ToldRun & { day: DayFacts }) => Block[] };

const PARTS: readonly Part[] = [
	{ on: 'dryRun', blocks: (run) => [dryRunBlock(run)] },
	{ on: 'dryRun', blocks: (run) => warningBlocks(run, 'first') },
	{ on: 'dryRun', blocks: plannedBlocks },
	{ on: 'dryRun', blocks: (run) => [statusesBlock(run)] },
	{ on: 'dryRun', blocks: (run) => [durationBlock(run)] },
	{ on: 'dryRun', blocks: leftBeforeBlocks },
	{ on: 'loggedRun', blocks: ({ day }) => dayBlocks(day) },
	{ on: 'realRun', blocks: (run) => [closingSoonBlock(run)] },
	{ on: 'loggedRun', blocks: ({ day }) => [stopsBlock(day)] },
	{ on: 'everyRun', blocks: (run) => warningBlocks(run, 'others') },
	{ on: 'loggedRun', blocks: ({ day }) => [chartBlock(day)] },
	{ on: 'loggedRun', blocks: (run) => [lightsBlock(run.day, lightOf(run))] },
	{ on: 'everyRun', blocks: (run) => [changesBlock(run)] },
	{ on: 'everyRun', blocks: (run) => [skippedBlock(run)] },
];

export function pageOf(run: ToldRun): Block[] {
	return PARTS.flatMap((part) => {
		if (part.on === 'loggedRun') {
			const { day } = run;
			return day === undefined ? [] : part.blocks({ ...run, day });
		}
		const isShown = part.on === 'everyRun' || (part.on === 'dryRun') === run.settings.dryRun;
		return isShown ? part.blocks(run) : [];
	}).filter((block) => !isEmptyBlock(block));
}

/** How the run went, in a few words. */
function lightOf(run: ToldRun & { day: DayFacts }): { tone: Tone; text: string } {
	const { failed } = run.numbers;
	if (failed > 0) return { tone: 'closed', text: `${failed} failed` };
	const needed = [stopsBlock(run.day), ...warningBlocks(run)];
	return needed.every(isEmptyBlock)
		? { tone: 'open', text: 'everything in order' }
		: { tone: 'attention', text: 'see what is marked above' };
}
