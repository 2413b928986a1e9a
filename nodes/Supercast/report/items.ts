/** The output items of Sync: one for each change, and for each person to look at. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import type { AppliedDecision } from '../access/apply';
import type { InvalidItem } from '../access/sync/list';
import { changesOf, opensFeed } from '../access/rules';
import { feedUrlsOf } from '../access/subscribers';
import { groupBy } from '../operations/groupBy';
import { cleanName, shownCustomerId, emailOf, fullName, recordsOf, statusText } from './names';
import { reasonText } from './reasons';
import type { ToldRun } from './run';

/** An output item, with the indexes of its input items. */
export interface OutputItem {
	json: IDataObject;
	items: number[];
}

/** The order of the output. Closings come first, because a person should look at them. */
const RANKS = ['closed', 'soon', 'notClosed', 'look', 'opened', 'updated'] as const;

type Rank = (typeof RANKS)[number];

/** If the list is wrong, nothing of what it asks for is done, and the error names who is concerned. */
export function peopleItems(run: ToldRun): OutputItem[] {
	if (run.isWrong) return [];
	const [toLookAt, unclear] = [
		new Set([...run.conflicts, ...run.withoutFeed, ...run.endedNotOwn]),
		new Set(run.unclear),
	];
	const rankOf = (one: AppliedDecision): Rank | undefined => {
		const change = rankOfChange(one);
		if (change !== undefined) return change;
		const isToLookAt = toLookAt.has(one) || (one.person !== undefined && unclear.has(one.person));
		return isToLookAt ? 'look' : undefined;
	};
	const groups = groupBy(run.outcomes, rankOf);
	const people = RANKS.flatMap((rank) => groups.get(rank) ?? []).map((one) => personItem(one, run));
	return [...run.list.invalid.map((one) => invalidItem(one, run)), ...people];
}

/** Someone on the list whom Sync cannot work on may be one who pays. */
function invalidItem({ item, email, error }: InvalidItem, { settings }: ToldRun): OutputItem {
	const json = {
		...{ action: 'kept', email, name: '', status: '', reason: `left out: ${error.message}` },
		...{ customer_id: '', uuid: '', dryRun: settings.dryRun },
	};
	return { json, items: [item] };
}

/** Reasons why a feed that should close stays open. */
const STAYS_OPEN: readonly string[] = [
	...[
		'changedSince',
		'decidedSince',
		'goneSince',
		'incomplete',
		'mayBeListed',
		'overLimit',
		'tooOld',
	],
];

function rankOfChange(one: AppliedDecision): Rank | undefined {
	const { action, reason, error } = one;
	if (error !== undefined) return action === 'closed' ? 'notClosed' : 'look';
	if (action === 'closed' || action === 'updated') return action;
	if (opensFeed(one)) return 'opened';
	if (reason === 'waits') return 'soon';
	return reason === 'overLimit' || staysOpen(one) ? 'notClosed' : undefined;
}

function staysOpen({ person, subscriber, reason }: AppliedDecision): boolean {
	return person === undefined && subscriber?.isOpen === true && STAYS_OPEN.includes(reason ?? '');
}

/** The fields are in the order in which n8n's table shows them. What is unknown is an empty text. */
function personItem(one: AppliedDecision, { settings, others }: ToldRun): OutputItem {
	const { action, write, shown, error, subscriber } = one;
	const records = recordsOf(one);
	const json = {
		// What failed has not been done, as far as is known.
		action: error === undefined ? action : 'kept',
		email: emailOf(one),
		name: fullName(one, shown),
		status: statusText(records),
		reason: reasonText(one, others),
		customer_id: textOf(write.customer_id) || shownCustomerId(one),
		uuid: subscriber?.uuid || textOf(shown?.uuid),
		dryRun: settings.dryRun,
		...(error === undefined && changedFields(one)),
	};
	return { json, items: records.map(({ item }) => item) };
}

/** Of a new subscriber, the other fields say it already. */
function changedFields(one: AppliedDecision): IDataObject {
	const changes = one.action === 'created' ? {} : changesOf(one);
	return {
		...(Object.keys(changes).length > 0 && { changes }),
		...(opensFeed(one) && welcomeOf(one)),
	};
}

/** What a welcome email needs. */
function welcomeOf({ shown, subscriber, write }: AppliedDecision): IDataObject {
	const record = shown ?? subscriber?.fields ?? {};
	const name = cleanName(textOf(write.first_name) || record.first_name);
	return { first_name: name || null, feed_urls: feedUrlsOf(record) };
}
