/** Everything that a run of Sync tells: its items, its errors, its hints in the editor, its page. */

import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { asRecord, textOf } from '../api/json';
import type { Steps } from '../operations/steps';
import type { DayTold } from '../access/sync/memory';
import type { SyncRun } from '../access/sync/run';
import { alertOf } from './alert';
import { peopleItems, type OutputItem } from './items';
import { numbersItem } from './numbers';
import { shownLines, textOfBlock, textPage, type Block } from './page/blocks';
import { htmlPage } from './page/html';
import { pageOf } from './page/page';
import { countsBlock } from './page/run';
import { toldRun, type TellingTools, type ToldRun } from './run';
import { titleOf } from './title';
import { warningBlocks, warningErrors } from './warnings';

export interface SyncReport {
	records: OutputItem[];
	failures: Array<{ error: Error; items: readonly number[] }>;
	/** All failures in one error. It stops the node, unless On Error is set to continue. */
	error?: Error;
	/** As plain text. */
	hints: Array<{ message: string; type: 'info' | 'warning' }>;
	/** The page in HTML, which names everyone. */
	page: () => string;
	/** What to remember of the daily email. */
	told?: DayTold;
}

export function* report(run: SyncRun, tools: TellingTools): Steps<SyncReport> {
	const all = yield* toldRun(run, tools);
	yield;
	const { settings, failed } = all;
	const title = titleOf(all);
	const summary: OutputItem = { json: summaryItem(all, title), items: [] };
	yield;
	const errors = warningErrors(all);
	const people = settings.output === 'summary' ? [] : peopleItems(all);
	yield;
	const itemsOf = (one: (typeof failed)[number]): number[] =>
		(one.person?.records ?? one.ended ?? []).map(({ item }) => item);
	return {
		records: [...people, summary],
		failures: [
			...failed.map((one) => ({ error: one.error, items: itemsOf(one) })),
			// Failed changes have their items.
			...errors.filter(([kind]) => kind !== 'failed').map(([, error]) => ({ error, items: [] })),
		],
		error: joined(errors.map(([, error]) => error)),
		hints: hintsOf(all, title),
		page: () => htmlPage(title, pageOf(all, false), false),
		told: all.told,
	};
}

/** All errors in one. That of a limit ends with a text to copy, so its description comes last. */
function joined(errors: readonly Error[]): Error | undefined {
	const [first, ...others] = errors;
	if (first === undefined || others.length === 0) return first;
	const message = errors.map((one) => one.message).join('. ');
	const description = errors.map((one) => textOf(asRecord(one).description)).reverse();
	return new InputError(message, description.join(' '));
}

function summaryItem(run: ToldRun, title: string): IDataObject {
	const blocks = pageOf(run, true);
	return {
		action: 'summary',
		dryRun: run.settings.dryRun,
		title,
		text: textPage(blocks),
		html: htmlPage(title, blocks),
		alert: alertOf(run),
		numbers: numbersItem(run),
	};
}

/** A run that did nothing. It has no items, so the workflow tells nobody. */
export const SKIPPED: SyncReport = {
	records: [],
	failures: [],
	hints: [
		{
			type: 'info',
			message:
				'Sync did nothing, because an earlier run has not ended. The next execution reads a new list.',
		},
	],
	page: () => '',
};

function hintsOf(run: ToldRun, title: string): SyncReport['hints'] {
	return [
		{ type: 'info', message: `${title}. ${textOfBlock(countsBlock(run))}` },
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
	return `${block.title}: ${lines.join('; ')}.`;
}
