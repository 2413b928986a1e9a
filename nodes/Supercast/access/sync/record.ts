/** What a run of Sync was. Facts only: `report/` tells them to people. */

import type { AppliedDecision } from '../apply';
import type { SyncSettings } from '../settings';
import type { CannotClose } from './leaving';
import type { ListItem } from './list/columns';
import type { MissingPart } from './list/missingPart';
import type { SubscriberSnapshot } from './list/snapshot';
import type { RecordCounts } from './list/records';
import type { ShortList } from './list/completeList';
import type { ListMemory } from './memory/absences';
import type { NotTakenFields } from './memory/written';
import type { SyncPlan } from './planned';
import type { StatusCount } from './statuses';

export interface SyncRecord {
	readonly settings: SyncSettings;
	/** How many people have which status. */
	readonly statuses: readonly StatusCount[];
	/** The records on the list, by their IDs. */
	readonly counts: RecordCounts;
	/** The items of the list. */
	readonly rows: readonly ListItem[];
	/** The items without any field that n8n has not made. */
	readonly damaged: readonly number[];
	/** Whether a list that would close feeds is as long as n8n's nodes make it by default. */
	readonly isFullPage: boolean;
	/** The membership systems that earlier lists had and this one does not. */
	readonly vanished: readonly string[];
	/** Supercast's list of subscribers before the run. */
	readonly snapshot: SubscriberSnapshot;
	/** What the list asked for. With `refusal`, nothing of it was done. */
	readonly plan: SyncPlan;
	/** The decisions as applied. In a dry run, those of the plan. */
	readonly outcomes: readonly AppliedDecision[];
	/** When the run ended, in milliseconds since 1970. */
	readonly endedAt: number;
	/** What is missing from the list. Undefined if it is complete, or nobody knows. */
	readonly short?: ShortList;
	/** The membership system that is missing from a joined list. */
	readonly missingPart?: MissingPart;
	/** Whether the list of subscribers has turned out not to show everyone. */
	readonly areSomeUnlisted: boolean;
	/** Whether what was remembered was too old to count. */
	readonly hasForgotten: boolean;
	/** Whose fields Supercast shows differently than they were written, for the first time. */
	readonly notTaken: readonly NotTakenFields[];
	/** The members whose feeds could not be closed if they left. */
	readonly cannotClose: CannotClose;
	/** What to remember. Undefined if the run changed nothing, so that the list does not count. */
	readonly next?: ListMemory;
}
