/** Who has been missing from the list of members, for how many lists in a row, and who closes now. */

import { nameKey } from '../../api/identity';
import { nameOf } from '../../subscriber/customerId';
import type { CurrentSubscriber } from '../match';
import type { Reason } from '../reasons';
import { keep, mayBeUnmatched, type AccessDecision } from '../rules';

/** Two lists closer together than this count as one. */
const LISTS_APART_MS = 60_000;

/** How many names n8n stores between executions: at most about 100 KB for each Sync. */
export const MOST_STORED = 2_000;

/** What a Sync remembers of the lists that it has accepted. Times are in milliseconds since 1970. */
export interface ListMemory {
	/** When the latest list arrived. */
	seenAt: number;
	/** When the latest of the lists that counted arrived. */
	countedAt: number;
	/**
	 * By the subscriber's name: how many lists in a row they have been missing from. 0 if their feed
	 * had to stay open meanwhile.
	 */
	missing: ReadonlyMap<string, number>;
	/** By the member's email: for how many lists in a row Supercast has refused to create them. */
	refused: ReadonlyMap<string, number>;
	/** How many lists in a row were not whole, up to the latest. */
	shortLists: number;
}

export const NOTHING_REMEMBERED: ListMemory = {
	seenAt: 0,
	countedAt: 0,
	missing: new Map(),
	refused: new Map(),
	shortLists: 0,
};

/** The name under which a subscriber is remembered. */
export function absenceKey(subscriber: CurrentSubscriber): string {
	return nameKey(nameOf(subscriber));
}

/** Who is not on a list. */
export interface Absent {
	/** The subscribers whose feeds the list would close, now or after more lists. */
	missing: readonly CurrentSubscriber[];
	/** Those whom it would close if each member on the list had a subscriber. */
	spared: readonly CurrentSubscriber[];
}

/** Counts lists in a row, including the present one. */
export class ListCounter {
	/** 0 if this list arrived less than a minute after the previous one that counted. */
	private readonly step: 0 | 1;

	/** @param receivedAt When the present list arrived, in milliseconds since 1970. */
	constructor(
		private readonly memory: ListMemory,
		private readonly receivedAt: number,
	) {
		// A clock that was set back must not stop the counting.
		const isApart = Math.abs(receivedAt - memory.countedAt) >= LISTS_APART_MS;
		this.step = isApart || hasNothing(memory) ? 1 : 0;
	}

	/**
	 * For a subscriber who is not on this list: how many lists in a row they have been missing
	 * from.
	 */
	listsWithout(subscriber: CurrentSubscriber): number {
		return (this.memory.missing.get(absenceKey(subscriber)) ?? 0) + this.step;
	}

	/** Whether this is the first list without the subscriber. */
	isFirstWithout(subscriber: CurrentSubscriber): boolean {
		const wasSpared = this.memory.missing.get(absenceKey(subscriber)) === 0;
		return this.listsWithout(subscriber) <= 1 && !wasSpared;
	}

	/** Whether an earlier list is known. */
	get hasPrevious(): boolean {
		return this.memory.countedAt > 0;
	}

	/** For how many lists in a row Supercast has refused to create a member. */
	listsRefused(email: string): number {
		return (this.memory.refused.get(nameKey(email)) ?? 0) + this.step;
	}

	/** The memory after a list that counts. Keeps only the missing, the spared and the refused. */
	after({ missing, spared }: Absent, refusedEmails: readonly string[]): ListMemory {
		const lists = missing.map((one): [string, number] => [absenceKey(one), this.listsWithout(one)]);
		const open = spared.map((one): [string, number] => [absenceKey(one), 0]);
		const refused = refusedEmails.map((email): [string, number] => [
			nameKey(email),
			this.listsRefused(email),
		]);
		return {
			seenAt: this.receivedAt,
			countedAt: this.step === 1 ? this.receivedAt : this.memory.countedAt,
			missing: new Map([...lists.filter(([, count]) => count > 0), ...open]),
			refused: new Map(refused.filter(([, count]) => count > 0)),
			shortLists: 0,
		};
	}

	/** The memory after a list that does not count. Forgets those on the list, and adds nobody. */
	afterUncounted({ missing, spared }: Absent): ListMemory {
		const absent = new Set([...missing, ...spared].map(absenceKey));
		const still = [...this.memory.missing].filter(([name]) => absent.has(name));
		return { ...this.memory, seenAt: this.receivedAt, missing: new Map(still) };
	}
}

/** Of two memories of the same Sync, the one that knows the later list. */
export function laterMemory(one: ListMemory, other: ListMemory): ListMemory {
	return other.seenAt > one.seenAt ? other : one;
}

function hasNothing({ missing, refused }: ListMemory): boolean {
	return missing.size === 0 && refused.size === 0;
}

/** What decides which feeds close with this list. */
interface Pace {
	lists: ListCounter;
	/** How many lists in a row a subscriber must be missing from. */
	closeAfter: number;
	/** Why this list must not close any feeds. Undefined if it may. */
	noClosingReason?: Reason;
	maxClosings: number;
	/** Whether a member on the list has no subscriber. */
	hasUnmatched: boolean;
}

/**
 * Leaves closings to later runs: all of them, if this list must not close any feeds. Otherwise,
 * leaves those of subscribers who may be a member or have not been missing long enough, and those
 * beyond the limit for one run.
 */
export function paceClosings(
	closings: readonly AccessDecision[],
	{ lists, closeAfter, noClosingReason, maxClosings, hasUnmatched }: Pace,
): AccessDecision[] {
	let closed = 0;
	return closings.map((decision) => {
		if (decision.action !== 'closed') return decision;
		if (noClosingReason !== undefined) return keep(decision, noClosingReason);
		const { subscriber } = decision;
		if (mayBeUnmatched(subscriber, hasUnmatched)) return keep(decision, 'mayBeListed');
		// With 1, the node needs no memory, and only the limits that refuse the whole run apply.
		if (closeAfter === 1) return decision;
		const absence = { lists: lists.listsWithout(subscriber), closeAfter };
		if (absence.lists < closeAfter) return { ...keep(decision, 'waits'), absence };
		closed += 1;
		return closed > maxClosings ? keep(decision, 'overLimit') : decision;
	});
}
