/** The output items of Sync, one for each person. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import { NOBODY } from '../access/match';
import { isConflict } from '../access/reasons';
import type { AppliedDecision } from '../access/apply';
import { changesOf, type AccessDecision } from '../access/rules';
import { feedUrlsOf } from '../access/sync/newMembers';
import { groupBy } from '../subscriber/customerId';
import { whatOf } from './page/what';
import { emailOf, fullName } from './page/names';
import { isOpening, type ToldRun } from './run';
import { closesLater, reasonText, statusText } from './wording';

/** An output item, with the indexes of its input items. */
export interface OutputItem {
	json: IDataObject;
	items: number[];
}

/** Closings come first, because a person must check them. Then come those that still wait. */
export function peopleItems({ done, settings }: ToldRun): OutputItem[] {
	const { output, dryRun } = settings;
	if (output === 'summary') return [];
	const shown = output === 'all' ? done : done.filter(isNews);
	const groups = groupBy(shown, rankOf);
	const sorted = RANKS.flatMap((rank) => groups.get(rank) ?? []);
	return sorted.map((one) => personItem(one, dryRun));
}

function isNews(one: AppliedDecision): boolean {
	if (one.action !== 'kept') return one.action !== 'unchanged';
	return isConflict(one) || rankOf(one) === 'soon' || one.stuckSince !== undefined;
}

/** The order of the output. */
const RANKS = ['closed', 'soon', 'other'] as const;

function rankOf(one: AccessDecision): (typeof RANKS)[number] {
	if (one.action === 'closed') return 'closed';
	return closesLater(one) ? 'soon' : 'other';
}

/** The fields are in the order in which n8n's table shows them. What is unknown is an empty text. */
function personItem(decision: AppliedDecision, dryRun: boolean): OutputItem {
	const { action, member, ended } = decision;
	const json: IDataObject = {
		what: whatOf(decision, dryRun),
		email: emailOf(decision),
		name: fullNameAfter(decision),
		status: statusText(decision),
		reason: reasonText(decision, dryRun),
		...identifiersAfter(decision),
		action,
		dryRun,
	};
	// Of a new subscriber, the fields say it already. Without changes, the row has one line.
	const changes = action === 'created' ? {} : changesOf(decision);
	if (Object.keys(changes).length > 0) json.changes = changes;
	if (isOpening(decision)) Object.assign(json, welcomeOf(decision));
	return { json, items: (member ?? ended ?? NOBODY).items };
}

function identifiersAfter({ member, subscriber, write, shown }: AppliedDecision): IDataObject {
	const known = subscriber?.customerId ?? member?.customerIds[0] ?? '';
	return {
		customer_id: textOf(write.customer_id) || known,
		uuid: subscriber?.uuid ?? textOf(shown?.uuid),
	};
}

function fullNameAfter(decision: AppliedDecision): string {
	const { subscriber, shown = {} } = decision;
	const person = { ...decision, member: decision.member ?? NOBODY };
	if (subscriber !== undefined) return fullName(person);
	return fullName({
		...person,
		member: { ...person.member, fields: { ...shown, ...person.member.fields } },
	});
}

/** What a welcome email needs. */
function welcomeOf({ shown, subscriber, write }: AppliedDecision): IDataObject {
	const record = shown ?? subscriber?.fields ?? {};
	const name = textOf(write.first_name) || textOf(record.first_name);
	return { first_name: name || null, feed_urls: feedUrlsOf(record) };
}
