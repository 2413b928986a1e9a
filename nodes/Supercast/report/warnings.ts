/**
 * What a person should know about a run of Sync: one row for each warning. The title, the page, the
 * hints, the error and the alert all read these rows. To add a warning, add a row.
 */

import { unclearIn } from '../access/rules';
import { errorOfFailures } from './failures';
import { leftOutOf, remediesFor, whatIsMissing } from './incomplete';
import { conflictTexts } from './conflicts';
import { feedNow, feeds, joinNames, personKey, numberText, personName } from './names';
import { isEmptyBlock, listBlock, words, type Block } from './page/blocks';
import { listedIn } from './numbers';
import { closedFeedOf } from './openFeeds';
import { adviceOn, reasonText, stateText, whyLeft } from './reasons';
import type { ExceededLimit, ToldRun } from './run';
import { incompleteTexts, limitTexts, wrongTexts } from './stops';
import { causeOf, groupLine, unclearGroups } from './unclear';
import { aboutPeople, stop, type Concern, type Warning } from './warning';

export const WARNINGS = {
	wrong: stop(wrongTexts, (run) => ({
		count: run.plan.wrong?.kind === 'tooManyOpenings' ? run.plan.opening.wanted : listedIn(run),
		...{ who: [], about: [run.plan.wrong?.kind ?? ''] },
	})),
	overLimit: stop(limitTexts, ({ exceeded }) => ({
		count: countOver(exceeded),
		who: (exceeded?.due ?? []).map(personKey),
	})),
	incomplete: {
		...stop(incompleteTexts, ({ incomplete }) => ({
			...{ count: 1, who: [] },
			about: incomplete.map(({ kind }) => kind),
		})),
		title: (run) => {
			const often = incompleteTexts(run)?.title;
			if (often !== undefined || run.isWrong) return often ?? '';
			return run.incomplete.length === 0 ? '' : 'the list is incomplete';
		},
		blocks: (run) => {
			const { incomplete, isWrong } = run;
			const often = incompleteTexts(run);
			if (isWrong || incomplete.length === 0) return [];
			if (often !== undefined) return [words(`${often.message}. ${often.description}`)];
			return [
				words(
					`The list ${whatIsMissing(incomplete)}, so it is incomplete. Sync opens feeds, but closes no feeds. ${remediesFor(incomplete)}`,
				),
				listBlock('Left out, so their feeds stay as they are', 'attention', leftOutOf(incomplete)),
			];
		},
	},
	failed: {
		...aboutPeople(
			({ failed }) => failed,
			(count) => `${count} failed`,
			(failed, { others }) => [
				listBlock(
					'Failed. The next run tries again',
					'attention',
					failed.map((one) => `${personName(one)}: ${reasonText(one, others)}`),
				),
			],
		),
		error: errorOfFailures,
	},
	conflicts: aboutPeople(
		({ conflicts }) => conflicts,
		(count, isOne) => `${count} ${isOne ? 'conflict' : 'conflicts'}`,
		(conflicts) => [
			listBlock(
				'Conflicts. Until they are resolved, nothing changes for these people',
				'attention',
				conflicts.map((one) => {
					const { what, cure } = conflictTexts(one.person ?? NOBODY);
					return `${personName(one)} (${feedNow(one.person ?? NOBODY)}): ${what}. ${cure}`;
				}),
			),
		],
	),
	unclear: {
		title: ({ unclear, isWrong }) =>
			unclear.length === 0 || isWrong ? '' : `${numberText(unclear.length)} unclear`,
		blocks: ({ unclear, others, isWrong }) => {
			const groups = isWrong ? [] : unclearGroups(unclear, others);
			return [
				listBlock(
					'Unclear, so the feed stays as it is',
					'attention',
					groups.map((group) => groupLine(group)),
				),
			];
		},
		concern: ({ unclear, others, isWrong }) => {
			if (unclear.length === 0 || isWrong) return undefined;
			const causes = unclear.flatMap((person) =>
				unclearIn(person).map((record) => causeOf(record, others).what),
			);
			const who = unclear.map((person) => personKey({ person }));
			return { count: unclear.length, who, about: [...new Set(causes)] };
		},
	},
	withoutFeed: aboutPeople(
		({ withoutFeed }) => withoutFeed,
		(count, isOne) => `${count} ${isOne ? 'pays' : 'pay'} without an open feed`,
		(some, { others }) => [
			listBlock(
				'Pays, and has no open feed',
				'attention',
				some.map((one) =>
					`${personName(one)}: ${reasonText(one, others)}. ${adviceOn(one, 'open').remedy}`.trim(),
				),
			),
		],
	),
	partlyOpen: aboutPeople(
		({ partlyOpen }) => partlyOpen,
		(count, isOne) => `${count} ${isOne ? 'has' : 'have'} a closed feed`,
		(some) => [
			listBlock(
				'Pays, and one of several feeds is not open. Check them in Supercast',
				'attention',
				some.map((one) => `${personName(one)}: ${stateText(closedFeedOf(one) ?? '')}`),
			),
		],
	),
	notClosed: aboutPeople(
		({ notClosed }) => notClosed,
		(count) => `${count} could not be closed`,
		(some) => [
			words(
				`These feeds should close: ${joinNames(some.map((one) => personName(one)))}. They have no customer ID, so they may be those of people on the list who have no subscriber. They close when everyone on the list with Open has a subscriber. Or close them in Supercast.`,
			),
		],
	),
	endedNotOwn: aboutPeople(
		({ endedNotOwn }) => endedNotOwn,
		(count) => `${count} to close by hand`,
		(some) => [
			listBlock(
				"Ended, but the feed has no customer ID, so Sync does not close it. Close it with Feed: Deactivate, or enter the person in 'Never Close'",
				'attention',
				some.map((one) => `${personName(one)} (${whyLeft(one.ended)})`),
			),
		],
	),
	supercastListIsShort: {
		blocks: ({ areAllSubscribers }) =>
			areAllSubscribers
				? []
				: [
						words(
							'Supercast may not have listed all subscribers, so feeds that should close may stay open. The next run reads the list again.',
						),
					],
		concern: ({ areAllSubscribers, isWrong }) =>
			areAllSubscribers || isWrong ? undefined : { count: 1, who: [] },
	},
	nothingRemembered: {
		blocks: ({ remembersNothing, waiting }) =>
			remembersNothing && waiting.length > 0
				? [
						words(
							'Sync remembers no list before this one, which is normal for a first run. If each run says this, n8n keeps nothing between runs, and Sync closes no feeds. Then let one n8n process run the schedule.',
						),
					]
				: [],
	},
	noClosings: {
		blocks: ({ exceeded, plan }) =>
			exceeded === undefined || plan.closing.percent !== 0
				? []
				: [
						words(
							`'Max Close (%)' is 0, so no feed closes, and no email changes. This concerns ${feeds(countOver(exceeded))}.`,
						),
					],
	},
	leftOut: {
		blocks: ({ outcomes }) => {
			const some = outcomes.filter(({ leftOut = [] }) => leftOut.length > 0);
			const lines = some.map((one) => `${personName(one)}: ${(one.leftOut ?? []).join('; ')}`);
			return [listBlock('Fields that were left out', 'attention', lines)];
		},
	},
	usedAllowances: {
		blocks: ({ uselessAllowances: over }) =>
			over.length === 0
				? []
				: [
						words(
							`In 'Allow Once', ${over.map(({ text }) => `"${text}"`).join(', ')} means nothing any more. You can leave it there.`,
							'quiet',
						),
					],
	},
} satisfies Record<string, Warning>;

