/** Customer IDs that are the text of a missing value. Two people with such an ID would be one. */

import { InputError } from '../api/errors/errors';
import { requireId } from '../operations/texts';

const MISSING =
	/^(undefined|null|nan|true|false|0|none|#?n\/a|[-_]+|\[object \w+\]|\[\s*\]|\{\s*(".*)?\})?$/is;

/**
 * The beginning of an ID that may name a membership system, such as `wp-`. After a single letter, a
 * 0 is rather the first of a series.
 */
const ANY_PREFIX = /^[a-z]{2,15}[-_:.]+|^[a-z][-_:.]+(?!0$)/i;

/** Reads the customer ID of one person. Throws InputError if it is missing. */
export function requireCustomerId(typed: unknown): string {
	const id = typeof typed === 'boolean' ? String(typed) : requireId(typed, 'Customer ID');
	refuseMissingId(id, [ANY_PREFIX.exec(id)?.[0] ?? '']);
	return id;
}

/** Throws InputError if an ID, or the part after one of these prefixes, stands for a missing value. */
export function refuseMissingId(id: string, prefixes: readonly string[]): void {
	const starts = ['', ...prefixes].filter((prefix) => id.startsWith(prefix));
	if (!starts.some((prefix) => MISSING.test(id.slice(prefix.length).trim()))) return;
	throw new InputError(
		`'Customer ID' is "${id}", which is the text of a missing value`,
		"With such an ID, two people would become one subscriber. Check the expression in 'Customer ID'. If someone has no ID, it must return an empty text, without a prefix.",
	);
}
