/** Which customer IDs belong to the list's membership system, if no prefix is set. */

import { isUuid } from '../../api/identity';
import { groupBy } from '../../subscriber/customerId';

/** The start of a customer ID that may name a membership system, such as `cus_`. */
const PREFIX = /^[a-z]+[_-]/i;

/** Stripe's prefix. It marks members of another system, even if there are only a few. */
const STRIPE_PREFIX = 'cus_';

const DIGITS = /^\d+$/;

const HEXADECIMAL = /^[\da-f]{20,}$/i;

/** With fewer IDs on the list, a shared prefix may be a coincidence. */
const FEWEST_FOR_PREFIX = 5;

/** If this share of a list has one prefix, the rest are mistakes. */
const SHARE_OF_PREFIX = 0.9;

/** This many IDs of one kind are not a mistake. */
const FEWEST_OF_KIND = 2;

/** In a long list, IDs of a kind with a smaller share than this may be mistakes. */
const SHARE_OF_KIND = 0.01;

/**
 * If this many subscribers share a prefix that no ID on the list has, they are another system's
 * members.
 */
const FEWEST_OF_OTHER_SYSTEM = 3;

/**
 * Finds out which subscribers may belong to the list's membership system, by their customer IDs
 * (decision 0017). It must not mistake someone who has left for a member of another system, or the
 * reverse.
 * @param listed The customer IDs on the list. If there are none, every ID may be the system's.
 * @param open The customer IDs of the subscribers whose feeds are open.
 */
export function ownIdsOf(
	listed: readonly string[],
	open: readonly string[],
): (customerId: string) => boolean {
	if (listed.length === 0) return () => true;
	const byPrefix = groupBy(listed, prefixOf);
	const own = sharedPrefix(byPrefix, listed.length);
	if (own !== undefined) return (customerId) => prefixOf(customerId) === own;
	const kinds = kindsOf(groupBy(listed, kindOf), listed.length);
	const others = otherPrefixes(byPrefix, groupBy(open, prefixOf));
	return (customerId) => kinds.has(kindOf(customerId)) && !others.has(prefixOf(customerId));
}

function prefixOf(customerId: string): string {
	return PREFIX.exec(customerId)?.[0].toLowerCase() ?? '';
}

type Kind = 'digits' | 'hexadecimal' | 'text' | 'uuid';

function kindOf(customerId: string): Kind {
	if (isUuid(customerId)) return 'uuid';
	if (HEXADECIMAL.test(customerId)) return 'hexadecimal';
	return DIGITS.test(customerId) ? 'digits' : 'text';
}

/** The prefix that nearly all IDs share. Undefined if there is none. */
function sharedPrefix(byPrefix: ReadonlyMap<string, string[]>, size: number): string | undefined {
	if (size < FEWEST_FOR_PREFIX) return undefined;
	return [...byPrefix].find(([, ids]) => ids.length >= SHARE_OF_PREFIX * size)?.[0];
}

/** The kinds of IDs on the list, without those of a few rows that are probably mistakes. */
function kindsOf(byKind: ReadonlyMap<Kind, string[]>, size: number): ReadonlySet<Kind> {
	const fewest = Math.max(FEWEST_OF_KIND, SHARE_OF_KIND * size);
	const isMeant = ([, ids]: [Kind, string[]]): boolean =>
		ids.length >= fewest || ids.length >= size / 2;
	return new Set([...byKind].filter(isMeant).map(([kind]) => kind));
}

/** The prefixes of other membership systems whose members are subscribers too. */
function otherPrefixes(
	own: ReadonlyMap<string, string[]>,
	open: ReadonlyMap<string, string[]>,
): ReadonlySet<string> {
	const isOther = ([prefix, ids]: [string, string[]]): boolean =>
		!own.has(prefix) && (prefix === STRIPE_PREFIX || ids.length >= FEWEST_OF_OTHER_SYSTEM);
	return new Set([...open].filter(isOther).map(([prefix]) => prefix));
}
