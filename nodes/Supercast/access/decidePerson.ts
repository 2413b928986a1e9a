import type { Channel } from '../api/channel';
import type { SupercastClient } from '../api/client';
import { keysOf } from '../api/identity';
import type { FirstTry } from '../operations/types';
import {
	match,
	namesOfSubscriber,
	NOBODY,
	NO_SUBSCRIBER,
	type CurrentSubscriber,
	type DesiredMember,
	type Person,
} from './match';
import { decideClosed, decideOpen, keep, type AccessDecision, type WantedAccess } from './rules';
import type { RuleSettings } from './settings';

/** How much the clocks of n8n and Supercast may differ. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** What an event wants for a person. */
export interface PersonWanted {
	access: WantedAccess;
	member: DesiredMember;
	settings: RuleSettings;
	/** If the items are older than this execution. */
	firstTried?: FirstTry;
}

/** Returns the function that decides about a person, given the records that may be theirs. */
export function decider(
	client: SupercastClient,
	{ access, member, settings, firstTried }: PersonWanted,
): (subscribers: CurrentSubscriber[]) => AccessDecision {
	return (subscribers) => {
		const [person = { member, others: [] }] = match([member], subscribers);
		if (cameWithOtherEmail(client.channel, member, person)) return keep(person, 'severalEmails');
		if (access === 'open') return decideOpen(person, settings);
		const newAfter = firstTried && unchangedSince(client.channel, member, subscribers, firstTried);
		return decideClosed(person, { ...settings, newAfter });
	};
}

/** Whether the customer ID has just come with another email, and the subscriber does not have this one. */
function cameWithOtherEmail(
	{ ledger }: Channel,
	{ email, emailKey, customerIds }: DesiredMember,
	{ subscriber = NO_SUBSCRIBER }: Person,
): boolean {
	if (subscriber.emailKey === emailKey || !customerIds.includes(subscriber.customerId))
		return false;
	return ledger.isWithOther(email, subscriber.customerId);
}

/** Remembers whom an event has named, unless the node did not follow it. */
export function noteNames(
	{ channel: { ledger } }: SupercastClient,
	{ member: { email, customerIds } = NOBODY, reason }: AccessDecision,
): void {
	if (email === '' || reason === 'severalEmails') return;
	for (const id of customerIds) ledger.noteTogether(email, id);
}

/**
 * Someone who has changed since an earlier execution may have paid again. If the feed was open, only
 * this process may know that.
 * @returns The latest change of a record that may be closed, in milliseconds since 1970.
 */
function unchangedSince(
	{ ledger }: Channel,
	member: DesiredMember,
	subscribers: readonly CurrentSubscriber[],
	{ date, time }: FirstTry,
): number {
	const keys = [member, ...subscribers.map(namesOfSubscriber)].flatMap(keysOf);
	return ledger.mayHaveDoneSince(keys, time) ? -Infinity : date - CLOCKS_DIFFER_MS;
}
