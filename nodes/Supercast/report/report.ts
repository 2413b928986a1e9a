/** Everything that a run of Sync tells: its items, its errors, its hints in the editor, its page. */

import type { IDataObject } from 'n8n-workflow';

import { NOBODY } from '../access/match';
import type { SyncSettings } from '../access/settings';
import type { SyncRecord } from '../access/sync/record';
import { errorOfFailures, incompleteListError } from './failures';
import { inAllForms, type Told } from './forms';
import { peopleItems, type OutputItem } from './items';
import { shownLines, textOfBlock, words, type Block } from './page/blocks';
import { pageOf } from './page/compose';
import { htmlPage } from './page/html';
import { skippedBlock } from './page/run';
import { factsOf, type ToldRun, type TellingTools } from './run';
import { summaryItem } from './summary';
import { titleOf } from './title';
import { warningBlocks } from './warnings';

export interface SyncReport {
	records: OutputItem[];
	failures: Array<{ error: Error; items: number[] }>;
	/** All failures in one error. It stops the node, unless On Error is set to continue. */
	error?: Error;
	hints: Array<{ message: string; type: 'info' | 'warning' }>;
	/** The page in HTML, which names everyone. */
	page: () => string;
}

export function report(record: SyncRecord, tools: TellingTools): SyncReport {
	const run = factsOf(record, tools);
	const told = { title: titleOf(run), blocks: pageOf(run) };
	const records = peopleItems(run);
	if (hasSummary(record.settings)) records.push({ json: summaryItem(run, told), items: [] });
	const listError = incompleteListError(run);
	return {
		records,
		failures: [
			...run.failed.map(({ error, member = NOBODY }) => ({ error, items: member.items })),
			...(listError === undefined ? [] : [{ error: listError, items: [] }]),
		],
		error: errorOfFailures(run) ?? listError,
		hints: hintsOf(run, told),
		page: () => htmlPage(told.title, told.blocks, false),
	};
}

const SKIPPED: Told = {
	title: 'Sync did nothing, because an earlier run has not ended',
	blocks: [
		words(
			'An earlier execution of this workflow is still running Sync, so this one did nothing. The next execution reads a new list.',
		),
	],
};

/** The report of a run that did nothing, because an earlier one had not ended. */
export function skippedReport(settings: SyncSettings): SyncReport {
	const { dryRun } = settings;
	const json: IDataObject = { action: 'summary', dryRun, skipped: true, ...inAllForms(SKIPPED) };
	return {
		records: hasSummary(settings) ? [{ json, items: [] }] : [],
		failures: [],
		hints: [{ type: 'info', message: SKIPPED.blocks.map(textOfBlock).join(' ') }],
		page: () => htmlPage(SKIPPED.title, SKIPPED.blocks, false),
	};
}

function hasSummary({ output }: SyncSettings): boolean {
	return output === 'summary' || output === 'changesAndSummary';
}

function hintsOf(run: ToldRun, { title }: Told): SyncReport['hints'] {
	const skipped = hintText(skippedBlock(run));
	const { updated, unchanged } = run.numbers;
	const changed =
		updated === 0 ? '' : `${updated} ${run.settings.dryRun ? 'would be updated' : 'updated'}, `;
	const numbers = `${title}. ${changed}${unchanged} unchanged. ${skipped}`;
	return [
		{ type: 'info', message: numbers.trim() },
		...warningBlocks(run).map((block) => ({
			type: 'warning' as const,
			message: hintText(block),
		})),
	];
}

/** So many lines of a list a hint has. */
const MOST_IN_HINT = 5;

/** A block on one line. */
function hintText(block: Block): string {
	if (block.kind !== 'list') return textOfBlock(block);
	const lines = shownLines({ ...block, most: MOST_IN_HINT }, true).map((line) =>
		line.replace(/\.$/, ''),
	);
	return lines.length === 0 ? '' : `${block.title}: ${lines.join('; ')}.`;
}
