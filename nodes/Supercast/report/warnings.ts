/**
 * What a person should know about a run of Sync: one row for each warning. The page, the text, the
 * title of the email and the hints in the editor all read these rows. To add a warning, add a row.
 */

import { PROBE } from '../api/errors/errors';
import { USUAL_PERCENT } from '../access/parameters';
import { CONFLICTS, LIST_REASONS, OBSTACLES } from '../access/reasons';
import { hasTooMany, recordsOf } from '../access/sync/list/completeList';
import { HOUR_MS } from '../access/sync/plan';
import { LIST_WARNINGS, prefixNames, type Warning } from './listWarnings';
import { FEW_LINES, isEmptyBlock, listBlock, words, type Block } from './page/blocks';
import { emailOf, joinNames, joinPeople, personName } from './page/names';
import { stuckText } from './failures';
import { detailsOf, incompletenessOf } from './incomplete';
import { refusalTexts } from './refusals';
import type { ToldRun } from './run';
import { reasonText, statusText, whoLeft } from './wording';

export const WARNINGS = {
	refused: {
		isFirst: true,
		blocks: (run) => {
			const texts = refusalTexts(run);
			return texts === undefined ? [] : [words(`${texts.message}. ${texts.description}`)];
		},
	},
	failed: {
		title: ({ failed }) => (failed.length === 0 ? '' : `${failed.length} failed`),
		blocks: ({ failed }) => [
			listBlock(
				'Failed. The next run retries',
				'attention',
				failed.map((one) => `${personName(one)}: ${one.error.message}`),
				{ most: FEW_LINES },
			),
		],
	},
	conflicts: {
		title: ({ conflicts: { length } }) =>
			length === 0 ? '' : `${length} ${length === 1 ? 'needs' : 'need'} a decision`,
		blocks: ({ conflicts }) => [
			listBlock(
				'Needs a decision',
				'attention',
				conflicts.map((one) => {
					const what = reasonText(one).replace(/^conflict: /, '');
					return `${personName(one)}: ${what}. ${CONFLICTS[one.reason].remedy}`;
				}),
				{ most: FEW_LINES },
			),
		],
	},
	unclear: {
		title: ({ unclear }) => (unclear.length === 0 ? '' : `${unclear.length} unclear`),
		blocks: ({ unclear }) => {
			const lines = unclear.map((one) => `${personName(one)} (${statusText(one) || 'no status'})`);
			if (lines.length === 0) return [];
			return [
				listBlock('Unclear, so nothing changed', 'attention', lines, { most: FEW_LINES }),
				words(
					'For these people, \'Access\' is neither open, keep nor close. Sync leaves their feeds as they are. Decide what their status means. Enter it in the node that chooses who is a member. In the workflows of this package, it is "Who Counts".',
				),
			];
		},
	},
	incompleteList: {
		title: ({ short }) => (short === undefined ? '' : `the list ${incompletenessOf(short)}`),
		blocks: ({ short }) =>
			short === undefined
				? []
				: [
						words(
							`The list is incomplete. It ${incompletenessOf(short, ' of your membership system')}. Sync opens feeds, but closes no feeds. ${detailsOf(short)}`.trim(),
						),
					],
	},
	tooManyRecords: {
		blocks: ({ settings, counts }) => {
			const { recordsExpected: expected = 0 } = settings;
			const read = recordsOf(settings, counts);
			if (!hasTooMany(settings, counts)) return [];
			return [
				words(
					`The workflow has read ${read} records, but your membership system has ${expected}. Check 'Expected Number of Records'. With a wrong number, Sync cannot know whether the list is complete.`,
				),
			];
		},
	},
	missingPart: {
		title: ({ missingPart }) =>
			missingPart === undefined ? '' : `the list has nobody with ${prefixNames(missingPart)}`,
		blocks: ({ missingPart }) => {
			if (missingPart === undefined) return [];
			const { feeds } = missingPart;
			const open = feeds === 1 ? '1 open feed has' : `${feeds} open feeds have`;
			return [
				words(
					`A part of the list may be missing. Nobody on it has a customer ID with ${prefixNames(missingPart)}, but ${open}. Sync closes no such feed. Check the node that reads these members. If you no longer use that system, remove its prefix from 'Customer ID Prefix'. Then close the feeds with Feed: Deactivate.`,
				),
			];
		},
	},
	...LIST_WARNINGS,
	closesNoFeeds: {
		title: (run) => (run.closesNoFeeds && run.short === undefined ? 'no feed may close' : ''),
		blocks: ({ snapshot: { noClosingReason: reason, unexpected } }) => {
			if (unexpected !== undefined) return [words(unexpectedList(unexpected))];
			// An incomplete list has its own row.
			if (reason === undefined || reason === 'membersIncomplete') return [];
			const { text, remedy } = LIST_REASONS[reason];
			return [words(`Sync closes no feeds in this run (${text}). ${remedy}`.trim())];
		},
	},
	unlisted: {
		blocks: ({ areSomeUnlisted }) =>
			areSomeUnlisted ? [words(unexpectedList('it does not show everyone'))] : [],
	},
	mayBeListed: {
		blocks: ({ outcomes }) => {
			const open = outcomes.filter(({ reason }) => reason === 'mayBeListed');
			if (open.length === 0) return [];
			return [
				words(
					`${whoLeft(open)}, but still open: ${joinNames(open.map(emailOf))}. They have no customer ID, and may be members for whom Sync found no subscriber. Sync can close their feeds once all members on the list have a subscriber.`,
				),
			];
		},
	},
	stuck: {
		title: ({ numbers: { stuck } }) => (stuck === 0 ? '' : `${stuck} could not be closed`),
		blocks: ({ outcomes }) => {
			const stuck = outcomes.flatMap((one) => stuckText(one));
			if (stuck.length === 0) return [];
			return [
				words(
					`These feeds should be closed, but could not be: ${joinNames(stuck)}. Check them in Supercast, and close them there.`,
				),
			];
		},
	},
	overLimit: {
		blocks: (run) => {
			const waiting = run.closingSoon.filter(({ reason }) => reason === 'overLimit');
			if (waiting.length === 0) return [];
			const { plan, settings } = run;
			const label = plan.maxClosings === settings.maxClose ? 'Max Close (Feeds)' : 'Max Close (%)';
			const most = plan.maxClosings === 0 ? 'no feeds' : `at most ${plan.maxClosings}`;
			return [
				words(
					`'${label}' lets Sync close ${most} in one run. These feeds stay open until a later run: ${joinPeople(waiting.map(personName))}.`,
				),
			];
		},
	},
	notTaken: {
		title: ({ notTaken }) => (notTaken.length === 0 ? '' : `${notTaken.length} shown differently`),
		blocks: ({ notTaken }) => {
			const names = notTaken.map(
				({ subscriber, fields }) => `${subscriber.email} (${fields.join(', ')})`,
			);
			if (names.length === 0) return [];
			return [
				words(
					`Supercast shows other values than Sync wrote: ${joinNames(names)}. Sync skips these fields until your list changes. If Supercast changes names itself, you need do nothing. If it shows the old email, the member may have to confirm the new one.`,
				),
			];
		},
	},
	forgotten: {
		blocks: ({ hasForgotten, plan: { decisions } }) => {
			if (!hasForgotten || !decisions.some(({ reason }) => reason === 'waits')) return [];
			return [
				words(
					"The previous list came more than 30 hours ago, so Sync counts the lists again from this one. If your lists always come so rarely, set 'Close After (Lists)' to 1.",
				),
			];
		},
	},
	clock: {
		blocks: ({ snapshot: { endedAt, time } }) => {
			const skewMs = Math.abs(endedAt - time);
			const hours = Math.round(skewMs / HOUR_MS);
			if (skewMs < HOUR_MS) return [];
			const difference = hours === 1 ? 'an hour' : `${hours} hours`;
			return [
				words(
					`The clock of your n8n server differs from Supercast's by ${difference}. Sync uses Supercast's time.`,
				),
			];
		},
	},
	cannotClose: {
		blocks: ({ cannotClose, settings: { close } }) => {
			if (close === 'none') return [];
			return [...cannotClose].map(([reason, count]) => {
				const who = count === 1 ? '1 member on the list' : `${count} members on the list`;
				return words(
					`Sync cannot close the feeds of ${who} when they leave. ${OBSTACLES[reason].remedy}`,
				);
			});
		},
	},
	raisedLimit: {
		blocks: ({ settings: { maxClosePercent: percent } }) =>
			percent <= USUAL_PERCENT
				? []
				: [
						words(
							`'Max Close (%)' is ${percent}. If you raised it temporarily, set it back to ${USUAL_PERCENT}.`,
						),
					],
	},
} satisfies Record<string, Warning>;

const ROWS: readonly Warning[] = Object.values(WARNINGS);

/** What the title says about all warnings. */
export function warningTitles(run: ToldRun): string[] {
	return ROWS.map(({ title }) => title?.(run) ?? '').filter((one) => one !== '');
}

/** The blocks of the warnings that apply: those that come first, the others, or all. */
export function warningBlocks(run: ToldRun, which: 'all' | 'first' | 'others' = 'all'): Block[] {
	const rows = ROWS.filter(
		({ isFirst = false }) => which === 'all' || isFirst === (which === 'first'),
	);
	return rows.flatMap(({ blocks }) => blocks(run)).filter((block) => !isEmptyBlock(block));
}

function unexpectedList(what: string): string {
	return `Supercast's list of subscribers is not as expected: ${what}. Sync opens feeds, but closes no feeds. To find the difference, run ${PROBE}.`;
}
