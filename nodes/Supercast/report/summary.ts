/** What a run of Sync did, in numbers and in sentences for an email. */

import type { AppliedDecision } from '../access/apply';
import { cannotCloseTexts, type CannotClose } from '../access/sync/leaving';
import { countActions, type SyncPlan } from '../access/sync/plan';
import { USUAL_PERCENT } from '../access/parameters';
import { isConflict, OBSTACLES } from '../access/reasons';
import type { AccessAction, AccessDecision } from '../access/rules';
import type { SyncSettings } from '../access/settings';
import { reasonText } from './wording';
import { textPage } from './page/blocks';
import { pageOf } from './page/compose';
import { dayTitle, yesterdayIn, type DayFacts } from './page/day';
import { htmlPage } from './page/html';
import { emailOf, feeds } from './page/names';
import type { RunNumbers } from './page/run';
import { missingPartTitle, type MissingPart } from '../access/sync/list/missingPart';
import { shortTitle, type ShortList } from '../access/sync/list/wholeList';

export interface Summary extends Record<AccessAction, number> {
	action: 'summary';
	dryRun: boolean;
	/** Whether the run did nothing, because an earlier one had not ended. */
	skipped: false;
	/** One line, for the subject of an email. */
	title: string;
	/** Several lines, for the body of an email. */
	text: string;
	/** The same report for the body of an email in HTML. */
	html: string;
	failed: number;
	/** How many feeds should be closed and could not be, also with an earlier list. */
	stuck: number;
	/** How many people are on the list. */
	listed: number;
	/** How many feeds are open after the run. */
	open: number;
	/** How many of the membership system's records the workflow has not read. */
	recordsMissing: number;
	keptByReason: Record<string, number>;
	conflicts: string[];
	/** How many members' feeds Sync could not close if they left, by reason. */
	cannotClose: Record<string, number>;
	planned: Record<AccessAction, number>;
	limit: {
		inScope: number;
		maxClosings: number;
		maxOpenings: number | null;
		exceeded: string | null;
		raised: string | null;
	};
	[key: string]: unknown;
}

export interface Facts {
	/** The decisions as applied. */
	outcomes: readonly AppliedDecision[];
	plan: SyncPlan;
	settings: SyncSettings;
	cannotClose: CannotClose;
	/** Whether this list must not close any feeds. */
	closesNone: boolean;
	/** How many people's fields Supercast shows differently than they were written, for the first time. */
	held: number;
	/** Sentences about the list and the clock. */
	warnings: readonly string[];
	/** What is missing from the list. Undefined if it is whole. */
	short?: ShortList;
	/** The membership system that is missing from a joined list. */
	missingPart?: MissingPart;
	/** What the diary says after a real run. */
	day?: DayFacts;
	/** How many requests a minute the credential allows. 0 for no limit. */
	perMinute: number;
}

/** The output item of a run that did nothing, because an earlier one had not ended. */
export const SKIPPED_SUMMARY = {
	action: 'summary',
	skipped: true,
	title: 'Sync did nothing, because an earlier run has not ended',
	text: 'An earlier execution of this workflow is still running Sync, so this one did nothing. The next execution reads a new list.',
};

/**
 * Counts what a run did, and describes it.
 * @param done The outcomes that did not fail.
 */
