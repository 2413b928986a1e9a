/** How items, emails and hints name people. */

import { textOf } from '../../api/json';
import { NOBODY, NO_SUBSCRIBER, type CurrentSubscriber, type Person } from '../../access/match';
import type { AccessDecision } from '../../access/rules';

/** So many names a sentence has at most. */
const MOST_NAMES = 50;

const FEW_NAMES = 12;

/** How an item names the person. */
export function emailOf({
	member = NOBODY,
	subscriber = NO_SUBSCRIBER,
	reason,
}: Pick<AccessDecision, 'member' | 'reason' | 'subscriber'>): string {
	// Another record of a listed person is named by its own email.
	return reason === 'otherEmail' ? subscriber.email : member.email || subscriber.email;
}

/** The full name of a person, as the list or Supercast has it. Empty if neither has one. */
export function fullName({ member = NOBODY, subscriber = NO_SUBSCRIBER }: Person): string {
	const fields = { ...subscriber.fields, ...member.fields };
	return (
		[fields.first_name, fields.last_name]
			// Hints and errors in n8n's editor are HTML.
			.map((name) => textOf(name).replace(/[<>]/g, ' ').trim())
			.filter((name) => name !== '')
			.join(' ')
	);
}

/** Name and email, because an email alone does not always tell who someone is. */
export function personName(decision: AccessDecision): string {
	return [fullName(decision), emailOf(decision)].filter((one) => one !== '').join(', ');
}

/** The same for a subscriber without a decision. */
export function subscriberName(subscriber: CurrentSubscriber): string {
	const name = fullName({ subscriber, others: [] });
	return [name, subscriber.email || subscriber.uuid].filter((one) => one !== '').join(', ');
}

/** Names a few people by name and email, and how many more there are. */
export function joinPeople(people: readonly string[]): string {
	const more = people.length - FEW_NAMES;
	const named = people.slice(0, FEW_NAMES).join('; ');
	return more > 0 ? `${named}; and ${more} more` : named;
}

/** Names the first ones, and how many more there are. */
export function joinNames(texts: readonly string[]): string {
	const more = texts.length - MOST_NAMES;
	const named = texts.slice(0, MOST_NAMES).join(', ');
	return more > 0 ? `${named} and ${more} more` : named;
}

export function feeds(count: number): string {
	return count === 1 ? '1 feed' : `${count} feeds`;
}
