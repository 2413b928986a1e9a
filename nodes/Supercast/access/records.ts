/** What the records of a membership system say about access. */

import { textOf } from '../api/json';

/**
 * The strongest comes first:
 *
 * - `open`: the person must have an open feed.
 * - `unclear`: any other value, also an empty one. It changes nothing, and a run says so.
 * - `keep`: whatever is open stays open, whatever is closed stays closed, and nobody is created.
 * - `close`: the record is there, and gives no access.
 */
const ACCESSES = ['open', 'unclear', 'keep', 'close'] as const;

export type RecordAccess = (typeof ACCESSES)[number];

/** Reads the access of a record, which may come from an expression. */
export function readAccess(value: unknown): RecordAccess {
	const text = textOf(value).trim();
	return ACCESSES.find((one) => one === text) ?? 'unclear';
}

/** The records, by access. The strongest come first. */
export function byStrength<T extends { access: RecordAccess }>(records: readonly T[]): T[] {
	return ACCESSES.flatMap((access) => records.filter((one) => one.access === access));
}

/** How long a status may be. The word of a membership system is short. */
const LONGEST_STATUS = 100;

/** Reads a status, the membership system's own word. Empty if there is none. */
export function readStatus(value: unknown): string[] {
	const text = textOf(value).trim().slice(0, LONGEST_STATUS);
	return text === '' ? [] : [text];
}
