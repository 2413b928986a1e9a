import type { IDataObject } from 'n8n-workflow';

import { InputError, ServiceError } from '../api/errors/errors';
import { asRecord, textOf } from '../api/json';
import { countActions, type SyncPlan } from './plan';
import { changesOf, isConflict, reasonText, type AccessAction, type AccessDecision } from './rules';
import { USUAL_PERCENT, type SyncSettings } from './settings';

const MOST_NAMES = 50;

const CHANGES: readonly AccessAction[] = ['closed', 'created', 'reopened', 'updated'];

export interface SyncResult {
	/** Each with the numbers of its input items. */
	records: Array<{ json: IDataObject; items: number[] }>;
	failures: Array<{ error: Error; items: number[] }>;
	/** All failures in one error. It stops the node, unless On Error is set to continue. */
	error?: Error;
	hints: Array<{ message: string; type: 'info' | 'warning' }>;
}

/**
 * Builds the output, the list of failures, and the hints in the editor.
 * @param outcomes The decisions as carried out, which may differ from the plan.
 */
export function report(
	outcomes: readonly AccessDecision[],
	plan: SyncPlan,
	settings: SyncSettings,
	warnings: readonly string[],
): SyncResult {
	const { output, dryRun } = settings;
	const done = outcomes.filter(({ error }) => error === undefined);
	const failed = outcomes.filter(({ error }) => error !== undefined);
	const summary = summaryOf(done, failed.length, plan, settings);
	const news = done.filter((one) => CHANGES.includes(one.action) || isConflict(one));
	const shown = { all: done, changes: news, changesAndSummary: news, summary: [] }[output];
	const records = shown.map((one) => recordOf(one, dryRun));
	if (!['all', 'changes'].includes(output)) records.push({ json: summary, items: [] });
	const conflicts = listOf(summary.conflicts).replaceAll(': conflict: ', ': ');
	const messages = [
		plan.exceeded ? `${plan.exceeded.message}. ${plan.exceeded.description}` : '',
		conflicts === '' ? '' : `Conflicts: ${conflicts}.`,
		summary.limit.raised ?? '',
		...warnings,
	];
	const hints: SyncResult['hints'] = [{ type: 'info', message: mainHint(summary) }];
	for (const message of messages) {
		if (message !== '') hints.push({ type: 'warning', message });
	}
	return {
		records,
		failures: failed.map(({ error, member }) => ({ error: error!, items: member?.items ?? [] })),
		error: failed.length === 0 ? undefined : failureOf(failed, done),
		hints,
	};
}

function emailOf({ member, subscriber, reason }: AccessDecision): string {
	// Another record of a listed person is named by its own email.
	if (reason === 'otherEmail') return subscriber?.email ?? '';
	return member?.email || subscriber?.email || '';
}

function recordOf(decision: AccessDecision, dryRun: boolean): SyncResult['records'][0] {
	const { action, member, subscriber, write } = decision;
	const { uuid, customerId = member?.customerIds[0] } = subscriber ?? {};
	const json = {
		action,
		dryRun,
		email: emailOf(decision),
		uuid: uuid || null,
		customer_id: textOf(write.customer_id) || customerId || null,
		reason: reasonText(decision) ?? null,
		changes: changesOf(decision),
	};
	return { json, items: member?.items ?? [] };
}

function summaryOf(
	done: readonly AccessDecision[],
	failed: number,
	{ planned, listed, open, inScope, maxClosings, exceeded }: SyncPlan,
	{ dryRun, maxOpen, maxClosePercent }: SyncSettings,
) {
	const counted = countActions(done);
	const kept = new Map<string, number>();
	const conflicts: string[] = [];
	let closed = 0;
	for (const one of done) {
		const text = reasonText(one) ?? '';
		if (isConflict(one)) conflicts.push(`${emailOf(one)}: ${text}`);
		const reason = isConflict(one) ? 'conflict' : text;
		if (one.action === 'kept') kept.set(reason, (kept.get(reason) ?? 0) + 1);
		if (one.action === 'closed' && one.subscriber?.state === 'available') closed++;
	}
	// A limit that was raised for one run must not stay raised unnoticed.
	const raised = `'Max Close (%)' is ${maxClosePercent}. If you raised it for one run, set it back to ${USUAL_PERCENT}.`;
	return {
		action: 'summary',
		dryRun,
		...counted,
		failed,
		listed,
		open: open + counted.created + counted.reopened - closed,
		keptByReason: Object.fromEntries([...kept].sort(([, one], [, other]) => other - one)),
		conflicts,
		planned,
		limit: {
			inScope,
			maxClosings,
			maxOpenings: maxOpen ?? null,
			exceeded: exceeded?.message ?? null,
			raised: maxClosePercent > USUAL_PERCENT ? raised : null,
		},
	};
}

function mainHint(summary: ReturnType<typeof summaryOf>): string {
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

/** All failures in one error, of the same type as the first failure. */
function failureOf(failed: AccessDecision[], done: AccessDecision[]): Error {
	const first = failed[0]!.error!;
	const changed = done.filter(({ action }) => CHANGES.includes(action));
	const names = (some: AccessDecision[]): string =>
		listOf(some.map((one) => `${emailOf(one)} (${one.action})`));
	const message = `${failed.length} of ${failed.length + changed.length} changes could not be made. The first: ${first.message}`;
	const description = [
		textOf(asRecord(first).description),
		`Not done: ${names(failed)}.`,
		changed.length === 0 ? 'Nothing else was done.' : `Done: ${names(changed)}.`,
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
