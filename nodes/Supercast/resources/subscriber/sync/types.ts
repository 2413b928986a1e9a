import type { IDataObject } from 'n8n-workflow';

/** Whose feeds a Sync may close. */
export type CloseScope = 'all' | 'none' | 'withCustomerId';

/** Which output items a Sync gives. */
export type OutputMode = 'all' | 'changes' | 'summary';

/** The settings of a Sync, read and checked. */
export interface SyncSettings {
	dryRun: boolean;
	close: CloseScope;
	/** Percentage of the available subscribers in scope that may be closed, from 0 to 100. */
	maxClosePercent: number;
	/** Most closings; undefined for no such limit. */
	maxClose?: number;
	/** Most creations and reopenings together; undefined for no such limit. */
	maxOpen?: number;
	reactivate: boolean;
	/** Emails and domains such as `@example.com`, in lower case. */
	neverClose: ReadonlySet<string>;
	graceHours: number;
	/** Only customer IDs that begin like this are in scope; empty for all. */
	customerIdPrefix: string;
	closeWithPlan: boolean;
	output: OutputMode;
}

/** What one row of the list says. */
export interface Member {
	/** Numbers of the input items that say so. */
	items: number[];
	/** Without white space around it. */
	email: string;
	/** Without white space around it; empty for none. */
	customerId: string;
	/** Other fields to hold, under the service's names: never the email or the customer ID. */
	fields: IDataObject;
}

/** What a Sync keeps in memory of a subscriber. */
export interface KnownSubscriber {
	uuid: string;
	email: string;
	customerId: string;
	/** As the service names it; empty when it names none. */
	state: string;
	/** Whether Supercast bills the subscriber for a plan. */
	hasPlan: boolean;
	createdAt: string;
	updatedAt: string;
	/** The fields that the list is about, as far as the service shows them. */
	fields: IDataObject;
}

/** What becomes of a person. */
export type SyncAction = 'closed' | 'created' | 'kept' | 'reopened' | 'unchanged' | 'updated';

/** What is to be done for one person, and why. */
export interface SyncDecision {
	action: SyncAction;
	/** Who asks for it; undefined for somebody who is not on the list. */
	member?: Member;
	/** Whom it is about; undefined for somebody who is to be created. */
	subscriber?: KnownSubscriber;
	/** Fields to write, under the service's names. */
	write: IDataObject;
	/** Why it is done, or nothing is done. */
	reason?: string;
	/** Whether the list and the subscribers contradict each other about this person. */
	isConflict?: boolean;
}

/** How much may be changed in one run, and how much would be. */
export interface SyncLimits {
	/** How many available subscribers the percentage is of. */
	inScope: number;
	/** Most closings; Infinity is not possible, as the percentage always holds. */
	maxClosings: number;
	/** Most creations and reopenings; undefined for no such limit. */
	maxOpenings?: number;
	closings: number;
	openings: number;
	/** What is exceeded, and what to set; undefined when nothing is. */
	exceeded?: { message: string; description: string };
}

/** What a Sync is going to do. */
export interface SyncPlan {
	decisions: SyncDecision[];
	limits: SyncLimits;
}
