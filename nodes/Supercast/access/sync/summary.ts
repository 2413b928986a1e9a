/** What a run of Sync did, in numbers and in sentences for an email. */

import type { AppliedDecision } from '../apply';
import { cannotCloseTexts, type CannotClose } from './leaving';
import { NOBODY, NO_SUBSCRIBER } from '../match';
import { countActions, type SyncPlan } from './plan';
import { USUAL_PERCENT } from '../parameters';
import { isConflict, REASONS, reasonText, type Conflict } from '../reasons';
import type { AccessAction, AccessDecision } from '../rules';
import type { SyncSettings } from '../settings';
import { shortTitle, type ShortList } from './wholeList';

const MOST_NAMES = 50;

export interface Summary extends Record<AccessAction, number> {
	action: 'summary';
	dryRun: boolean;
	/** Whether the run did nothing, because an earlier one had not ended. */
	skipped: false;
	/** One line, for the subject of an email. */
	title: string;
	/** Several lines, for the body of an email. */
	text: string;
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
	/** Sentences about the list and the clock. */
	warnings: readonly string[];
	/** What is missing from the list. Undefined if it is whole. */
	short?: ShortList;
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
	return {
		action: 'summary',
		dryRun: settings.dryRun,
		skipped: false,
		title: titleOf(numbers, facts),
		text: bodyOf(numbers, conflicts, facts),
		...numbers,
		recordsMissing: short === undefined ? 0 : short.expected - short.read,
		conflicts: conflicts.map((one) => `${emailOf(one)}: ${reasonText(one)}`),
		cannotClose: Object.fromEntries(
			[...cannotClose].map(([reason, count]) => [REASONS[reason], count]),
		),
		planned: plan.planned,
		limit: {
			inScope: plan.inScope,
			maxClosings: plan.maxClosings,
			maxOpenings: settings.maxOpen ?? null,
			exceeded: plan.exceeded?.message ?? null,
			raised: raisedLimit(settings) ?? null,
		},
	};
}

/** The most frequent reason comes first. All conflicts count as one reason. */
function keptByReason(done: readonly AccessDecision[]): Record<string, number> {
	const kept = new Map<string, number>();
	done.forEach((one) => {
		if (one.action !== 'kept') return;
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

/** How an item names the person. */
export function emailOf({
	member = NOBODY,
	subscriber = NO_SUBSCRIBER,
	reason,
}: AccessDecision): string {
	// Another record of a listed person is named by its own email.
	return reason === 'otherEmail' ? subscriber.email : member.email || subscriber.email;
}

/** Names the first 50, and how many more there are. */
export function joinNames(texts: readonly string[]): string {
	const more = texts.length - MOST_NAMES;
	const named = texts.slice(0, MOST_NAMES).join(', ');
	return more > 0 ? `${named} and ${more} more` : named;
}

type Numbers = Pick<
	Summary,
	AccessAction | 'failed' | 'keptByReason' | 'listed' | 'open' | 'stuck'
>;

function titleOf(numbers: Numbers, facts: Facts): string {
	const { plan, closesNone, short } = facts;
	const { dryRun } = facts.settings;
	const start = dryRun ? 'DRY RUN: ' : 'Supercast: ';
	if (plan.exceeded !== undefined) return `${start}Sync would refuse to run`;
	const counts: Array<[number, (count: number) => string]> = [
		[
			numbers.created + numbers.reopened,
			(count) => `${feeds(count)} ${dryRun ? 'would open' : 'opened'}`,
		],
		[numbers.closed, (count) => `${feeds(count)} ${dryRun ? 'would close' : 'closed'}`],
		[numbers.failed, (count) => `${count} failed`],
		[numbers.stuck, (count) => `${count} could not be closed`],
	];
	const done = counts.flatMap(([count, inWords]) => (count > 0 ? [inWords(count)] : []));
	const parts = [...done, shortTitle(short)].filter(Boolean);
	const nothing = `no feed ${dryRun ? 'would' : 'had to'} open${closesNone ? '' : ' or close'}`;
	const end = closesNone && short === undefined ? ', and none may close' : '';
	return `${start}${parts.join(', ') || nothing}${end}`;
}

function feeds(count: number): string {
	return count === 1 ? '1 feed' : `${count} feeds`;
}

function bodyOf(
	numbers: Numbers,
	conflicts: ReadonlyArray<AccessDecision & { reason: Conflict }>,
	facts: Facts,
): string {
	const { plan, settings, cannotClose, warnings } = facts;
	const { exceeded } = plan;
	const kept = Object.entries(numbers.keptByReason).filter(([reason]) => reason !== 'conflict');
	const paragraphs = [
		settings.dryRun
			? "This was a dry run, so nothing changed in Supercast. To make these changes, turn off 'Dry Run' in the node Sync."
			: '',
		exceeded === undefined ? '' : `${exceeded.message}. ${exceeded.description}`,
		changesText(numbers, settings.dryRun),
		listText(
			'Left alone:',
			kept.map(([reason, count]) => `${reason.replace(/^state: /, '')}: ${count}`),
		),
		listText('Needs a decision:', conflicts.map(conflictText)),
		...cannotCloseTexts(cannotClose, settings),
		...warnings,
		raisedLimit(settings) ?? '',
	];
	return paragraphs.filter((one) => one !== '').join('\n\n');
}

function changesText(numbers: Numbers, dryRun: boolean): string {
	const { created, reopened, closed, updated, failed, listed, open } = numbers;
	const members = listed === 1 ? '1 member' : `${listed} members`;
	const would = dryRun ? 'would be ' : '';
	const counts: Array<[number, string]> = [
		[created, `${would}added, with an open feed`],
		[reopened, `${would}reopened`],
		[closed, `${would}closed`],
		[updated, `${would}updated`],
		[failed, 'failed. The next run tries again'],
	];
	const changed = counts.filter(([count]) => count > 0);
	const lines = changed.map(([count, what]) => `${count} ${what}`);
	const nothing = dryRun ? 'Nothing would change.' : 'Nothing had to change.';
	const state = `${members} on the list, and ${feeds(open)} open${dryRun ? ' after these changes' : ''}.`;
	return [state, lines.length === 0 ? nothing : listText('Subscribers:', lines)].join('\n');
}

function listText(title: string, lines: readonly string[]): string {
	return lines.length === 0 ? '' : [title, ...lines.map((line) => `- ${line}`)].join('\n');
}

/** What to do about each kind of conflict. */
const REMEDIES: Record<Conflict, string> = {
	severalEmails: 'Give each person on your list one email.',
	severalSubscribers:
		'If one of them is not a member, remove their customer ID and close their feed. If two have the same email, delete the unused one.',
	otherId: 'Run Set Access: Open with the email and the customer ID on your list.',
	otherEmail: 'Keep the subscriber whose feed this person uses, and delete the other.',
	emailTaken: 'Change the email of that subscriber in Supercast.',
};

function conflictText(decision: AccessDecision & { reason: Conflict }): string {
	const what = reasonText(decision).replace(/^conflict: /, '');
	return `${emailOf(decision)}: ${what}. ${REMEDIES[decision.reason]}`;
}
