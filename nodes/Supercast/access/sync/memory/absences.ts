/** Who has been missing from the list of members, and for how many lists in a row. */

import { identifierKey } from '../../../api/identity';
import type { CurrentSubscriber, DesiredMember } from '../../match';
import { subscriberHash, type Opened } from './known';
import { wasWritten, type Written } from './written';

/** Two lists that were read closer together than this count as one. */
const LISTS_APART_MS = 60_000;

/** If a list arrives this long before the latest one, the clock was set back. */
const SET_BACK_MS = 10 * 60_000;

/** What was remembered longer ago than this counts for nothing. A daily list may be hours late. */
const FORGOTTEN_MS = 30 * 60 * 60_000;

/** How many names n8n stores between executions: at most about 100 KB for each Sync. */
export const MOST_STORED = 2_000;

/**
 * How many lists in a row a subscriber has been missing from. 0 if their feed had to stay open
 * meanwhile, and `notCounted` if they have also not counted for the limit.
 */
export type MissedLists = number | 'notCounted';

/** What a Sync remembers of the lists that it has accepted. Times are in milliseconds since 1970. */
export interface ListMemory {
	/** When the latest list arrived. */
	seenAt: number;
	/** When the latest of the lists that counted was read from its source. */
	countedAt: number;
	/** By the subscriber's name. */
	missing: ReadonlyMap<string, MissedLists>;
	/** By the member's email: for how many lists in a row Supercast has refused to create them. */
	refused: ReadonlyMap<string, number>;
	/** What was written with the latest list. */
	written: Written;
	/** How many lists in a row were incomplete, up to the latest. */
	shortLists: number;
	/** By the subscriber's name: since when their feed should be closed, and could not be. */
	stuck: ReadonlyMap<string, number>;
	/** How many empty items of unknown origin the latest list had. */
	damaged?: number;
	/** The membership systems that the lists had, and whose members still have open feeds. */
	systems?: readonly string[];
	/** How many people should have access by the latest list. Undefined before the first one. */
	people?: number;
	/** Some of the channel's subscribers. */
	known: readonly string[];
	opened: Opened;
}

export const NOTHING_REMEMBERED: ListMemory = {
	seenAt: 0,
	countedAt: 0,
	missing: new Map(),
	refused: new Map(),
	written: new Map(),
	shortLists: 0,
	stuck: new Map(),
	known: [],
	opened: new Map(),
};

/** Stands between the two parts of a name. */
const BETWEEN = '\n';

/** The name under which a subscriber is remembered: what a list would show of them. */
export function absenceKey({ uuid, emailKey, customerId }: CurrentSubscriber): string {
	return emailKey === '' && customerId === '' ? uuid : `${emailKey}${BETWEEN}${customerId}`;
}

/** Who is not on a list. */
export interface Absent {
	/** The subscribers whose feeds the list would close, now or after more lists. */
	missing: readonly CurrentSubscriber[];
	/** Those whom it would close if each member on the list had a subscriber. */
	spared: readonly CurrentSubscriber[];
}

/** When a list was read from its source, and when it arrived, in milliseconds since 1970. */
export interface ListTimes {
	readAt: number;
	receivedAt: number;
}

/** What earlier lists say about a person, and for how many lists in a row, with the present one. */
export class ListCounter {
	/** Whether what was remembered is too old to count. */
	readonly hasForgotten: boolean;

	/** What still counts of what was remembered. */
	readonly memory: ListMemory;

	/** 0 if this list is the one that counted last, or was read before it or within a minute. */
	readonly step: 0 | 1;

	constructor(memory: ListMemory, times: ListTimes) {
		const isForgotten = isOld(memory.countedAt, times.receivedAt);
		this.hasForgotten = isForgotten && memory.missing.size > 0;
		const { written, people, known, opened } = memory;
		const lasting = { ...NOTHING_REMEMBERED, written, people, known, opened };
		this.memory = isForgotten ? lasting : memory;
		const since = times.readAt - this.memory.countedAt;
		// A clock that was set back must not stop the counting.
		const isSetBack = times.receivedAt < this.memory.seenAt - SET_BACK_MS;
		const isOlder = since < 0 && !isSetBack;
		const isAnother = since >= LISTS_APART_MS || isSetBack || hasNothing(this.memory);
		this.step = isAnother && !isOlder ? 1 : 0;
	}

