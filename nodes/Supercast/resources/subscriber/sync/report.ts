import type { IDataObject } from 'n8n-workflow';

import { InputError, ServiceError } from '../../../api/errors/errors';
import type { ListHint, ListResult } from '../../../operations/types';
import type { SyncOutcome } from './perform';
import type { SyncAction, SyncDecision, SyncLimits, SyncSettings } from './types';

/** The maximum number of people that a message names. It only counts the others. */
const MOST_NAMES = 50;

const CHANGES: readonly SyncAction[] = ['created', 'reopened', 'updated', 'closed'];

/** The results of a run, for the output and the editor. */
export interface ReportInput {
	outcomes: readonly SyncOutcome[];
	limits: SyncLimits;
	settings: SyncSettings;
	/** The plan as it was made, before anyone else made changes. */
	planned: readonly SyncDecision[];
	/** Sentences about the list, such as why no feeds were closed. */
	notes: readonly ListHint[];
}

/** Builds the output, the list of failures, and the hints in the editor. */
export function report(input: ReportInput): ListResult {
	const { outcomes, settings } = input;
	const done = outcomes.filter(({ error }) => error === undefined).map(({ decision }) => decision);
	const failures = outcomes.flatMap(({ decision, error }) =>
		error === undefined ? [] : [{ error, items: itemsOf(decision) }],
	);
	const error = failureOf(outcomes);
	return {
		records:
			settings.output === 'summary'
				? [{ json: summary(input, done), items: [] }]
				: done.filter(isWanted(settings)).map((decision) => ({
						json: outputOf(decision, settings.dryRun),
						items: itemsOf(decision),
					})),
		failures,
		...(error === undefined ? {} : { error }),
		hints: hintsOf(input, done),
	};
}

function isWanted({ output }: SyncSettings): (decision: SyncDecision) => boolean {
	return ({ action, isConflict }) =>
		output === 'all' || CHANGES.includes(action) || isConflict === true;
}

function itemsOf({ member }: SyncDecision): number[] {
	return member?.items ?? [];
}

function emailOf({ member, subscriber }: SyncDecision): string {
	return member?.email ?? subscriber?.email ?? '';
}

function outputOf(decision: SyncDecision, dryRun: boolean): IDataObject {
	const { action, member, subscriber, reason } = decision;
	const newId = action === 'created' ? member?.customerId : undefined;
	return {
		action,
		dryRun,
		email: emailOf(decision),
		uuid: subscriber?.uuid || null,
		customer_id: subscriber?.customerId || newId || null,
		reason: reason ?? null,
		changes: changesOf(decision),
	};
}

/** Each field that changes, and the state of the feed as Supercast shows it. */
function changesOf({ action, write, subscriber }: SyncDecision): IDataObject {
	const before = (key: string): unknown =>
		(key === 'email' ? subscriber?.email : subscriber?.fields[key]) ?? null;
	const isNew = action === 'created';
	const fields = Object.entries(write).map(([key, to]) => [
		key,
		{ from: isNew ? null : before(key), to },
	]);
	const states: Partial<Record<SyncAction, IDataObject>> = {
		closed: { state: { from: 'available', to: 'deactivated' } },
		reopened: { state: { from: 'deactivated', to: 'available' } },
	};
	return {
		...states[action],
		...(action === 'kept' ? {} : Object.fromEntries(fields)),
	} as IDataObject;
}

function countOf(decisions: readonly SyncDecision[], wanted: SyncAction): number {
	return decisions.filter(({ action }) => action === wanted).length;
}

function counts(decisions: readonly SyncDecision[]): Record<SyncAction, number> {
	return {
		created: countOf(decisions, 'created'),
		reopened: countOf(decisions, 'reopened'),
		updated: countOf(decisions, 'updated'),
		closed: countOf(decisions, 'closed'),
		kept: countOf(decisions, 'kept'),
		unchanged: countOf(decisions, 'unchanged'),
	};
}

