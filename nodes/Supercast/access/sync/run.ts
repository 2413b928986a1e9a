/** What a run of Sync was. Facts only: `report/` tells them to people. */

import type { AppliedDecision } from '../apply';
import type { Person, Unlisted } from '../people';
import type { SyncSettings } from '../settings';
import type { CurrentSubscriber } from '../subscribers';
import type { Allowance } from '../allowOnce';
import type { Incompleteness, MemberList } from './list';
import type { SyncMemory } from './memory';
import type { SyncPlan } from './plan';
import type { StatusCount } from './statuses';

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
	/** Whether something was remembered of an earlier list. */
	readonly hasMemory: boolean;
	/** The allowances that mean nothing any more. */
	readonly uselessAllowances: readonly Allowance[];
	/** When the run ended, in milliseconds since 1970. */
	readonly endedAt: number;
	/** What to remember. */
	readonly next: SyncMemory;
}
