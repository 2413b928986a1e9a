import type { IDataObject } from 'n8n-workflow';

/** Whose feeds Sync may close. */
export type CloseScope = 'all' | 'none' | 'withCustomerId';

/** Which output items Sync returns. */
export type OutputMode = 'all' | 'changes' | 'summary';

/** The settings of Sync, after they have been read and checked. */
export interface SyncSettings {
	dryRun: boolean;
	close: CloseScope;
	/**
	 * The maximum number of closings, as a percentage of the available subscribers in scope, from 0
	 * to 100.
	 */
	maxClosePercent: number;
	/** The maximum number of closings; undefined for no limit. */
	maxClose?: number;
	/** The maximum number of creations and reopenings together; undefined for no limit. */
	maxOpen?: number;
	reactivate: boolean;
	/** Emails and domains such as `@example.com`, in lower case. */
	neverClose: ReadonlySet<string>;
	graceHours: number;
	/**
	 * Only customer IDs that begin with this text are in scope. If it is empty, all are in scope.
	 */
	customerIdPrefix: string;
	closeWithPlan: boolean;
	output: OutputMode;
}

/** The content of one row of the list. */
export interface Member {
	/** Numbers of the input items with this row. */
	items: number[];
	/** Without surrounding white space. */
	email: string;
	/** Without surrounding white space; empty for none. */
	customerId: string;
	/**
	 * Other fields to set, with Supercast's field names as keys. They never include the email or
	 * the customer ID.
	 */
	fields: IDataObject;
}

/** The data of a subscriber that Sync keeps in memory. */
export interface KnownSubscriber {
	uuid: string;
	email: string;
	customerId: string;
	/** The state that Supercast returns; empty if it returns none. */
	state: string;
	/** Whether Supercast bills the subscriber for a plan. */
	hasPlan: boolean;
	createdAt: string;
	updatedAt: string;
	/** The fields that the list sets, if Supercast returns them. */
	fields: IDataObject;
}

/** What Sync does for a person. */
export type SyncAction = 'closed' | 'created' | 'kept' | 'reopened' | 'unchanged' | 'updated';

/** What to do for one person, and why. */
export interface SyncDecision {
	action: SyncAction;
	/** The person's row on the list. Undefined if the person is not on the list. */
	member?: Member;
	/** The subscriber. Undefined if the person is not a subscriber yet. */
	subscriber?: KnownSubscriber;
	/** The fields to write, with Supercast's field names as keys. */
	write: IDataObject;
	/** Why the action is taken, or why nothing is done. */
	reason?: string;
	/** Whether an email or customer ID is ambiguous, on the list or in Supercast. */
	isConflict?: boolean;
}

/** How much one run may change, and how much it would change. */
export interface SyncLimits {
	/** How many available subscribers the percentage refers to. */
	inScope: number;
	/**
	 * The maximum number of closings. It is never Infinity, because the percentage always applies.
	 */
	maxClosings: number;
	/** The maximum number of creations and reopenings; undefined for no limit. */
	maxOpenings?: number;
	closings: number;
	openings: number;
	/** Which limit is exceeded, and what users can do. Undefined if no limit is exceeded. */
	exceeded?: { message: string; description: string };
}

/** The plan of a Sync run. */
export interface SyncPlan {
	decisions: SyncDecision[];
	limits: SyncLimits;
}
