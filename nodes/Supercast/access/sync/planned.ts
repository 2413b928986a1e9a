/** What a list asks for: the decisions, the counts, and why it is refused. */

import type { CurrentSubscriber } from '../match';
import type { AccessAction, AccessDecision } from '../rules';
import type { RuleSettings, SyncSettings } from '../settings';
import type { MovedMembers } from './list/moving';
import type { Absent } from './memory/absences';
import type { Recognized } from './memory/known';

export interface SyncPlan extends Absent {
	decisions: AccessDecision[];
	planned: Record<AccessAction, number>;
	/** How many members are on the list, and how many of them have a conflict. */
	listed: number;
	unclear: number;
	/** How many people should have access by this list, and by the one before, if there was one. */
	wanted: number;
	wantedBefore?: number;
	/** Which of the subscribers from before Supercast still shows. */
	channel: Recognized;
	/** How many rows have no email, and a customer ID that no subscriber has. */
	unknown: number;
	/** How many rows the list has. Several may name the same member. */
	rows: number;
	/** How many feeds are open before the run, and how many of all feeds Sync may close. */
	open: number;
	inScope: number;
	/**
	 * Which of the missing and the spared count for the limit, because they are missing for the first
	 * time. Nobody if this list must not close any feeds.
	 */
	newlyMissing: readonly CurrentSubscriber[];
	/** Whose feeds a wrong list opened, so that their closings do not count for the limits. */
	excused: ReadonlySet<CurrentSubscriber>;
	/** The list that opened most of them together with many others, if there is one. */
	openedTogether?: OpenedTogether;
	/** The settings that the decisions are based on. */
	rules: RuleSettings & SyncSettings;
	/** The most closings that Max Close (%) allows, and that both limits allow. */
	byPercent: number;
	maxClosings: number;
	/** Why the run is refused. Undefined if it is not. */
	refusal?: ListRefusal;
}

/** More feeds would close than a limit allows. */
export interface TooManyClosings {
	/** Whose feeds would close, as far as they count for the limit. */
	closing: readonly CurrentSubscriber[];
	inScope: number;
	limit: number;
	/** The limits that would allow it. Undefined if a limit allows it already. */
	percent?: number;
	count?: number;
	/** The list whose mistake it may be, if the limit allows the others. */
	openedTogether?: OpenedTogether;
}

/** A list that opened many feeds, which now would close. */
export interface OpenedTogether {
	/** When the list arrived, in milliseconds since 1970. */
	at: number;
	/** How many of the feeds that would close it opened. */
	feeds: number;
}

/** More feeds would open than a limit allows. */
export interface TooManyOpenings {
	opening: number;
	limit: number;
	/** How many people should have access by the list before, if that is what sets the limit. */
	before?: number;
}

/** Why a run is refused. */
export type ListRefusal =
	| { kind: 'conflicts'; unclear: number; listed: number }
	| { kind: 'otherChannel'; known: number }
	| { kind: 'limits'; closings?: TooManyClosings; openings?: TooManyOpenings }
	| { kind: 'strangers'; closings: TooManyClosings }
	| { kind: 'unknownMembers'; unknown: number; listed: number }
	| ({ kind: 'moves' } & MovedMembers);