const NOBODY = {
	...{ records: [], subscribers: [], customerIds: [], email: '', emailKey: '' },
	access: 'keep' as const,
};

const ROWS = Object.entries(WARNINGS) as Array<[string, Warning]>;

/** The rows that say why a run does less than it should. */
const STOPS: readonly string[] = ['wrong', 'overLimit', 'incomplete'] satisfies Array<
	keyof typeof WARNINGS
>;

/** What the title says about warnings. */
export function warningTitles(run: ToldRun, which: 'others' | 'stops'): string[] {
	return ROWS.filter(([kind]) => STOPS.includes(kind) === (which === 'stops'))
		.map(([, { title }]) => title?.(run) ?? '')
		.filter((one) => one !== '');
}

/** The blocks of all warnings, or of those that say why a run stops, or of the others. */
export function warningBlocks(run: ToldRun, which: 'all' | 'others' | 'stops' = 'all'): Block[] {
	return ROWS.filter(([kind]) => which === 'all' || STOPS.includes(kind) === (which === 'stops'))
		.flatMap(([, { blocks }]) => blocks(run))
		.filter((block) => !isEmptyBlock(block));
}

/** What fails a real run, by its kind. */
export function warningErrors(run: ToldRun): Array<[string, Error]> {
	if (run.settings.dryRun) return [];
	return ROWS.flatMap(([kind, { error }]) => {
		const one = error?.(run);
		return one === undefined ? [] : [[kind, one] as [string, Error]];
	});
}

/** Each problem that someone must be told about, by its kind. */
export function concerns(run: ToldRun): Array<[string, Concern]> {
	return ROWS.flatMap(([kind, { concern }]) => {
		const one = concern?.(run);
		return one === undefined ? [] : [[kind, one] as [string, Concern]];
	});
}

/** How many feeds the limit concerns: those that would close, and those that would go to another email. */
function countOver(exceeded?: ExceededLimit): number {
	return (exceeded?.due.length ?? 0) + (exceeded?.moves ?? 0);
}
