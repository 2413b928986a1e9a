import type { IDataObject } from 'n8n-workflow';

import { InputError, ServiceError } from '../api/errors/errors';
import { asRecord, textOf } from '../api/json';
import type { AppliedDecision } from '../access/apply';
import { cannotCloseTexts } from '../access/sync/leaving';
import { shortListError } from '../access/sync/list/wholeList';
import { NOBODY } from '../access/match';
import { feedUrlsOf } from '../access/sync/newMembers';
import { htmlPage } from './page/html';
import { emailOf, joinNames } from './page/names';
import { whatOf } from './page/what';
import { isConflict } from '../access/reasons';
import { CHANGES, changesOf, type AccessDecision } from '../access/rules';
import type { SyncSettings } from '../access/settings';
import { reasonText, timeText } from './wording';
import { groupBy } from '../subscriber/customerId';
import { raisedLimit, SKIPPED_SUMMARY, summaryOf, type Facts, type Summary } from './summary';

export interface SyncResult {
	/** Each with the indexes of its input items. */
	records: Array<{ json: IDataObject; items: number[] }>;
	failures: Array<{ error: Error; items: number[] }>;
	/** All failures in one error. It stops the node, unless On Error is set to continue. */
	error?: Error;
	hints: Array<{ message: string; type: 'info' | 'warning' }>;
}

/** An outcome that failed. */
type FailedDecision = AppliedDecision & { error: Error };

/** Builds the output, the list of failures, and the hints in the editor. */
export function report(facts: Facts): SyncResult {
	const { outcomes, settings } = facts;
	const done = outcomes.filter(({ error }) => error === undefined);
	const failed = outcomes.filter((one): one is FailedDecision => one.error !== undefined);
	const summary = summaryOf(facts, done);
	const changed = done.filter(({ action }) => CHANGES.includes(action));
	const shown = shownDecisions(done, settings);
	const listError = shortListError(facts.short, settings, listOfNames(changed));
	const records = shown.map((one) => recordOf(one, settings.dryRun));
	if (hasSummary(settings)) records.push({ json: summary as IDataObject, items: [] });
	return {
		records,
		failures: [
			...failed.map(({ error, member = NOBODY }) => ({ error, items: member.items })),
			...(listError === undefined ? [] : [{ error: listError, items: [] }]),
		],
		error: failureOf(failed, done) ?? listError,
		hints: hintsOf(summary, facts),
	};
}

/** The result of a run that did nothing, because an earlier one had not ended. */
export function skippedReport(settings: SyncSettings): SyncResult {
	const { title, text } = SKIPPED_SUMMARY;
	const html = htmlPage(title, [{ kind: 'words', text, tone: 'attention' }]);
	const json = { ...SKIPPED_SUMMARY, html, dryRun: settings.dryRun };
	return {
		records: hasSummary(settings) ? [{ json, items: [] }] : [],
		failures: [],
		hints: [{ type: 'info', message: SKIPPED_SUMMARY.text }],
	};
}

function hasSummary({ output }: SyncSettings): boolean {
	return output === 'summary' || output === 'changesAndSummary';
}

/** Closings come first, because a person must check them. Then come those that still wait. */
function shownDecisions(
	done: readonly AppliedDecision[],
	{ output }: SyncSettings,
): AppliedDecision[] {
	if (output === 'summary') return [];
	const shown = output === 'all' ? done : done.filter(isNews);
	const groups = groupBy(shown, rankOf);
	return RANKS.flatMap((rank) => groups.get(rank) ?? []);
}

function isNews(one: AppliedDecision): boolean {
	return one.action === 'kept'
		? isConflict(one) || one.reason === 'waits' || one.stuckSince !== undefined
		: one.action !== 'unchanged';
}

/** The order of the output. */
const RANKS = ['closed', 'waits', 'other'] as const;

function rankOf({ action, reason }: AccessDecision): (typeof RANKS)[number] {
	if (action === 'closed') return 'closed';
	return reason === 'waits' ? 'waits' : 'other';
}

function recordOf(decision: AppliedDecision, dryRun: boolean): SyncResult['records'][0] {
	const { action, member = NOBODY } = decision;
	const json: IDataObject = {
		what: whatOf(decision, dryRun),
		email: emailOf(decision),
		reason: orNull(reasonText(decision)),
		...namesAfter(decision),
		action,
		dryRun,
		changes: changesOf(decision),
	};
	if (isOpening(decision)) Object.assign(json, welcomeOf(decision));
	return { json, items: member.items };
}

