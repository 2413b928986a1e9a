/** A joined list of several membership systems that has nobody of one of them (decision 0019). */

import { NO_SUBSCRIBER, peopleWithRecords, type Person } from '../../match';
import type { AccessDecision } from '../../rules';
import type { RuleSettings } from '../../settings';

/**
 * Returns a function that says whether a customer ID has a prefix that nobody on the list has. With
 * one prefix, no part is missing: such a list may have emails only.
 */
export function missingPartIn(
	people: readonly Person[],
	prefixes: readonly string[],
): (customerId: string) => boolean {
	const missing = new Set(prefixes.length > 1 ? prefixes : []);
	// A part is there even if all of its members have left.
	for (const { customerIds, otherIds } of peopleWithRecords(people)) {
		for (const id of [...customerIds, ...otherIds]) {
			for (const prefix of missing) if (id.startsWith(prefix)) missing.delete(prefix);
		}
	}
	return (customerId) => [...missing].some((prefix) => customerId.startsWith(prefix));
}

/** Which part of the list is missing although its members have open feeds. */
export interface MissingPart {
	prefixes: string[];
	/** How many open feeds there are. */
	feeds: number;
}

/** Undefined if no part is missing. */
export function missingPartOf(
	outcomes: readonly AccessDecision[],
	{ customerIdPrefix }: RuleSettings,
): MissingPart | undefined {
	const open = outcomes.filter(({ reason }) => reason === 'missingPart');
	const ids = open.map(({ subscriber = NO_SUBSCRIBER }) => subscriber.customerId);
	const prefixes = customerIdPrefix.filter((prefix) => ids.some((id) => id.startsWith(prefix)));
	return open.length === 0 ? undefined : { prefixes, feeds: open.length };
}
