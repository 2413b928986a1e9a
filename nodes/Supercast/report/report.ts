/** Everything that a run of Sync tells: its items, its errors, its hints in the editor, its page. */

import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';
import type { AppliedDecision } from '../access/apply';
import { isConflict } from '../access/reasons';
import { changesOf, opensFeed } from '../access/rules';
import type { SyncSettings } from '../access/settings';
import { feedUrlsOf } from '../access/subscribers';
import { proposeAllowance } from '../access/allowOnce';
import type { SyncRun } from '../access/sync/run';
import { wordsOf } from '../access/sync/statuses';
import { REASON_TEXTS } from './reasons';

export interface SyncReport {
	records: Array<{ json: IDataObject; items: readonly number[] }>;
	failures: Array<{ error: Error; items: readonly number[] }>;
	/** What stops the node, unless On Error is set to continue. */
	error?: Error;
	hints: Array<{ message: string; type: 'info' | 'warning' }>;
	/** The page in HTML, which names everyone. */
	page: () => string;
}

export function report(run: SyncRun, _tools: { perMinute: number }): SyncReport {
	const error = errorOf(run);
	const items = run.outcomes.filter(isNews).map((one) => itemOf(one, run));
	const summary = { json: summaryOf(run), items: [] };
	return {
		records: run.settings.output === 'summary' ? [summary] : [...items, summary],
		failures: [
			...run.list.invalid.map((one) => ({ error: one.error, items: [one.item] })),
			...run.outcomes.flatMap((one) =>
				one.error === undefined ? [] : [{ error: one.error, items: itemsOf(one) }],
			),
			...(error === undefined ? [] : [{ error, items: [] }]),
		],
		error,
		hints: [],
		page: () => '',
	};
}

export function skippedReport({ dryRun }: SyncSettings): SyncReport {
	const title = 'Sync did nothing, because an earlier run has not ended';
	const json = { action: 'summary', dryRun, title, text: title, html: title, numbers: {} };
	return { records: [{ json, items: [] }], failures: [], hints: [], page: () => title };
}

function isNews(one: AppliedDecision): boolean {
	if (one.action !== 'kept') return one.action !== 'unchanged';
	const isPayer = one.person?.access === 'open' && one.subscriber?.isOpen !== true;
	const isWaiting = one.subscriber?.isOpen === true && one.person === undefined;
	return isConflict(one) || isPayer || isWaiting || one.reason === 'unclear';
}

function itemsOf({ person, ended }: AppliedDecision): number[] {
	return (person?.records ?? ended ?? []).map(({ item }) => item);
}

function itemOf(one: AppliedDecision, { settings }: SyncRun): SyncReport['records'][number] {
	const { action, person, ended, subscriber, write, shown, reason } = one;
	const changes = action === 'created' ? {} : changesOf(one);
	return {
		json: {
			action,
			dryRun: settings.dryRun,
			email: person?.email || subscriber?.email,
			uuid: subscriber?.uuid ?? textOf(shown?.uuid),
			customer_id: textOf(write.customer_id) || subscriber?.customerId || person?.customerIds[0],
			status: wordsOf((person?.records ?? ended ?? []).map(({ status }) => status)),
			reason: reason === undefined ? '' : REASON_TEXTS[reason],
			...(Object.keys(changes).length > 0 && { changes }),
			...(opensFeed(one) && {
				first_name: textOf(shown?.first_name) || null,
				feed_urls: feedUrlsOf(shown ?? {}),
			}),
		},
		items: itemsOf(one),
	};
}

function errorOf({
	plan,
	settings,
	next,
	incomplete,
	endedAt,
	outcomes,
}: SyncRun): Error | undefined {
	if (settings.dryRun) return undefined;
	const { wrong, closing, opening } = plan;
	if (wrong !== undefined) {
		const text = proposeAllowance('open', opening.wanted, endedAt);
		return new InputError(`The list seems wrong (${wrong.kind})`, text);
	}
	const [failed] = outcomes.flatMap(({ error }) => error ?? []);
	if (failed !== undefined) return failed;
	if (closing.isOver && closing.percent > 0) {
		const text = proposeAllowance('close', closing.due + closing.moves, endedAt);
		return new InputError(
			`Sync would close ${closing.due} feeds, but the limit is ${closing.limit}`,
			text,
		);
	}
	return incomplete.length > 0 && next.incomplete > 2
		? new InputError(`The last ${next.incomplete} lists were incomplete`, '')
		: undefined;
}

function summaryOf(run: SyncRun): IDataObject {
	const title = 'Supercast';
	const counted: Record<string, number> = {};
	for (const { action } of run.outcomes) counted[action] = (counted[action] ?? 0) + 1;
	const numbers = { ...counted, statuses: run.statuses.map((one) => ({ ...one })) };
	return {
		action: 'summary',
		dryRun: run.settings.dryRun,
		title,
		text: title,
		html: title,
		numbers,
	};
}
