/** Whether the workflow has read all records that the membership system has (decision 0019). */

import type { SyncSettings } from '../../settings';

/** So many people may join or leave while the workflow reads the pages of the list. */
const FEW_JOIN_OR_LEAVE = 2;

/** The same, as a share of all records. */
const FEW_OF_ALL = 0.005;

/** So many short lists in a row are not a coincidence. */
const MOST_IN_A_ROW = 2;

type Counts = Pick<SyncSettings, 'recordsExpected' | 'recordsRead'>;

/** A list for which the workflow has read fewer records than there are. */
export interface ShortList {
	read: number;
	expected: number;
	/** How many lists in a row were short, including this one. */
	inARow: number;
	/** Whether that is more often, or more records, than people who just joined or left explain. */
	isOften: boolean;
	isMany: boolean;
}

/**
 * What is missing from the list. Undefined if the list is complete, or nobody knows.
 * @param before How many lists in a row were short before this one.
 */
export function shortListOf(
	{ recordsRead: read = 0, recordsExpected: expected = 0 }: Counts,
	before: number,
): ShortList | undefined {
	if (read >= expected) return undefined;
	const inARow = before + 1;
	const isOften = inARow > MOST_IN_A_ROW;
	return { read, expected, inARow, isOften, isMany: isMany(expected - read, expected) };
}

/** Whether the workflow has read many more records than the membership system says it has. */
export function hasTooMany({
	recordsRead: read = 0,
	recordsExpected: expected = 0,
}: Counts): boolean {
	return isMany(read - expected, expected);
}

function isMany(records: number, expected: number): boolean {
	return records > Math.max(FEW_JOIN_OR_LEAVE, expected * FEW_OF_ALL);
}
