/** When Sync refuses to run, because its plan shows that the list is probably wrong. */

import type { CurrentSubscriber } from '../match';
import { percentFor, type SyncSettings } from '../settings';
import { FEW } from './list/checks';
import { movedMembers, type MovedMembers } from './list/moving';
import type { SyncPlan } from './plan';

/** More feeds would close than a limit allows. */
export interface TooManyClosings {
	/** Whose feeds would close, as far as they count for the limit. */
	closing: readonly CurrentSubscriber[];
	inScope: number;
	limit: number;
	/** The limits that would allow it. Undefined if a limit allows it already. */
	percent?: number;
	count?: number;
}

/** More feeds would open than a limit allows. */
export interface TooManyOpenings {
	opening: number;
	limit: number;
}

/** Why a run is refused. */
export type Refusal =
	| { kind: 'conflicts'; unclear: number; listed: number }
	| { kind: 'limits'; closings?: TooManyClosings; openings?: TooManyOpenings }
	| { kind: 'strangers'; closings: TooManyClosings }
	| { kind: 'unknownMembers'; unknown: number; listed: number }
	| ({ kind: 'moves' } & MovedMembers);

/** Why the run is refused. Undefined if it may run. */
export function whyRefused(
	plan: Omit<SyncPlan, 'refusal'>,
	settings: SyncSettings,
): Refusal | undefined {
	const { listed, unclear, unknown, rows } = plan;
	// Rows that share an ID count one by one, because each may be someone else.
	if (unknown >= FEW && unknown > rows / 2)
		return { kind: 'unknownMembers', unknown, listed: rows };
	if (unclear >= FEW && unclear > listed / 2) return { kind: 'conflicts', unclear, listed };
	const moves = movedMembers(plan.decisions, settings);
	if (moves !== undefined) return { kind: 'moves', ...moves };
	const closings = tooManyClosings(plan, settings);
	const openings = tooManyOpenings(plan, settings);
	if (closings === undefined && openings === undefined) return undefined;
	if (closings !== undefined && recognizesNobody(plan)) return { kind: 'strangers', closings };
	return { kind: 'limits', closings, openings };
}

/** A list of strangers has wrong columns. Advice about a limit would close everyone's feed. */
function recognizesNobody({ decisions, newlyMissing }: Omit<SyncPlan, 'refusal'>): boolean {
	const isKnown = decisions.some(({ member, subscriber }) => member && subscriber);
	return !isKnown && newlyMissing.length >= FEW;
}

/** If a list loses many members at the same time, it is probably wrong. */
function tooManyClosings(
	{ newlyMissing, inScope, byPercent, maxClosings }: Omit<SyncPlan, 'refusal'>,
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
	};
}

function tooManyOpenings(
	{ planned }: Omit<SyncPlan, 'refusal'>,
	{ maxOpen = Infinity }: SyncSettings,
): TooManyOpenings | undefined {
	const opening = planned.created + planned.reopened;
	return opening <= maxOpen ? undefined : { opening, limit: maxOpen };
}
