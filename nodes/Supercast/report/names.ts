/** How items, pages, emails and hints name people. What they are called is the text of others. */

import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import type { AppliedDecision } from '../access/apply';
import type { Person } from '../access/people';
import type { MemberRecord } from '../access/record';
import type { DecisionSubject } from '../access/rules';
import { NO_SUBSCRIBER, type CurrentSubscriber } from '../access/subscribers';

/** So many characters a name has at most. Longer ones are not names. */
const LONGEST_NAME = 40;

/** Emails, IDs and statuses are shown whole, as far as they are ordinary. */
const LONGEST_WORD = 100;

/**
 * Characters that nobody sees, that break a line, or that change the direction of what follows, by
 * their categories in Unicode. Without the joiner, an emoji of several would fall apart.
 */
const UNSEEN =
	/(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of others, such as an email, in one line. */
export function printable(text: string): string {
	return text.replace(UNSEEN, ' ');
}

/** A dot, also in other scripts, behind which an email program would see the end of an address. */
const DOT_OF_ADDRESS = /(?<=[\p{L}\p{N}])[.。．｡](?=[\p{L}\p{N}-]{2})/gu;

/**
 * The name of a person for an email. It has one line, at most 40 characters, and nothing that an email
 * program shows as a link. Anyone may enter anything as their name at a seller.
 */
export function cleanName(name: unknown): string {
	const line = printable(textOf(name)).replace(/[<>@/\\]+|:(?=\S)/g, ' ');
	const words = line.replace(DOT_OF_ADDRESS, '. ').replace(/\s+/g, ' ').trim();
	return cutText(words, LONGEST_NAME);
}

/** A word of others that must be readable as it is, such as a status. */
export function shownWord(word: string): string {
	return cutText(printable(word).trim(), LONGEST_WORD);
}

function cutText(text: string, most: number): string {
	const letters = [...text];
	return letters.length > most
		? `${letters
				.slice(0, most - 1)
				.join('')
				.trimEnd()}…`
		: text;
}

/** The full name of a person, as the list or Supercast has it. Empty if neither has one. */
export function fullName(
	{ person, ended, subscriber }: DecisionSubject,
	shown: IDataObject = {},
): string {
	const listed = [...(ended ?? []), ...(person?.records ?? [])].map((one) => one.fields().fields);
	const fields = Object.assign(
		{},
		subscriber?.fields,
		shown,
		...listed.map(withoutEmpty),
	) as IDataObject;
	return cleanName([fields.first_name, fields.last_name].map(textOf).join(' '));
}

function withoutEmpty(fields: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => textOf(value) !== ''));
}

/** The email of a person. Empty if neither the list nor Supercast has one. */
export function emailOf({ person, ended, subscriber }: DecisionSubject): string {
	const [inEnded] = (ended ?? []).map(({ email }) => email).filter((email) => email !== '');
	return person?.email || subscriber?.email || inEnded || '';
}

/** By what a person is called who has no email: the customer ID, or Supercast's ID. */
export function shownCustomerId({ person, ended, subscriber }: DecisionSubject): string {
	const [inEnded] = (ended ?? []).map((one) => one.customerId).filter((id) => id !== '');
	return subscriber?.customerId || person?.customerIds[0] || inEnded || '';
}

/** Name and email, because an email alone does not always tell who someone is. */
export function personName(subject: DecisionSubject, shown?: IDataObject): string {
	return [fullName(subject, shown), idOf(subject)].filter((one) => one !== '').join(', ');
}

function idOf(subject: DecisionSubject): string {
	const { uuid } = subject.subscriber ?? NO_SUBSCRIBER;
	return shownWord(emailOf(subject) || shownCustomerId(subject) || uuid);
}

/** The name of a person on the list. */
export function nameOfPerson(person: Person): string {
	return personName({ person, subscriber: person.subscribers[0] });
}

/** A subscriber, with what tells several of one person apart. */
export function nameOfSubscriber({ email, customerId, uuid, state }: CurrentSubscriber): string {
	const id = customerId === '' ? 'no customer ID' : `customer ID ${shownWord(customerId)}`;
	return `${shownWord(email || uuid)} (${id}, ${shownWord(state) || 'no state'})`;
}

/** The membership system's own words of records, each once. */
export function statusText(records: readonly MemberRecord[] = []): string {
	return [...new Set(records.map(({ status }) => shownWord(status)))].filter(Boolean).join(', ');
}

/** The records of whom an outcome is about. */
export function recordsOf({ person, ended }: DecisionSubject): readonly MemberRecord[] {
	return person?.records ?? ended ?? [];
}

/** Names the first ones, and how many more there are. */
export function joinNames(names: readonly string[], most = 12): string {
	const more = names.length - most;
	const named = names.slice(0, most).join('; ');
	return more > 0 ? `${named}; and ${numberText(more)} more` : named;
}

/** With a comma for thousands. */
export function numberText(count: number): string {
	return count.toLocaleString('en-US');
}

/** Such as "1 feed" or "1,200 feeds". */
export function counted(count: number, one: string, several = `${one}s`): string {
	return `${numberText(count)} ${count === 1 ? one : several}`;
}

export function feeds(count: number): string {
	return counted(count, 'feed');
}

export function people(count: number): string {
	return counted(count, 'person', 'people');
}

/** What stays the same of an outcome from run to run, without telling who it is. */
export function hashOf(texts: readonly string[]): string {
	const all = [...texts].sort().join('\n');
	return createHash('sha256').update(all).digest('base64url').slice(0, 8);
}

/** By what an outcome is recognized in the next run. */
export function personKey(one: Pick<AppliedDecision, 'ended' | 'person' | 'subscriber'>): string {
	return one.person?.emailKey || shownCustomerId(one) || one.subscriber?.uuid || emailOf(one);
}

/** Whether a person's feed is open, as Supercast showed it when the list came. */
export function feedNow({ subscribers }: Pick<Person, 'subscribers'>): string {
	if (subscribers.length === 0) return 'no feed';
	return subscribers.some(({ isOpen }) => isOpen) ? 'open' : 'closed';
}
