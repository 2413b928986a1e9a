/** What a run of Sync is given, what it works with, and what it was. */

import type { SupercastClient } from '../../api/client';
import type { Clock } from '../../api/clock';
import type { AppliedDecision } from '../apply';
import type { Person, Unlisted } from '../people';
import type { SyncSettings } from '../settings';
import type { CurrentSubscriber } from '../subscribers';
import type { Allowance } from '../allowOnce';
import type { Incompleteness, ListArrival, MemberList } from './list';
import type { SyncMemory } from './memory';
import type { NewMembers } from './newMembers';
import type { SyncPlan } from './plan';
import type { StatusCount } from './statuses';

/** What a run is given. */
export interface SyncInput {
	list: MemberList;
	arrival: ListArrival;
	settings: SyncSettings;
	/** Whether someone runs the workflow by hand. */
	isByHand: boolean;
}

/** What a run works with. */
export interface SyncTools {
	client: SupercastClient;
	clock: Clock;
	/** How many people to work on at a time. */
	parallelRequests: number;
	/** Remembers this immediately, because a run may end early. */
	keep: (memory: SyncMemory) => void;
}

/** What a run also knows when it carries out its decisions. */
export interface PerformTools extends SyncTools {
	settings: SyncSettings;
	newMembers: NewMembers;
	/** When the reading of the list began, on the clock of the ledger. */
	listBeganAt: number;
	/** When the reading of the subscribers ended, in milliseconds since 1970. */
	subscribersReadAt: number;
	/** The UUIDs of the subscribers on Supercast's list. */
	listedUuids: ReadonlySet<string>;
	/** Notes each change immediately, because the run may end early. */
	note: (outcome: AppliedDecision) => void;
}

/** What a run was. Facts only: `report/` tells them to people. */
export interface SyncRun {
	readonly settings: SyncSettings;
	readonly list: MemberList;
	/** Why the list is incomplete. Empty if it is complete, as far as can be known. */
	readonly incomplete: readonly Incompleteness[];
	/** How many people have which status. */
	readonly statuses: readonly StatusCount[];
	readonly people: readonly Person[];
	/** The subscribers who are nobody's on the list, closed ones too. */
	readonly unlisted: readonly Unlisted[];
	/** Supercast's list of subscribers before the run. */
	readonly subscribers: readonly CurrentSubscriber[];
	/** Whether that list proves that there are no others. */
	readonly areAllSubscribers: boolean;
	/** What the list asked for. If it is wrong, nothing of it was done. */
	readonly plan: SyncPlan;
	/** What became of the decisions. In a dry run, they are as planned. */
	readonly outcomes: readonly AppliedDecision[];
	/** Whether a scheduled run remembers no earlier list. A run by hand may well be the first one. */
	readonly remembersNothing: boolean;
	/** The allowances that mean nothing any more. */
	readonly uselessAllowances: readonly Allowance[];
	/** When the run ended, in milliseconds since 1970. */
	readonly endedAt: number;
	/** What to remember. */
	readonly next: SyncMemory;
}
