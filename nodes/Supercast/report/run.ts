/** A run of Sync, sorted and counted for the parts that tell it. Every sentence about a run reads this. */

import type { AppliedDecision } from '../access/apply';
import { isConflict, type Conflict } from '../access/reasons';
import type { AccessAction, AccessDecision } from '../access/rules';
import { countActions } from '../access/sync/plan';
import type { SyncRecord } from '../access/sync/record';
import type { DayFacts } from './page/day';
import { closesLater, reasonText } from './wording';

/** What a run is told with, besides its record. */
export interface TellingTools {
	/** How many requests a minute the credential allows. 0 for no limit. */
	perMinute: number;
	/** What the daily log says after a real run. */
	day?: DayFacts;
}

/** An outcome that failed. */
export type FailedDecision = AppliedDecision & { error: Error };

export interface RunNumbers extends Record<AccessAction, number> {
	failed: number;
	/** How many feeds should be closed and could not be, also with an earlier list. */
	stuck: number;
	/** How many people are on the list. */
	listed: number;
	/** How many feeds close with a later list, unless that list has the person. */
	closingSoon: number;
	/** How many feeds are open after the run. A dry run includes those that would close later. */
	open: number;
	keptByReason: Record<string, number>;
}

export interface ToldRun extends SyncRecord, TellingTools {
	numbers: RunNumbers;
	done: readonly AppliedDecision[];
	failed: readonly FailedDecision[];
	conflicts: ReadonlyArray<AppliedDecision & { reason: Conflict }>;
	/** Those whose access is unclear, each once. */
	unclear: readonly AppliedDecision[];
	/** Whose feeds have opened, or would open. */
	opening: readonly AppliedDecision[];
	/** Whose feeds have closed, or would close now. */
	closing: readonly AppliedDecision[];
	/** Whose feeds close with a later list. */
	closingSoon: readonly AppliedDecision[];
	/** Whether this list must not close any feeds. */
	closesNoFeeds: boolean;
}

export function factsOf(record: SyncRecord, tools: TellingTools): ToldRun {
	const { outcomes, snapshot, areSomeUnlisted } = record;
	const done = outcomes.filter(({ error }) => error === undefined);
	const closing = done.filter(({ action }) => action === 'closed');
	const closingSoon = done.filter(closesLater);
	return {
		...record,
		...tools,
		numbers: numbersOf(record, { done, closing, closingSoon }),
		done,
		failed: outcomes.filter((one): one is FailedDecision => one.error !== undefined),
		conflicts: done.filter(isConflict),
		unclear: onePerPerson(done.filter(({ reason }) => reason === 'unclear')),
		opening: done.filter(isOpening),
		closing,
		closingSoon,
		closesNoFeeds: snapshot.noClosingReason !== undefined || areSomeUnlisted,
	};
}

/** Someone may have several subscribers. */
function onePerPerson(some: readonly AppliedDecision[]): AppliedDecision[] {
	return [...new Map(some.map((one) => [one.member, one])).values()];
}

/** Whether a feed opens. */
export function isOpening({ action }: AccessDecision): boolean {
	return action === 'created' || action === 'reopened';
}

function numbersOf(
	{ outcomes, plan, settings }: SyncRecord,
	sorted: Pick<ToldRun, 'closing' | 'closingSoon' | 'done'>,
): RunNumbers {
	const { done, closing, closingSoon } = sorted;
	const counted = countActions(done);
	const gone = settings.dryRun ? [...closing, ...closingSoon] : closing;
	const closed = gone.filter(({ subscriber }) => subscriber?.isOpen === true).length;
	return {
		...counted,
		failed: outcomes.length - done.length,
		stuck: outcomes.filter(({ stuckSince }) => stuckSince !== undefined).length,
		listed: plan.listed,
		closingSoon: closingSoon.length,
		open: plan.open + counted.created + counted.reopened - closed,
		keptByReason: keptByReason(done),
	};
}

/**
 * Counts whom a run skipped, by reason. The most frequent reason comes first. All conflicts count
 * as one reason.
 */
export function keptByReason(done: readonly AccessDecision[]): Record<string, number> {
	const kept = new Map<string, number>();
	done.forEach((one) => {
		if (one.action !== 'kept' && one.reason !== 'notTaken') return;
		const reason = isConflict(one) ? 'conflict' : reasonText(one);
		kept.set(reason, (kept.get(reason) ?? 0) + 1);
	});
	return Object.fromEntries([...kept].sort(([, one], [, other]) => other - one));
}
