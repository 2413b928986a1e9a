/** The page of a run: one row for each part, in the order of the page. */

import type { ToldRun } from '../run';
import { warningBlocks } from '../warnings';
import { isEmptyBlock, words, type Block } from './blocks';
import { dayBlocks } from './day';
import {
	changedBlocks,
	countsBlock,
	dryRunBlocks,
	durationBlock,
	guestBlocks,
	nextRunBlocks,
	notOwnBlock,
	statusesBlock,
	waitingBlock,
} from './run';

/** A part of the page, and the runs whose page has it. */
interface Part {
	on: 'dryRun' | 'everyRun' | 'realRun';
	blocks: (run: ToldRun) => Block[];
}

const PARTS: readonly Part[] = [
	{ on: 'dryRun', blocks: dryRunBlocks },
	{ on: 'everyRun', blocks: warningBlocks },
	{ on: 'dryRun', blocks: nextRunBlocks },
	{ on: 'realRun', blocks: dayBlocks },
	{ on: 'realRun', blocks: (run) => [waitingBlock(run)] },
	{ on: 'everyRun', blocks: (run) => [countsBlock(run)] },
	{ on: 'realRun', blocks: changedBlocks },
	{ on: 'everyRun', blocks: (run) => [statusesBlock(run)] },
	{ on: 'dryRun', blocks: (run) => [durationBlock(run)] },
	{ on: 'everyRun', blocks: (run) => [notOwnBlock(run)] },
	{ on: 'dryRun', blocks: guestBlocks },
	{
		on: 'dryRun',
		blocks: () => [
			words('Nobody gets emails about later runs unless a node after Sync sends them.', 'quiet'),
		],
	},
];

export function pageOf(run: ToldRun): Block[] {
	const kind = run.settings.dryRun ? 'dryRun' : 'realRun';
	return PARTS.filter(({ on }) => on === 'everyRun' || on === kind)
		.flatMap(({ blocks }) => blocks(run))
		.filter((block) => !isEmptyBlock(block));
}