function keptByReason(decisions: readonly SyncDecision[]): Record<string, number> {
	const kept = new Map<string, number>();
	for (const { action, reason = '' } of decisions) {
		if (action === 'kept') kept.set(reason, (kept.get(reason) ?? 0) + 1);
	}
	return Object.fromEntries([...kept].sort(([, one], [, other]) => other - one));
}

function summary(
	{ outcomes, limits, settings, planned }: ReportInput,
	done: readonly SyncDecision[],
): IDataObject {
	const conflicts = done.filter(({ isConflict }) => isConflict === true);
	return {
		action: 'summary',
		dryRun: settings.dryRun,
		...counts(done),
		failed: outcomes.length - done.length,
		keptByReason: keptByReason(done),
		conflicts: conflicts.map((decision) => `${emailOf(decision)}: ${decision.reason ?? ''}`),
		planned: counts(planned),
		limit: {
			inScope: limits.inScope,
			maxClosings: limits.maxClosings,
			maxOpenings: limits.maxOpenings ?? null,
			exceeded: limits.exceeded?.message ?? null,
		},
	};
}

function hintsOf(
	{ limits, settings, notes }: ReportInput,
	done: readonly SyncDecision[],
): ListHint[] {
	const conflicts = done.filter(({ isConflict }) => isConflict === true);
	const kept = Object.entries(keptByReason(done)).map(([reason, count]) => `${count} (${reason})`);
	const leftAlone = kept.length === 0 ? [] : [`Kept: ${kept.join(', ')}.`];
	return [
		{
			type: 'info',
			message: [doneSentence(counts(done), settings.dryRun), ...leftAlone].join(' '),
		},
		...(limits.exceeded === undefined
			? []
			: [hint(`${limits.exceeded.message}. ${limits.exceeded.description}`)]),
		...(conflicts.length === 0 ? [] : [hint(`Conflicts: ${names(conflicts)}.`)]),
		...notes,
	];
}

function hint(message: string): ListHint {
	return { type: 'warning', message };
}

function doneSentence(counted: Record<SyncAction, number>, dryRun: boolean): string {
	const { created, reopened, updated, closed, unchanged } = counted;
	if (created + reopened + updated + closed === 0) {
		return `${dryRun ? 'Dry run. Nothing would change' : 'Nothing had to change'}. ${unchanged} unchanged.`;
	}
	const would = dryRun ? 'would be ' : '';
	const list = `${closed} ${would}closed, ${created} created, ${reopened} reopened, ${updated} updated`;
	return `${dryRun ? 'Dry run: ' : ''}${list}, ${unchanged} unchanged.`;
}

/** All failures in one error, of the same type as the first failure. */
function failureOf(outcomes: readonly SyncOutcome[]): Error | undefined {
	const failed = outcomes.filter(({ error }) => error !== undefined);
	const [first] = failed;
	if (first?.error === undefined) return undefined;
	const done = outcomes
		.filter(({ error, decision }) => error === undefined && CHANGES.includes(decision.action))
		.map(({ decision }) => decision);
	const message = `${failed.length} of ${failed.length + done.length} changes could not be made. The first: ${first.error.message}`;
	const description = [
		describe(first.error),
		`Not done: ${names(failed.map(({ decision }) => decision))}.`,
		done.length === 0 ? 'Nothing else was done.' : `Done: ${names(done)}.`,
		'Run Sync again to make the remaining changes.',
	].join(' ');
	return first.error instanceof ServiceError
		? new ServiceError(message, description, first.error.failure, first.error.attempts)
		: new InputError(message, description);
}

function describe(error: Error): string {
	return 'description' in error && typeof error.description === 'string' ? error.description : '';
}

function names(decisions: readonly SyncDecision[]): string {
	const named = decisions
		.slice(0, MOST_NAMES)
		.map((decision) => `${emailOf(decision)} (${decision.action})`);
	const more = decisions.length - named.length;
	return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}
