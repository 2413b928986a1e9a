/** A person: what the membership system says of them, and what Supercast has. */

import type { IDataObject } from 'n8n-workflow';

import type { RecordAccess } from './records';

export interface DesiredMember {
	/** What the person's records say. The strongest counts. */
	access: RecordAccess;
	/** The membership system's own words for the records that count. */
	statuses: readonly string[];
	/** The indexes of the person's input items. */
	items: number[];
	/** Empty if the membership system does not report it. */
	email: string;
	/** The email in the form in which emails are compared (`nameKey`). */
	emailKey: string;
	/** In the order of the list. Several if a person pays twice. */
	customerIds: string[];
	/** Those of the person's other records, such as ones that have ended. They are never written. */
	otherIds: Set<string>;
	/** Other fields to set, with Supercast's field names as keys. */
	fields: IDataObject;
}

/** A person about whom the membership system says nothing. */
export const NOBODY: DesiredMember = {
	access: 'open',
	statuses: [],
	items: [],
	email: '',
	emailKey: '',
	customerIds: [],
	otherIds: new Set(),
	fields: {},
};

/** What the rules need to know. A text that Supercast does not return is empty. */
export interface CurrentSubscriber {
	uuid: string;
	email: string;
	/** The email in the form in which emails are compared. */
	emailKey: string;
	customerId: string;
	state: string;
	/** Whether the record or one of its subscriptions is available. */
	isOpen: boolean;
	/** Whether Supercast bills the subscriber for a plan. */
	hasPlan: boolean;
	/** As Supercast returns it. */
	updatedAt: string;
	/** In milliseconds since 1970. NaN if Supercast does not return it. */
	createdTime: number;
	updatedTime: number;
	/** The whole record. */
	fields: IDataObject;
}

export interface Person {
	/** Undefined if the membership system does not report the person, or only what has ended. */
	member?: DesiredMember;
	/** What the membership system reports if all of it has ended. */
	ended?: DesiredMember;
	subscriber?: CurrentSubscriber;
	/** Other records with the person's email or customer ID. */
	others: CurrentSubscriber[];
	/** Why it is unclear who this person is. If set, nothing changes for them. */
	conflict?: 'severalEmails' | 'severalSubscribers';
	/** Whether another subscriber keeps the listed email, so that Supercast would refuse it. */
	isEmailTaken?: boolean;
}
