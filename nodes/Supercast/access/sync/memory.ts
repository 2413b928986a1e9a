/** What a Sync remembers between its runs. Everything else it reads from Supercast or from the list. */

import { MINUTE_MS } from '../../api/clock';
import type { MemberRecord } from '../record';
import type { CurrentSubscriber } from '../subscribers';
import type { UsedAllowances } from '../allowOnce';

/** Two lists that were read closer together than this count as one. */
export const LISTS_APART_MS = MINUTE_MS;

/** For how long a closing counts for the limit. */
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What one run has changed. */
export interface FeedChanges {
	/** In milliseconds since 1970. */
	at: number;
	/** How many feeds it has closed. */
	closed: number;
	/** How many of these, and of the feeds that got another email, count for the limit. */
	counted: number;
}

/** Some people, of whom not all are named. */
export interface NamedPeople {
	count: number;
	/** How each is called, and why. */
	names: readonly string[];
}

/** What the daily email of a Sync has told: how one day differs from the one before. */
export interface DayTold {
	/** Such as 2026-11-29. */
	day: string;
	/** When that was found out, and since when it is, in milliseconds since 1970. */
	at: number;
	since?: number;
	/** Which feeds were open then: pieces of hashes, all equally long. */
	open: string;
	/** Undefined if there was no earlier day to compare with. */
	joined?: NamedPeople;
	left?: NamedPeople;
}

export interface SyncMemory {
	/** When the last list that counted was read, in milliseconds since 1970. Undefined if none has. */
	countedAt?: number;
	/** By the subscriber's name: how many lists in a row had nobody with this subscriber. */
	missing: ReadonlyMap<string, number>;
	/** What runs have changed within 24 hours. */
	changes: readonly FeedChanges[];
	used: UsedAllowances;
	/** How many people of the last list Supercast had. */
	known: number;
	/** How many lists in a row were incomplete, up to the last one. */
	incomplete: number;
	/** Undefined before the first real run. */
	told?: DayTold;
}

export const NOTHING_REMEMBERED: SyncMemory = {
	missing: new Map(),
	changes: [],
	used: new Map(),
	known: 0,
	incomplete: 0,
};

const BETWEEN = '\n';

/** The name under which a subscriber is remembered: what a list would show of them. */
export function absenceKey({ uuid, emailKey, customerId }: CurrentSubscriber): string {
	return emailKey === '' && customerId === '' ? uuid : `${emailKey}${BETWEEN}${customerId}`;
}

/** Whether a list is another one than the last that counted. */
export function isNextList({ countedAt }: SyncMemory, readingBeganAt: number): boolean {
	return countedAt === undefined || readingBeganAt - countedAt >= LISTS_APART_MS;
}

/** The changes of the last 24 hours. */
export function changesLately({ changes }: SyncMemory, now: number): FeedChanges[] {
	return changes.filter(({ at }) => at > now - DAY_MS && at <= now);
}

/** The memory after a list that does not count. Those who are on it are not missing any more. */
export function afterUncounted(memory: SyncMemory, records: readonly MemberRecord[]): SyncMemory {
	const live = records.filter(({ access }) => access !== 'close');
	const emails = new Set(live.map(({ emailKey }) => emailKey));
	const ids = new Set(live.map(({ customerId }) => customerId));
	const isAbsent = ([name]: readonly [string, number]): boolean => {
		const [email = '', id = ''] = name.split(BETWEEN);
		return !(email !== '' && emails.has(email)) && !(id !== '' && ids.has(id));
	};
	return { ...memory, missing: new Map([...memory.missing].filter(isAbsent)) };
}