	/**
	 * For a subscriber who is not on this list: how many lists in a row they have been missing
	 * from.
	 */
	listsWithout(subscriber: CurrentSubscriber): number {
		const before = this.before(subscriber) ?? 0;
		return (before === 'notCounted' ? 0 : before) + this.step;
	}

	/** Whether the subscriber has not counted for the limit before. */
	isFirstWithout(subscriber: CurrentSubscriber): boolean {
		return (this.before(subscriber) ?? 'notCounted') === 'notCounted';
	}

	/** Whether the subscriber was missing from an earlier list, or had to stay open then. */
	isKnown(subscriber: CurrentSubscriber): boolean {
		return this.before(subscriber) !== undefined;
	}

	/** What was remembered of the subscriber. */
	before(subscriber: CurrentSubscriber): MissedLists | undefined {
		return this.memory.missing.get(absenceKey(subscriber));
	}

	/** Whether an earlier list is known. */
	get hasPrevious(): boolean {
		return this.memory.countedAt > 0;
	}

	/** How many people should have had access by the list before. Undefined if there was none. */
	get peopleBefore(): number | undefined {
		return this.memory.people;
	}

	/** When the list arrived that opened this feed together with many others. */
	openedAt(subscriber: CurrentSubscriber): number | undefined {
		const { opened } = this.memory;
		return opened.size === 0 ? undefined : opened.get(subscriberHash(subscriber));
	}

	/** For how many lists in a row Supercast has refused to create a member. */
	listsRefused(email: string): number {
		return (this.memory.refused.get(identifierKey(email)) ?? 0) + this.step;
	}

	/** Since when a feed could not be closed. Undefined if no earlier list tried. */
	stuckSince(subscriber: CurrentSubscriber): number | undefined {
		return this.memory.stuck.get(absenceKey(subscriber));
	}

	/** Whether this value was written with the latest list. */
	wasWritten(subscriber: CurrentSubscriber, field: string, value: unknown): boolean {
		return wasWritten(this.memory.written, subscriber, field, value);
	}
}

/**
 * The memory after a list that arrived, but does not count. Forgets those who are on it, and adds
 * nobody.
 * @param members Undefined if nobody knows who is on the list. Then, it forgets everyone.
 * @param receivedAt When the list arrived, in milliseconds since 1970.
 */
export function afterUncounted(
	memory: ListMemory,
	members: ReadonlyArray<Pick<DesiredMember, 'customerIds' | 'emailKey'>> | undefined,
	receivedAt: number,
): ListMemory {
	if (members === undefined) return { ...memory, seenAt: receivedAt, missing: new Map() };
	const emails = new Set(members.map(({ emailKey }) => emailKey));
	const ids = new Set(members.flatMap(({ customerIds }) => customerIds));
	const isAbsent = ([name]: readonly [string, unknown]): boolean => {
		const [email = '', id = ''] = name.split(BETWEEN);
		return !(email !== '' && emails.has(email)) && !ids.has(id);
	};
	return {
		...memory,
		seenAt: receivedAt,
		missing: new Map([...memory.missing].filter(isAbsent)),
		stuck: new Map([...memory.stuck].filter(isAbsent)),
	};
}

/**
 * Of two memories of the same Sync, the one that knows the later list. What it knows may be old: a
 * `ListCounter` decides what of it still counts.
 * @param now In milliseconds since 1970. A clock may have been ahead for a while.
 */
export function laterMemory(one: ListMemory, other: ListMemory, now: number): ListMemory {
	const isAhead = ({ seenAt }: ListMemory): boolean => seenAt - now > FORGOTTEN_MS;
	if (isAhead(other)) return one;
	return isAhead(one) || other.seenAt > one.seenAt ? other : one;
}

function isOld(time: number, now: number): boolean {
	return Math.abs(now - time) > FORGOTTEN_MS;
}

function hasNothing({ missing, refused }: ListMemory): boolean {
	return missing.size === 0 && refused.size === 0;
}
