/** What a run of Sync returns: its items, its failures, and what the editor says about it. */

import type { IDataObject } from 'n8n-workflow';

import { InputError, ServiceError } from '../api/errors/errors';
import { asRecord, textOf } from '../api/json';
import { isConflict, type AccessAction, type AccessDecision } from './rules';
import type { SyncPlan } from './plan';
import { USUAL_PERCENT, type SyncSettings } from './settings';
import { changesOf, reasonText } from './wording';

/** The maximum number of people that a message names. It only counts the others. */
const MOST_NAMES = 50;

const CHANGES: readonly AccessAction[] = ['created', 'reopened', 'updated', 'closed'];
const ACTIONS: readonly AccessAction[] = [...CHANGES, 'kept', 'unchanged'];

/** The result of a decision. */
export interface SyncOutcome {
	/** The decision as it was carried out. It differs from the plan if people changed meanwhile. */
	decision: AccessDecision;
	/** Why the decision was not carried out, or was carried out only in part. */
	error?: Error;
}

/** The result of a run. */
export interface SyncResult {
	/** The output items and the failures, each with the numbers of its input items. */
	records: Array<{ json: IDataObject; items: number[] }>;
	failures: Array<{ error: Error; items: number[] }>;
	/** All failures in one error. It stops the node, unless On Error is set to continue. */
	error?: Error;
	/** Sentences that the editor shows with the output. */
	hints: Array<{ message: string; type: 'info' | 'warning' }>;
}

/** What a report is made from. */
interface Results {
	outcomes: readonly SyncOutcome[];
	plan: SyncPlan;
	settings: SyncSettings;
	/** Sentences about the list. Some may be empty. */
	warnings: readonly string[];
}

/** Builds the output, the list of failures, and the hints in the editor. */
export function report(results: Results): SyncResult {
	const { outcomes, settings, plan, warnings } = results;
	const { output, dryRun } = settings;
	const done = outcomes.filter(({ error }) => error === undefined).map(({ decision }) => decision);
	const items = output === 'summary' ? [] : done.filter((one) => output === 'all' || isNews(one));
	const records = items.map((one) => ({ json: outputOf(one, dryRun), items: itemsOf(one) }));
	if (output === 'summary' || output === 'changesAndSummary') {
		records.push({ json: summary(results, done), items: [] });
	}
	const { exceeded } = plan;
	const conflicts = done.filter(isConflict).map((one) => `${emailOf(one)}: ${textFor(one)}`);
	const more = [
		exceeded === undefined ? '' : `${exceeded.message}. ${exceeded.description}`,
		conflicts.length === 0 ? '' : `Conflicts: ${listOf(conflicts)}.`,
		raisedLimit(settings) ?? '',
		...warnings,
	].filter((message) => message !== '');
	return {
		records,
		failures: outcomes.flatMap(({ decision, error }) =>
			error === undefined ? [] : [{ error, items: itemsOf(decision) }],
		),
		error: failureOf(outcomes),
		hints: [
			{ type: 'info', message: mainHint(done, dryRun) },
			...more.map((message) => ({ type: 'warning' as const, message })),
		],
	};
}

function isNews(decision: AccessDecision): boolean {
	return CHANGES.includes(decision.action) || isConflict(decision);
}

function itemsOf({ member }: AccessDecision): number[] {
	return member?.items ?? [];
}

function emailOf({ member, subscriber, reason }: AccessDecision): string {
	// A further record of a listed person is named by its own email.
	if (reason === 'otherEmail') return subscriber?.email ?? '';
	return member?.email || subscriber?.email || '';
}

function textFor(decision: AccessDecision): string {
	return (reasonText(decision) ?? '').replace(/^conflict: /, '');
}

function outputOf(decision: AccessDecision, dryRun: boolean): IDataObject {
	const { action, member, subscriber, write } = decision;
	const { uuid, customerId } = subscriber ?? {};
	const listedId = subscriber === undefined ? member?.customerIds[0] : undefined;
	return {
		action,
		dryRun,
		email: emailOf(decision),
		uuid: uuid || null,
		customer_id: textOf(write.customer_id) || customerId || listedId || null,
		reason: reasonText(decision) ?? null,
		changes: changesOf(decision),
	};
}

