/** Which customer IDs are those of the list's membership system, if no prefix says so. */

import { isUuid } from '../../api/identity';
import { groupBy } from '../../subscriber/customerId';

/** The start of a customer ID that may name a membership system, such as `cus_`. */
const PREFIX = /^[a-z]+[_-]/i;

/** Stripe's. It marks another system's members even if there are only few of them. */
const STRIPE_PREFIX = 'cus_';

const DIGITS = /^\d+$/;

const HEXADECIMAL = /^[\da-f]{20,}$/i;

/** With fewer IDs on the list, a prefix that they share may be chance. */
const FEWEST_FOR_PREFIX = 5;

/** If this share of a list has one prefix, the rest are mistakes. */
const SHARE_OF_PREFIX = 0.9;

/** So many IDs of one kind are no mistake. */
const FEWEST_OF_KIND = 2;

/** In a long list, more of them may be mistakes. */
const SHARE_OF_KIND = 0.01;

/** So many subscribers with one prefix, none of them on the list, are another system's members. */
const FEWEST_OF_OTHER_SYSTEM = 3;

/**
 * Finds out which subscribers may belong to the list's membership system, by their customer IDs
 * (decision 0016). Someone who has left must not be taken for a member of another system, and the
 * reverse.
 * @param listed The customer IDs on the list. If there are none, every ID may be the system's.
 * @param open The customer IDs of the subscribers whose feeds are open.
 */
export function ownIdsOf(
	listed: readonly string[],
	open: readonly string[],
): (customerId: string) => boolean {
	if (listed.length === 0) return () => true;
	const own = sharedPrefix(listed);
	if (own !== undefined) return (customerId) => prefixOf(customerId) === own;
	const kinds = kindsOf(listed);
	const others = otherPrefixes(listed, open);
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
function sharedPrefix(listed: readonly string[]): string | undefined {
	if (listed.length < FEWEST_FOR_PREFIX) return undefined;
	const groups = [...groupBy(listed, prefixOf)];
	const shared = groups.find(([, ids]) => ids.length >= SHARE_OF_PREFIX * listed.length);
	return shared === undefined || shared[0] === '' ? undefined : shared[0];
}

/** The kinds of IDs on the list, without those of a few rows that are probably mistakes. */
function kindsOf(listed: readonly string[]): ReadonlySet<Kind> {
	const fewest = Math.max(FEWEST_OF_KIND, SHARE_OF_KIND * listed.length);
	const groups = [...groupBy(listed, kindOf)];
	const isMeant = ([, ids]: [Kind, string[]]): boolean =>
		ids.length >= fewest || ids.length >= listed.length / 2;
	return new Set(groups.filter(isMeant).map(([kind]) => kind));
}

/** The prefixes of other membership systems whose members are subscribers too. */
function otherPrefixes(listed: readonly string[], open: readonly string[]): ReadonlySet<string> {
	const own = new Set(listed.map(prefixOf));
	const groups = [...groupBy(open, prefixOf)].filter(
		([prefix, ids]) =>
			prefix !== '' && (prefix === STRIPE_PREFIX || ids.length >= FEWEST_OF_OTHER_SYSTEM),
	);
	return new Set(groups.map(([prefix]) => prefix).filter((prefix) => !own.has(prefix)));
}
