/** Whether the workflow has read all records that the membership system has (decision 0019). */

import { InputError } from '../../../api/errors/errors';
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
}

/**
 * What is missing from the list. Undefined if the list is whole, or nobody knows.
 * @param before How many lists in a row were short before this one.
 */
export function shortListOf(
	{ recordsRead: read = 0, recordsExpected: expected = 0 }: Counts,
	before: number,
): ShortList | undefined {
	return read < expected ? { read, expected, inARow: before + 1 } : undefined;
}

/** What the title of the summary says. Empty if the list is whole. */
export function shortTitle(short: ShortList | undefined): string {
	return short === undefined ? '' : `the list lacks ${missingOf(short)}`;
}

/** What is missing, as the end of a sentence. */
function missingOf({ read, expected }: ShortList): string {
	return `${expected - read} of ${expected} records`;
}

const CHECK_PAGES =
	'Check the node that reads your members. A page may be empty or incomplete, or may have come twice.';

/** Says that the counts of the records differ. Empty if they do not. */
export function countWarning(
	{ recordsRead: read = 0, recordsExpected: expected = 0 }: Counts,
	short: ShortList | undefined,
): string {
	if (short !== undefined) {
		return `The list is not whole. It lacks ${missingOf(short)} of your membership system. Sync opens feeds, but closes none. ${CHECK_PAGES}`;
	}
	if (!isMany(read - expected, expected)) return '';
	return `The workflow has read ${read} records, but your membership system has ${expected}. Check 'Records Expected'. With a wrong number, Sync cannot know whether the list is whole.`;
}

/**
 * The error of a run whose list lacks more records than a few people who have just joined or left,
 * or is short again and again. Undefined if there is none. A dry run only warns.
 * @param done Whom the run has changed, in words.
 */
export function shortListError(
	short: ShortList | undefined,
	{ dryRun }: SyncSettings,
	done: string,
): InputError | undefined {
	if (short === undefined || dryRun) return undefined;
	const isOften = short.inARow > MOST_IN_A_ROW;
	if (!isOften && !isMany(short.expected - short.read, short.expected)) return undefined;
	const often = isOften ? `${short.inARow} lists in a row were not whole. ` : '';
	const changed = done === '' ? 'Sync changed nothing.' : `Done: ${done}.`;
	return new InputError(
		`The list lacks ${missingOf(short)} of your membership system`,
		// The workflows tell apart what they have told by how a message begins.
		`${CHECK_PAGES} Until the list is whole, Sync opens feeds, but closes none. ${often}${changed}`,
	);
}

function isMany(records: number, expected: number): boolean {
	return records > Math.max(FEW_JOIN_OR_LEAVE, expected * FEW_OF_ALL);
}
