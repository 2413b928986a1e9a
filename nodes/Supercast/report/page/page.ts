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
	nextRunBlocks,
	statusesBlock,
	waitingBlock,
} from './run';
import { guestBlocks, keptBlock, notOwnBlock } from './unchanged';

/** A part of the page, and the runs whose page has it. */
interface Part {
	on: 'dryRun' | 'everyRun' | 'realRun';
	/** Whether only the page in the editor has it, because someone looks at this very run there. */
	isOfEditor?: true;
	blocks: (run: ToldRun, isEmail: boolean) => Block[];
}

const PARTS: readonly Part[] = [
	{ on: 'dryRun', blocks: dryRunBlocks },
	{ on: 'everyRun', blocks: (run) => warningBlocks(run, 'stops') },
	{ on: 'dryRun', blocks: nextRunBlocks },
	{ on: 'everyRun', blocks: (run) => warningBlocks(run, 'others') },
	{ on: 'realRun', blocks: dayBlocks },
	{ on: 'realRun', blocks: (run) => [waitingBlock(run)] },
	{ on: 'everyRun', blocks: (run) => [countsBlock(run)] },
	{ on: 'realRun', isOfEditor: true, blocks: changedBlocks },
	{ on: 'everyRun', blocks: (run) => [statusesBlock(run)] },
	{ on: 'dryRun', blocks: (run) => [durationBlock(run)] },
	{ on: 'everyRun', blocks: (run, isEmail) => [notOwnBlock(run, isEmail)] },
	{ on: 'dryRun', blocks: (run) => [keptBlock(run)] },
	{ on: 'dryRun', blocks: guestBlocks },
	{
		on: 'dryRun',
		blocks: () => [
			words('Nobody gets emails about later runs unless a node after Sync sends them.', 'quiet'),
		],
	},
];

/** @param isEmail Whether it is the page of an email, which is shorter than that in the editor. */
export function pageOf(run: ToldRun, isEmail: boolean): Block[] {
	const kind = run.settings.dryRun ? 'dryRun' : 'realRun';
	return PARTS.filter(({ on }) => on === 'everyRun' || on === kind)
		.filter(({ isOfEditor = false }) => !(isOfEditor && isEmail))
		.flatMap(({ blocks }) => blocks(run, isEmail))
		.filter((block) => !isEmptyBlock(block));
}
