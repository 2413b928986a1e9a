/**
 * Which subscribers a Sync knows, and which it has opened. n8n stores this between executions, so it
 * has only hashes.
 */

import { createHash } from 'node:crypto';

import { identifierOf } from '../../../subscriber/customerId';
import type { AppliedDecision } from '../../apply';
import type { CurrentSubscriber } from '../../match';

type NamedSubscriber = Pick<CurrentSubscriber, 'email' | 'uuid'>;

/** So many subscribers show that a list is of the same channel as before. */
const MOST_KNOWN = 100;

/** An opening that was longer ago than this can no longer be taken back by its list. */
const OPENED_MS = 30 * 24 * 60 * 60_000;

/** By the subscriber's hash: when the list arrived that opened the feed, in milliseconds since 1970. */
export type Opened = ReadonlyMap<string, number>;

/** The same for a subscriber at all times, whatever their email. */
export function subscriberHash(subscriber: NamedSubscriber): string {
	return createHash('sha256').update(identifierOf(subscriber)).digest('base64url').slice(0, 12);
}

/** The hashes of some of these subscribers, by which the next list recognizes the channel. */
export function knownAfter(subscribers: readonly NamedSubscriber[]): readonly string[] {
	return subscribers.slice(0, MOST_KNOWN).map(subscriberHash);
}

/** How many subscribers are known from before, and whether Supercast still shows one of them. */
export interface Recognized {
	known: number;
	isAnyListed: boolean;
}

export function recognized(
	known: readonly string[],
	subscribers: readonly NamedSubscriber[],
): Recognized {
	const hashes = new Set(known);
	return {
		known: hashes.size,
		isAnyListed: subscribers.some((one) => hashes.has(subscriberHash(one))),
	};
}

/**
 * What to remember of the feeds that lists have opened: only of lists that opened more than one list
 * may close, because such a list may be a mistake.
 * @param at When the latest list arrived, in milliseconds since 1970.
 * @param maxClosings How many feeds a list may close.
 */
export function openedAfter(
	before: Opened,
	outcomes: readonly AppliedDecision[],
	{ at, maxClosings }: { at: number; maxClosings: number },
): Opened {
	const opened = outcomes.flatMap(({ action, subscriber, error }) => {
		const isOpened = error === undefined && (action === 'created' || action === 'reopened');
		return isOpened && subscriber !== undefined ? [subscriberHash(subscriber)] : [];
	});
	const latest = opened.length > maxClosings ? opened : [];
	const all = new Map(latest.map((hash) => [hash, at]));
	// Those of the latest list come first, because n8n stores only so many.
	for (const [hash, time] of before) {
		if (!all.has(hash) && at - time < OPENED_MS) all.set(hash, time);
	}
	return all;
}
