/** Whether the list has all records that the membership system has (decision 0019). */

import type { SyncSettings } from '../../settings';
import type { RecordCounts } from './records';

/** So many people may join or leave while the workflow reads the pages of the list. */
const FEW_JOIN_OR_LEAVE = 2;

/** The same, as a share of all records. */
const FEW_OF_ALL = 0.005;

/** So many incomplete lists in a row are not a coincidence. */
const MOST_IN_A_ROW = 2;

type Counts = Pick<SyncSettings, 'hasRecordIds' | 'recordsExpected' | 'recordsRead'>;

/** A list that lacks records, has some twice, or has some that name nobody. */
export interface ShortList {
	read: number;
	/** How many records there are. Not more than `read` if none are missing, or nobody knows. */
	expected: number;
	doubled: readonly string[];
	nameless: RecordCounts['nameless'];
	/** How many lists in a row were incomplete, including this one. */
	inARow: number;
	/** Whether that is more often, or more records, than people who just joined or left explain. */
	isOften: boolean;
	isMany: boolean;
}

/**
 * Why the list is incomplete. Undefined if it is complete, or nobody knows.
 * @param before How many lists in a row were incomplete before this one.
 */
export function shortListOf(
	settings: Counts,
	counts: RecordCounts,
	before: number,
): ShortList | undefined {
	const { doubled, nameless } = counts;
	const read = recordsOf(settings, counts);
	const { recordsExpected: expected = read } = settings;
	const wrong = Math.max(0, expected - read) + doubled.length + nameless.length;
	if (wrong === 0) return undefined;
	const inARow = before + 1;
	const isOften = inARow > MOST_IN_A_ROW;
	const all = Math.max(expected, read);
	return { read, expected, doubled, nameless, inARow, isOften, isMany: isMany(wrong, all) };
}

/** How many different records the workflow has read. */
export function recordsOf(
	{ hasRecordIds, recordsRead = 0 }: Counts,
	{ different }: RecordCounts,
): number {
	return hasRecordIds ? different : recordsRead;
}

/** Whether the workflow has read many more records than the membership system says it has. */
export function hasTooMany(settings: Counts, counts: RecordCounts): boolean {
	const { recordsExpected: expected } = settings;
	return expected !== undefined && isMany(recordsOf(settings, counts) - expected, expected);
}

function isMany(records: number, all: number): boolean {
	return records > Math.max(FEW_JOIN_OR_LEAVE, all * FEW_OF_ALL);
}
