/** A run of Sync, sorted for the parts that tell it. Every sentence about a run reads this. */

import type { AppliedDecision } from '../access/apply';
import type { Person } from '../access/people';
import { isConflict } from '../access/reasons';
import { opensFeed, unclearIn } from '../access/rules';
import { select, type Steps } from '../operations/steps';
import type { DayTold } from '../access/sync/memory';
import type { NotOwnFeed } from '../access/sync/plan';
import type { SyncRun } from '../access/sync/run';
import { dayTold } from './day';
import { closedFeedOf, hasOpenFeed, openFeedsAfter, type OpenFeeds } from './openFeeds';
import { memberAction, stateRow } from '../subscriber/states';
import { remainingLists } from './reasons';
import { othersIn, type OtherRecords } from './unclear';

/** What a run is told with, besides itself. */
export interface TellingTools {
	/** How many requests a minute the credential allows. 0 for no limit. */
	perMinute: number;
	/** The name of the channel. */
	channel: string;
}

/** What a real run would do after a dry run, if its list says the same. */
export interface NextRun {
	opening: readonly AppliedDecision[];
	closing: readonly AppliedDecision[];
	/** What lists after that one close. */
	later: readonly AppliedDecision[];
}

/** How a limit on closings is exceeded, now or, after a dry run, with the next run. */
export interface ExceededLimit {
	/** Whose feeds stay open. */
	due: readonly AppliedDecision[];
	/** How many feeds do not go to another email. */
	moves: number;
}

export interface ToldRun extends SyncRun, TellingTools {
	isWrong: boolean;
	/** Those whose feeds opened or closed, or would with this list. Nobody if the list is wrong. */
	opened: readonly AppliedDecision[];
	closed: readonly AppliedDecision[];
	updated: readonly AppliedDecision[];
	failed: ReadonlyArray<AppliedDecision & { error: Error }>;
	/** Whose feeds close with a later list that says the same. */
	waiting: readonly AppliedDecision[];
	conflicts: readonly AppliedDecision[];
	unclear: readonly Person[];
	/** Those who pay and have no open feed afterwards. */
	withoutFeed: readonly AppliedDecision[];
	/** Those who pay, and have a feed that is open and another one that is not. */
	partlyOpen: readonly AppliedDecision[];
	/** Whose feeds should close, but may be those of someone on the list. */
	notClosed: readonly AppliedDecision[];
	/** Open feeds that Sync never closes, without those that get a customer ID in this run. */
	notOwn: readonly NotOwnFeed[];
	/** Whose membership has ended on the list, and whose open feed has no customer ID. */
	endedNotOwn: readonly AppliedDecision[];
	exceeded?: ExceededLimit;
	/** Only after a dry run with a list that is not wrong. */
	nextRun?: NextRun;
	others: OtherRecords;
	openFeeds: OpenFeeds;
	/** Undefined as long as no real run has found it out. */
	told?: DayTold;
}

export function* toldRun(run: SyncRun, tools: TellingTools): Steps<ToldRun> {
	const isWrong = run.plan.wrong !== undefined;
	const changes = isWrong ? [] : run.outcomes;
	const done = yield* select(changes, ({ error }) => error === undefined);
	const waiting = yield* select(done, ({ reason }) => reason === 'waits');
	const exceeded = exceededIn(run, waiting);
	yield;
	const openFeeds = openFeedsAfter(run);
	yield;
	return {
		...{ ...run, ...tools, isWrong, openFeeds },
		opened: yield* select(done, opensFeed),
		closed: yield* select(done, ({ action }) => action === 'closed'),
		updated: yield* select(done, ({ action }) => action === 'updated'),
		failed: yield* select(changes, hasFailed),
		waiting,
		conflicts: yield* select(run.outcomes, isConflict),
		unclear: yield* select(run.people, (person) => unclearIn(person).length > 0),
		withoutFeed: yield* select(run.outcomes, (one) => isWithoutFeed(one, isWrong)),
		partlyOpen: isWrong ? [] : yield* select(done, isPartlyOpen),
		notClosed: yield* select(done, ({ reason }) => reason === 'mayBeListed'),
		notOwn: notOwnIn(run, done),
		endedNotOwn: yield* select(done, isEndedNotOwn),
		exceeded,
		nextRun: run.settings.dryRun && !isWrong ? nextRunOf(done, exceeded) : undefined,
		others: othersIn(run.list.records),
		told: yield* dayTold(run, openFeeds),
	};
}

function hasFailed(one: AppliedDecision): one is AppliedDecision & { error: Error } {
	return one.error !== undefined;
}

/** An event that was faster than the run may have opened the feed, unless its state forbids it. */
function isWithoutFeed(one: AppliedDecision, isWrong: boolean): boolean {
	const { person, reason, subscriber } = one;
	const isLocked = subscriber !== undefined && memberAction(subscriber.state) === 'skip';
	const mayBeOpen = reason === 'decidedSince' && !isLocked;
	return person?.access === 'open' && !mayBeOpen && !hasOpenFeed(one, isWrong);
}

/** A state that nobody knows may be an open one, and then each run would name everyone. */
function isPartlyOpen(one: AppliedDecision): boolean {
	const isPayer = one.person?.access === 'open' && hasOpenFeed(one, false);
	return isPayer && stateRow(closedFeedOf(one) ?? '') !== undefined;
}

function notOwnIn({ plan }: SyncRun, done: readonly AppliedDecision[]): NotOwnFeed[] {
	const named = new Set(
		done.filter(({ write }) => 'customer_id' in write).map(({ subscriber }) => subscriber),
	);
	return plan.notOwn.filter(({ subscriber, reason }) => {
		return reason !== 'noCustomerId' || !named.has(subscriber);
	});
}

function isEndedNotOwn({ reason, ended = [] }: AppliedDecision): boolean {
	return reason === 'noCustomerId' && ended.length > 0;
}

function exceededIn(run: SyncRun, waiting: readonly AppliedDecision[]): ExceededLimit | undefined {
	const { closing, wrong } = run.plan;
	const due = run.outcomes.filter(isDue);
	if (wrong !== undefined) return undefined;
	if (!run.settings.dryRun) {
		const isOver = closing.isOver || due.some(({ reason }) => reason === 'overLimit');
		return isOver ? { due, moves: closing.moves } : undefined;
	}
	const all = [...due, ...waiting.filter((one) => remainingLists(one) === 1)];
	const room = Math.max(0, closing.limit - closing.used) + closing.allowed;
	return all.length + closing.moves > room ? { due: all, moves: closing.moves } : undefined;
}

/** Whether the feed of someone missing would close now, but for the limit. */
function isDue({ action, reason, person }: AppliedDecision): boolean {
	return action === 'closed' || (reason === 'overLimit' && person === undefined);
}

function nextRunOf(done: readonly AppliedDecision[], exceeded: ExceededLimit | undefined): NextRun {
	const due = done.filter((one) => isDue(one) || one.reason === 'waits');
	const next = due.filter((one) => remainingLists(one) === 1);
	return {
		opening: done.filter(opensFeed),
		closing: exceeded === undefined ? next : [],
		later: due.filter((one) => remainingLists(one) > 1),
	};
}
