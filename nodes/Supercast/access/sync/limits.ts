/** How many feeds a run may close and open. */

import { changesLately, type SyncMemory } from './memory';

/** So many feeds may always close within 24 hours, and open with one list, unless a limit is 0. */
const ALWAYS_CLOSE = 5;
const ALWAYS_OPEN = 50;

export interface ClosingLimit {
	/** How many feeds may close, or go to another email, within 24 hours. */
	limit: number;
	/** How many have already. */
	used: number;
	/** How many are due to close, and to go to another email. */
	due: number;
	moves: number;
	/** How many more are allowed once. */
	allowed: number;
	/** Whether that is too many, so that none of them closes. */
	isOver: boolean;
	/** The share and the feeds from which the limit follows. */
	percent: number;
	of: number;
}

interface ClosingFacts {
	memory: SyncMemory;
	/** In milliseconds since 1970. */
	now: number;
	percent: number;
	ownOpen: number;
	due: number;
	moves: number;
}

/** @param allowed How many feeds are allowed once beside the limit. */
export function closingLimit(
	allowed: number,
	{ memory, now, percent, ownOpen, due, moves }: ClosingFacts,
): ClosingLimit {
	const lately = changesLately(memory, now);
	const closed = lately.reduce((sum, one) => sum + one.closed, 0);
	const used = lately.reduce((sum, one) => sum + one.counted, 0);
	const of = ownOpen + closed;
	const limit = percent === 0 ? 0 : Math.max(ALWAYS_CLOSE, shareOf(percent, of));
	const isOver = due + moves > Math.max(0, limit - used) + allowed;
	return { limit, used, due, moves, allowed, isOver, percent, of };
}

export interface OpeningLimit {
	/** How many feeds one list may open. Infinity in the first run. */
	limit: number;
	/** How many feeds a list may open in any later run. */
	later: number;
	wanted: number;
	/** Whether a person has allowed as many. */
	isAllowed: boolean;
	isOver: boolean;
	percent: number;
	/** How many feeds are open. */
	of: number;
}

interface OpeningFacts {
	open: number;
	percent: number;
	wanted: number;
	/** Whether someone runs the workflow by hand, and none of Sync's own feeds is open. */
	isFirstRun: boolean;
}

/** @param allowed How many feeds are allowed once beside the limit. */
export function openingLimit(
	allowed: number,
	{ open, percent, wanted, isFirstRun }: OpeningFacts,
): OpeningLimit {
	const later = percent === 0 ? 0 : Math.max(ALWAYS_OPEN, shareOf(percent, open));
	const limit = isFirstRun ? Infinity : later;
	const isAllowed = allowed > 0 && wanted <= allowed;
	const isOver = wanted > limit + allowed;
	return { limit, later, wanted, isAllowed, isOver, percent, of: open };
}

/** Dividing last, because 22 / 40 * 100 is more than 55. */
function shareOf(percent: number, feeds: number): number {
	return Math.floor((feeds * percent) / 100);
}