/** The person's other names after the change. */
function namesAfter({ member = NOBODY, subscriber, write, shown }: AppliedDecision): IDataObject {
	const customerId = subscriber?.customerId ?? member.customerIds[0];
	return {
		uuid: orNull(subscriber?.uuid ?? textOf(shown?.uuid)),
		customer_id: orNull(textOf(write.customer_id) || customerId),
	};
}

function orNull(text: string | undefined): string | null {
	return text === undefined || text === '' ? null : text;
}

function isOpening({ action }: AccessDecision): boolean {
	return action === 'created' || action === 'reopened';
}

/** What a welcome email needs. */
function welcomeOf({ shown, subscriber, write }: AppliedDecision): IDataObject {
	const record = shown ?? subscriber?.fields ?? {};
	const name = textOf(write.first_name) || textOf(record.first_name);
	return { first_name: name || null, feed_urls: feedUrlsOf(record) };
}

function hintsOf(summary: Summary, facts: Facts): SyncResult['hints'] {
	const { plan, settings, cannotClose, warnings } = facts;
	const conflicts = joinNames(summary.conflicts).replaceAll(': conflict: ', ': ');
	const messages = [
		plan.exceeded ? `${plan.exceeded.message}. ${plan.exceeded.description}` : '',
		conflicts === '' ? '' : `Conflicts: ${conflicts}.`,
		raisedLimit(settings) ?? '',
		...cannotCloseTexts(cannotClose, settings),
		...warnings,
	];
	const hints: SyncResult['hints'] = [{ type: 'info', message: mainHint(summary) }];
	for (const message of messages) {
		if (message !== '') hints.push({ type: 'warning', message });
	}
	return hints;
}

function mainHint(summary: Summary): string {
	const { dryRun, unchanged, keptByReason } = summary;
	const kept = Object.entries(keptByReason).map(([reason, count]) => `${count} (${reason})`);
	const rest = `${unchanged} unchanged.${kept.length === 0 ? '' : ` Kept: ${kept.join(', ')}.`}`;
	if (CHANGES.every((action) => summary[action] === 0)) {
		return `${dryRun ? 'Dry run. Nothing would change' : 'Nothing had to change'}. ${rest}`;
	}
	const would = dryRun ? 'would be ' : '';
	const list = CHANGES.map((action) => `${summary[action]} ${would}${action}`).join(', ');
	return `${dryRun ? 'Dry run: ' : ''}${list}, ${rest}`;
}

/** The people, and what was decided about them. */
function listOfNames(some: readonly AccessDecision[]): string {
	return joinNames(some.map((one) => `${emailOf(one)} (${one.action})`));
}

function openSince(one: AppliedDecision): string {
	const { stuckSince } = one;
	return stuckSince === undefined
		? emailOf(one)
		: `${emailOf(one)} (since ${timeText(stuckSince)})`;
}

/** All failures in one error, of the same type as the first failure. Undefined if there is none. */
function failureOf(
	failed: readonly FailedDecision[],
	done: readonly AppliedDecision[],
): Error | undefined {
	const [first] = failed.map(({ error }) => error);
	if (first === undefined) return undefined;
	const changed = done.filter(({ action }) => CHANGES.includes(action));
	const stillOpen = [
		...failed.filter(({ action }) => action === 'closed'),
		...done.filter(({ reason }) => reason === 'creationFailed'),
	];
	const message = `${failed.length} of ${failed.length + changed.length} changes could not be made. The first: ${first.message}`;
	const description = [
		textOf(asRecord(first).description),
		`Not done: ${listOfNames(failed)}.`,
		changed.length === 0 ? 'Nothing else was done.' : `Done: ${listOfNames(changed)}.`,
		stillOpen.length === 0
			? 'No feed stays open because of this.'
			: `Not on the list, but still open: ${joinNames(stillOpen.map(openSince))}.`,
		'Run Sync again to make the remaining changes.',
	].join(' ');
	return first instanceof ServiceError
		? new ServiceError(message, description, first.failure, first.attempts)
		: new InputError(message, description);
}
