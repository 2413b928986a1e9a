/** Which customer IDs belong to the list's membership system, if no prefix is set. */

import { groupBy } from '../../../subscriber/customerId';

/** The start of a customer ID that may name a membership system, such as `cus_`. */
const LETTER_PREFIX = /^[a-z]+[_-]/i;

/** Stripe's prefix. Even a few IDs with it are no coincidence, on the list or beside it. */
const STRIPE_PREFIX = 'cus_';

/** With fewer IDs, a shared prefix may be a coincidence. */
const FEWEST_FOR_PREFIX = 5;

/** If this share of a list has one prefix, the rest are mistakes. */
const SHARE_OF_PREFIX = 0.9;

/** So many other subscribers with one prefix are another system's members, if the list has none. */
const FEWEST_OF_OTHER_SYSTEM = 3;

/** So many IDs may be a mistake on a list that is not short. */
const MOST_MISTAKES = 1;

/**
 * Finds out which subscribers may belong to the list's membership system, by the prefixes of their
 * customer IDs (decision 0017). It must not mistake someone who has left for a member of another
 * system, or the reverse.
 * @param listed The customer IDs on the list. If there are none, every ID may be the system's.
 * @param open The customer IDs of the subscribers whose feeds are open.
 */
export function ownIdsOf(
	listed: readonly string[],
	open: readonly string[],
): (customerId: string) => boolean {
	if (listed.length === 0) return () => true;
	const byPrefix = groupBy(listed, prefixOf);
	const mistakes = listed.length < FEWEST_FOR_PREFIX ? 0 : MOST_MISTAKES;
	const own = sharedPrefix(byPrefix, listed.length, mistakes);
	if (own !== undefined) return (customerId) => prefixOf(customerId) === own;
	const known = new Set(listed);
	const unlisted = open.filter((id) => !known.has(id));
	const others = otherPrefixes(byPrefix, groupBy(unlisted, prefixOf), mistakes);
	return (customerId) => !others.has(prefixOf(customerId) ?? '');
}

function prefixOf(customerId: string): string | undefined {
	return LETTER_PREFIX.exec(customerId)?.[0].toLowerCase();
}

/** IDs without a prefix are left out. */
type ByPrefix = ReadonlyMap<string, string[]>;

/** The prefix that nearly all IDs share. Undefined if there is none. */
function sharedPrefix(byPrefix: ByPrefix, size: number, mistakes: number): string | undefined {
	const fewest = Math.min(SHARE_OF_PREFIX * size, size - mistakes);
	const [prefix] = [...byPrefix].find(([, ids]) => ids.length >= fewest) ?? [];
	return size >= FEWEST_FOR_PREFIX || prefix === STRIPE_PREFIX ? prefix : undefined;
}

/** The prefixes of other membership systems whose members are subscribers too. */
function otherPrefixes(own: ByPrefix, unlisted: ByPrefix, mistakes: number): ReadonlySet<string> {
	const isOther = ([prefix, ids]: [string, string[]]): boolean => {
		const { length: listed } = own.get(prefix) ?? [];
		if (listed === 0 && prefix === STRIPE_PREFIX) return true;
		return listed <= mistakes && ids.length >= FEWEST_OF_OTHER_SYSTEM;
	};
	return new Set([...unlisted].filter(isOther).map(([prefix]) => prefix));
}
