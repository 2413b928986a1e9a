import type { IDataObject } from 'n8n-workflow';

/** Whose feeds a Sync may close. */
export type CloseScope = 'all' | 'none' | 'withCustomerId';

/** Which output items a Sync gives. */
export type OutputMode = 'all' | 'changes' | 'summary';

/** The settings of a Sync, read and checked. */
export interface SyncSettings {
	dryRun: boolean;
	close: CloseScope;
	/** The most closings, as a percentage of the available subscribers in scope, from 0 to 100. */
	maxClosePercent: number;
	/** Most closings; undefined for no limit. */
	maxClose?: number;
	/** Most creations and reopenings together; undefined for no limit. */
	maxOpen?: number;
	reactivate: boolean;
	/** Emails and domains such as `@example.com`, in lower case. */
	neverClose: ReadonlySet<string>;
	graceHours: number;
	/** Only customer IDs that begin with this are in scope; empty for all. */
	customerIdPrefix: string;
	closeWithPlan: boolean;
	output: OutputMode;
}

/** The content of one row of the list. */
export interface Member {
	/** Numbers of the input items with this row. */
	items: number[];
	/** Without white space around it. */
	email: string;
	/** Without white space around it; empty for none. */
	customerId: string;
	/** Other fields to set, under Supercast's names. Never the email or the customer ID. */
	fields: IDataObject;
}

/** What a Sync keeps in memory of a subscriber. */
export interface KnownSubscriber {
	uuid: string;
	email: string;
	customerId: string;
	/** As Supercast names it; empty when Supercast names none. */
	state: string;
	/** Whether Supercast bills the subscriber for a plan. */
	hasPlan: boolean;
	createdAt: string;
	updatedAt: string;
	/** The fields that the list sets, as far as Supercast shows them. */
	fields: IDataObject;
}

/** What happens to a person. */
export type SyncAction = 'closed' | 'created' | 'kept' | 'reopened' | 'unchanged' | 'updated';

/** What to do for one person, and why. */
export interface SyncDecision {
	action: SyncAction;
	/** The row of the list. Undefined for someone who is not on it. */
	member?: Member;
	/** The subscriber. Undefined for someone who does not exist in Supercast yet. */
	subscriber?: KnownSubscriber;
	/** Fields to write, under Supercast's names. */
	write: IDataObject;
	/** Why it is done, or why nothing is done. */
	reason?: string;
	/** Whether the list and the subscribers contradict each other about this person. */
	isConflict?: boolean;
}

/** How much one run may change, and how much it would change. */
export interface SyncLimits {
	/** How many available subscribers the percentage refers to. */
	inScope: number;
	/** Most closings. Never Infinity, as the percentage always applies. */
	maxClosings: number;
	/** Most creations and reopenings; undefined for no limit. */
	maxOpenings?: number;
	closings: number;
	openings: number;
	/** What is exceeded, and what to set. Undefined when nothing is. */
	exceeded?: { message: string; description: string };
}

/** The plan of a Sync. */
export interface SyncPlan {
	decisions: SyncDecision[];
	limits: SyncLimits;
}
