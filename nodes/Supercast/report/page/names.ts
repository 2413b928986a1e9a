/** How items, emails and hints name people. */

import { NOBODY, NO_SUBSCRIBER } from '../../access/match';
import type { AccessDecision } from '../../access/rules';

const MOST_NAMES = 50;

/** So many names of a list leave room for what needs a person, also on a phone. */
export const FEW_NAMES = 12;

/** How an item names the person. */
export function emailOf({
	member = NOBODY,
	subscriber = NO_SUBSCRIBER,
	reason,
}: AccessDecision): string {
	// Another record of a listed person is named by its own email.
	return reason === 'otherEmail' ? subscriber.email : member.email || subscriber.email;
}

/** Names the first 50, and how many more there are. */
export function joinNames(texts: readonly string[]): string {
	const more = texts.length - MOST_NAMES;
	const named = texts.slice(0, MOST_NAMES).join(', ');
	return more > 0 ? `${named} and ${more} more` : named;
}

/** The same as lines of a list. `count` is how many there are, if not all have a text. */
export function nameLines(
	texts: readonly string[],
	{ most = MOST_NAMES, count = texts.length } = {},
): string[] {
	const named = texts.slice(0, most);
	const more = count - named.length;
	return more > 0 ? [...named, `and ${more} more`] : named;
}

export function feeds(count: number): string {
	return count === 1 ? '1 feed' : `${count} feeds`;
}
