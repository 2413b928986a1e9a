/** When Sync refuses to run, because its plan shows that the list is probably wrong. */

import { recognizesNone } from '../../api/otherChannel';
import { percentFor, type SyncSettings } from '../settings';
import { FEW } from './list/checks';
import { movedMembers } from './list/moving';
import type { ListRefusal, SyncPlan, TooManyClosings, TooManyOpenings } from './planned';

/** So many people may join with one list, for example at a peak, however short it was before. */
const MOST_OPENINGS = 250;

/** The same, as a share of the people on the list before. */
const MOST_OF_BEFORE = 0.25;

/** Why the run is refused. Undefined if it may run. */
export function whyRefused(
	plan: Omit<SyncPlan, 'refusal'>,
	settings: SyncSettings,
): ListRefusal | undefined {
	const names = wrongIdentifiers(plan);
	if (names !== undefined) return names;
	const moves = movedMembers(plan.decisions, settings);
	if (moves !== undefined) return { kind: 'moves', ...moves };
	const closings = tooManyClosings(plan, settings);
	const openings = tooManyOpenings(plan, settings);
	if (closings === undefined && openings === undefined) return undefined;
	if (closings !== undefined && recognizesNobody(plan)) return { kind: 'strangers', closings };
	return { kind: 'limits', closings, openings };
}

/** Whether the list and Supercast name other people, or one of the two is wrong. */
function wrongIdentifiers({
	listed,
	rows,
	unclear,
	unknown,
	channel: { known, isAnyListed },
}: Omit<SyncPlan, 'refusal'>): ListRefusal | undefined {
	if (recognizesNone(known, isAnyListed)) return { kind: 'otherChannel', known };
	const isMost = (count: number, all: number): boolean => count >= FEW && count > all / 2;
	// Rows that share an ID count one by one, because each may be someone else.
	if (isMost(unknown, rows)) return { kind: 'unknownMembers', unknown, listed: rows };
	return isMost(unclear, listed) ? { kind: 'conflicts', unclear, listed } : undefined;
}

/** A list of strangers has wrong columns. Advice about a limit would close everyone's feed. */
function recognizesNobody({ decisions, newlyMissing }: Omit<SyncPlan, 'refusal'>): boolean {
	const isKnown = decisions.some(({ member, subscriber }) => member && subscriber);
	return !isKnown && newlyMissing.length >= FEW;
}

/** If a list loses many members at the same time, it is probably wrong. */
function tooManyClosings(
	{ newlyMissing, openedTogether, inScope, byPercent, maxClosings }: Omit<SyncPlan, 'refusal'>,
	{ maxClose = Infinity }: SyncSettings,
): TooManyClosings | undefined {
	const { length } = newlyMissing;
	if (length <= maxClosings) return undefined;
	return {
		closing: newlyMissing,
		inScope,
		limit: maxClosings,
		percent: length > byPercent ? percentFor(length, inScope) : undefined,
		count: length > maxClose ? length : undefined,
		openedTogether:
			length - (openedTogether?.feeds ?? 0) <= maxClosings ? openedTogether : undefined,
	};
}

/** If a list grows by many people at the same time, it is probably wrong. */
function tooManyOpenings(
	{ planned, wantedBefore: before }: Omit<SyncPlan, 'refusal'>,
	{ maxOpen }: SyncSettings,
): TooManyOpenings | undefined {
	const opening = planned.created + planned.reopened;
	if (maxOpen !== undefined) return opening <= maxOpen ? undefined : { opening, limit: maxOpen };
	// Before the first list, nobody knows how many are many.
	if (before === undefined) return undefined;
	const limit = Math.max(MOST_OPENINGS, Math.floor(before * MOST_OF_BEFORE));
	return opening <= limit ? undefined : { opening, limit, before };
}
