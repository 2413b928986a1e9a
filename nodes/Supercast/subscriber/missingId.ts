/** Customer IDs that are the text of a missing value. Two people with such an ID would be one. */

import { InputError } from '../api/errors/errors';
import { requireId } from '../operations/texts';

const MISSING =
	/^(undefined|null|nan|true|false|0|none|#?n\/a|[-_]+|\[object \w+\]|\[\s*\]|\{\s*(".*)?\})?$/is;

/**
 * The beginning of an ID that may name a membership system, such as `wp-`, or a person. After a single
 * letter, a 0 is rather the first of a series.
 */
const ANY_PREFIX = /^[a-z]{2,15}[-_:.]+|^[a-z][-_:.]+(?!0$)/i;

/**
 * Reads the customer ID of one person. Throws InputError if it is missing. An ID such as `helen.0`
 * may be a user name, so what stands behind a beginning counts only if a setting names it.
 */
export function requireCustomerId(typed: unknown): string {
	const id = typeof typed === 'boolean' ? String(typed) : requireId(typed, 'Customer ID');
	refuseMissingId(id, []);
	return id;
}

/** Throws InputError if an ID, or the part after one of these prefixes, stands for a missing value. */
export function refuseMissingId(id: string, prefixes: readonly string[]): void {
	const starts = ['', ...prefixes].filter((prefix) => id.startsWith(prefix));
	if (starts.some((prefix) => isMissingText(id.slice(prefix.length)))) throw missingId(id);
}

/**
 * Whether an ID is the text of a missing value behind any beginning, such as `wp-null`. If only one
 * person has it, it may be their user name.
 */
export function mayBeMissingId(id: string): boolean {
	const [prefix] = ANY_PREFIX.exec(id) ?? [];
	return prefix !== undefined && isMissingText(id.slice(prefix.length));
}

/**
 * @param who Whose ID it is, if several people share it, as the end of the message.
 * @param more The end of the remedy.
 */
export function missingId(id: string, who = '', more = ''): InputError {
	return new InputError(
		`'Customer ID' is "${id}", which is the text of a missing value${who}`,
		`With such an ID, two people could become one subscriber. Check the expression in 'Customer ID'. If someone has no ID, it must return an empty text, without a prefix.${more}`,
	);
}

function isMissingText(text: string): boolean {
	return MISSING.test(text.trim());
}