export function summaryOf(facts: Facts, done: readonly AppliedDecision[]): Summary {
	const { outcomes, plan, settings, cannotClose, short } = facts;
	const counted = countActions(done);
	const closed = done.filter(
		(one) => one.action === 'closed' && one.subscriber.state === 'available',
	).length;
	const conflicts = done.filter(isConflict);
	const numbers = {
		...counted,
		failed: outcomes.length - done.length,
		stuck: outcomes.filter(({ stuckSince }) => stuckSince !== undefined).length,
		listed: plan.listed,
		open: plan.open + counted.created + counted.reopened - closed,
		keptByReason: keptByReason(done),
	};
	const title = titleOf({ ...numbers, conflicts: conflicts.length }, facts);
	const warnings = [
		...cannotCloseTexts(cannotClose, settings),
		...facts.warnings,
		raisedLimit(settings) ?? '',
	];
	const page = pageOf({ ...facts, numbers, conflicts, warnings });
	return {
		action: 'summary',
		dryRun: settings.dryRun,
		skipped: false,
		title,
		text: textPage(page),
		html: htmlPage(title, page),
		...numbers,
		recordsMissing: short === undefined ? 0 : short.expected - short.read,
		conflicts: conflicts.map((one) => `${emailOf(one)}: ${reasonText(one)}`),
		cannotClose: Object.fromEntries(
			[...cannotClose].map(([reason, count]) => [OBSTACLES[reason].text, count]),
		),
		planned: plan.planned,
		limit: limitOf(plan, settings),
	};
}

function limitOf(plan: SyncPlan, settings: SyncSettings): Summary['limit'] {
	return {
		inScope: plan.inScope,
		maxClosings: plan.maxClosings,
		maxOpenings: settings.maxOpen ?? null,
		exceeded: plan.exceeded?.message ?? null,
		raised: raisedLimit(settings) ?? null,
	};
}

/** The most frequent reason comes first. All conflicts count as one reason. */
function keptByReason(done: readonly AccessDecision[]): Record<string, number> {
	const kept = new Map<string, number>();
	done.forEach((one) => {
		if (one.action !== 'kept' && one.reason !== 'notTaken') return;
		const reason = isConflict(one) ? 'conflict' : reasonText(one);
		kept.set(reason, (kept.get(reason) ?? 0) + 1);
	});
	return Object.fromEntries([...kept].sort(([, one], [, other]) => other - one));
}

/** A limit that was raised for one run must not stay raised unnoticed. */
export function raisedLimit({ maxClosePercent }: SyncSettings): string | undefined {
	if (maxClosePercent <= USUAL_PERCENT) return undefined;
	return `'Max Close (%)' is ${maxClosePercent}. If you raised it temporarily, set it back to ${USUAL_PERCENT}.`;
}

interface TitleNumbers extends RunNumbers {
	conflicts: number;
}

/** Yesterday's numbers. Without them, those of the run. Then what went wrong. */
function titleOf(numbers: TitleNumbers, facts: Facts): string {
	const { plan, day, closesNone, settings } = facts;
	const { dryRun } = settings;
	const start = dryRun ? 'DRY RUN: ' : 'Supercast: ';
	if (plan.exceeded !== undefined) return `${start}Sync would refuse to run`;
	const trouble = troubleOf(numbers, facts);
	const end = closesNone && facts.short === undefined ? ', and none may close' : '';
	const yesterday = day && yesterdayIn(day);
	if (yesterday !== undefined) return [dayTitle(yesterday), ...trouble].join(', ') + end;
	const parts = [...doneIn(numbers, dryRun), ...trouble];
	const nothing = `no feed ${dryRun ? 'would' : 'had to'} open${closesNone ? '' : ' or close'}`;
	return `${start}${parts.join(', ') || nothing}${end}`;
}

function doneIn({ created, reopened, closed }: RunNumbers, dryRun: boolean): string[] {
	const opened = created + reopened;
	return [
		opened > 0 ? `${feeds(opened)} ${dryRun ? 'would open' : 'opened'}` : '',
		closed > 0 ? `${feeds(closed)} ${dryRun ? 'would close' : 'closed'}` : '',
	].filter((one) => one !== '');
}

function troubleOf(numbers: TitleNumbers, { held, short, missingPart }: Facts): string[] {
	const { failed, stuck, conflicts } = numbers;
	return [
		failed > 0 ? `${failed} failed` : '',
		stuck > 0 ? `${stuck} could not be closed` : '',
		conflicts > 0 ? `${conflicts} ${conflicts === 1 ? 'needs' : 'need'} a decision` : '',
		held > 0 ? `${held} shown differently` : '',
		shortTitle(short),
		missingPartTitle(missingPart),
	].filter((one) => one !== '');
}
