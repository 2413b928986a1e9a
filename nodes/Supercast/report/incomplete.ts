/** Why a list is incomplete, and what to do about it: one row for each cause. */

import type { Incompleteness } from '../access/sync/list';
import { textOf, asRecord } from '../api/json';
import { counted, joinNames, numberText, shownWord } from './names';

type Rows = {
	[Kind in Incompleteness['kind']]: (one: Incompleteness & { kind: Kind }) => [string, string];
};

const CHECK_PAGES = 'Check the node that reads your members. A page may be missing.';

/** Each row: what is wrong, as the end of "the list …", and what to do. */
const CAUSE_ROWS: Rows = {
	doubledIds: ({ ids }) => [
		`has ${counted(ids.length, 'record')} twice`,
		`Check the node that reads your members. A page may have come twice. Record IDs: ${joinNames(ids.map(shownWord), 5)}.`,
	],
	emptyIds: ({ items }) => [
		`has ${counted(items.length, 'item')} without a record ID`,
		`Check 'Record ID' for ${itemNames(items)}.`,
	],
	invalidItems: ({ items }) => [
		`has ${counted(items.length, 'item')} that ${items.length === 1 ? 'is not a member' : 'are not members'}`,
		items
			.slice(0, 1)
			.map(({ item, error }) => `${nameOfItem(item)}: ${error.message}. ${remedyIn(error)}`)
			.join(''),
	],
	missingRecords: ({ read, expected }) => [
		`has ${numberText(read)} of ${numberText(expected)} records`,
		CHECK_PAGES,
	],
	moreToCome: () => [
		'may get more records from another branch of the workflow',
		'Add a Merge node before Sync, so that Sync receives all items together.',
	],
	old: () => [
		'is older than five minutes',
		'Run the whole workflow, so that it reads the list again.',
	],
	pinned: () => ['is pinned', 'Unpin the data of the nodes before Sync.'],
	unknownNumber: ({ text }) => [
		text === ''
			? "has no number in 'Expected Number of Records'"
			: `has no number in 'Expected Number of Records', but "${shownWord(text)}"`,
		"Check the expression in 'Expected Number of Records'.",
	],
};

function causeTexts(one: Incompleteness): [string, string] {
	// TypeScript can't see that each row takes what is of its kind.
	const row = CAUSE_ROWS[one.kind] as (cause: Incompleteness) => [string, string];
	return row(one);
}

/** Such as "has 98 of 120 records, has 1 record twice". */
export function whatIsMissing(incomplete: readonly Incompleteness[]): string {
	return incomplete.map((one) => causeTexts(one)[0]).join(', ');
}

export function remediesFor(incomplete: readonly Incompleteness[]): string {
	return incomplete.map((one) => causeTexts(one)[1]).join(' ');
}

/** Who is on the items that Sync left out, as far as they have a valid email. */
export function leftOutOf(incomplete: readonly Incompleteness[]): string[] {
	const items = incomplete.flatMap((one) => (one.kind === 'invalidItems' ? one.items : []));
	return items.map(({ email }) => email).filter((email) => email !== '');
}

function remedyIn(error: Error): string {
	return textOf(asRecord(error).description);
}

function itemNames(items: readonly number[]): string {
	return joinNames(items.map(nameOfItem), 5);
}

function nameOfItem(item: number): string {
	return `item ${item} (n8n counts from 0)`;
}