function counts(decisions: readonly AccessDecision[]): Record<AccessAction, number> {
	const countOf = (wanted: AccessAction): number =>
		decisions.filter(({ action }) => action === wanted).length;
	return Object.fromEntries(ACTIONS.map((action) => [action, countOf(action)])) as never;
}

function keptByReason(decisions: readonly AccessDecision[]): Record<string, number> {
	const kept = new Map<string, number>();
	for (const decision of decisions.filter(({ action }) => action === 'kept')) {
		const reason = isConflict(decision) ? 'conflict' : (reasonText(decision) ?? '');
		kept.set(reason, (kept.get(reason) ?? 0) + 1);
	}
	return Object.fromEntries([...kept].sort(([, one], [, other]) => other - one));
}

function summary({ outcomes, plan, settings }: Results, done: AccessDecision[]): IDataObject {
	const counted = counts(done);
	const closed = done.filter(
		({ action, subscriber }) => action === 'closed' && subscriber?.state === 'available',
	).length;
	return {
		action: 'summary',
		dryRun: settings.dryRun,
		...counted,
		failed: outcomes.length - done.length,
		listed: plan.listed,
		open: plan.open + counted.created + counted.reopened - closed,
		keptByReason: keptByReason(done),
		conflicts: done.filter(isConflict).map((one) => `${emailOf(one)}: ${reasonText(one)}`),
		planned: counts(plan.decisions),
		limit: {
			inScope: plan.inScope,
			maxClosings: plan.maxClosings,
			maxOpenings: settings.maxOpen ?? null,
			exceeded: plan.exceeded?.message ?? null,
			raised: raisedLimit(settings) ?? null,
		},
	};
}

/** A limit that was raised for one run must not stay so unnoticed. */
function raisedLimit({ maxClosePercent }: SyncSettings): string | undefined {
	if (maxClosePercent <= USUAL_PERCENT) return undefined;
	return `'Max Close (%)' is ${maxClosePercent}. If you raised it for one run, set it back to ${USUAL_PERCENT}.`;
}

function mainHint(done: readonly AccessDecision[], dryRun: boolean): string {
	const counted = counts(done);
	const kept = Object.entries(keptByReason(done)).map(([reason, count]) => `${count} (${reason})`);
	const rest = kept.length === 0 ? '' : ` Kept: ${kept.join(', ')}.`;
	if (CHANGES.every((action) => counted[action] === 0)) {
		const nothing = dryRun ? 'Dry run. Nothing would change' : 'Nothing had to change';
		return `${nothing}. ${counted.unchanged} unchanged.${rest}`;
	}
	const would = dryRun ? 'would be ' : '';
	const order: AccessAction[] = ['closed', 'created', 'reopened', 'updated'];
	const list = order.map((action) => `${counted[action]} ${would}${action}`).join(', ');
	return `${dryRun ? 'Dry run: ' : ''}${list}, ${counted.unchanged} unchanged.${rest}`;
}

/** All failures in one error, of the same type as the first failure. */
function failureOf(outcomes: readonly SyncOutcome[]): Error | undefined {
	const first = outcomes.find(({ error }) => error !== undefined)?.error;
	if (first === undefined) return undefined;
	const changes = outcomes.filter((one) => one.error ?? CHANGES.includes(one.decision.action));
	const named = (isFailed: boolean): string[] =>
		changes
			.filter(({ error }) => (error !== undefined) === isFailed)
			.map(({ decision }) => `${emailOf(decision)} (${decision.action})`);
	const [failed, done] = [named(true), named(false)];
	const message = `${failed.length} of ${changes.length} changes could not be made. The first: ${first.message}`;
	const description = [
		textOf(asRecord(first).description),
		`Not done: ${listOf(failed)}.`,
		done.length === 0 ? 'Nothing else was done.' : `Done: ${listOf(done)}.`,
		'Run Sync again to make the remaining changes.',
	].join(' ');
	return first instanceof ServiceError
		? new ServiceError(message, description, first.failure, first.attempts)
		: new InputError(message, description);
}

function listOf(texts: readonly string[]): string {
	const more = texts.length - MOST_NAMES;
	const named = texts.slice(0, MOST_NAMES).join(', ');
	return more > 0 ? `${named} and ${more} more` : named;
}
