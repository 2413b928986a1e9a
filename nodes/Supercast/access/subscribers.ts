/** What the rules need to know of a subscriber, as Supercast shows them. */

import type { IDataObject } from 'n8n-workflow';

import { customerIdOf, identifierKey, type PersonIdentifiers } from '../api/identity';
import { asRecord, textOf, timeOf } from '../api/json';
import { isOpenRecord, shownState } from '../api/states';
import { simplifySubscriber } from '../subscriber/kind';
import { isDeactivated, isOpenState } from '../subscriber/states';

/** A text that Supercast does not return is empty. */
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
	/** The whole record. */
	fields: IDataObject;
}

/** Reads a record (Supercast API reference, the subscriber object). */
export function currentSubscriber(record: IDataObject): CurrentSubscriber {
	const billed = [record, record.subscriptions as unknown].flat().map(asRecord);
	const email = textOf(record.email).trim();
	return {
		uuid: textOf(record.uuid),
		email,
		emailKey: identifierKey(email),
		customerId: customerIdOf(record.customer_id),
		state: shownState(record.state),
		isOpen: isOpenRecord(record),
		hasPlan: billed.some((one) => `${textOf(one.plan_id)}${textOf(one.plan_name)}` !== ''),
		updatedAt: textOf(record.updated_at),
		fields: record,
	};
}

/** The fields of a subscriber on the list that Sync and its report read. */
const LISTED_FIELDS = [
	...['id', 'uuid', 'email', 'first_name', 'last_name', 'customer_id', 'state', 'plan_id'],
	...['plan_name', 'updated_at'],
];

/** A feed that is open is not opened again, so that nobody asks for its address. */
const CLOSED_FIELDS = [...LISTED_FIELDS, 'feed_url', 'feed_urls'];

/** Reads a record of a list that may be long, and keeps no more of it than is needed. */
export function listedSubscriber(record: IDataObject): CurrentSubscriber {
	const { subscriptions } = record;
	const names = isOpenState(shownState(record.state)) ? LISTED_FIELDS : CLOSED_FIELDS;
	const kept = pick(record, names);
	if (Array.isArray(subscriptions))
		kept.subscriptions = subscriptions.map((one) => pick(asRecord(one), names));
	return currentSubscriber(kept);
}

function pick(record: Record<string, unknown>, names: readonly string[]): IDataObject {
	const entries = names.filter((name) => name in record).map((name) => [name, record[name]]);
	return Object.fromEntries(entries) as IDataObject;
}

/** What the rules know about someone whom Supercast does not have. */
export const NO_SUBSCRIBER = currentSubscriber({});

/** The names by which others may know a subscriber. */
export function namesOfSubscriber(subscriber: CurrentSubscriber): PersonIdentifiers {
	const { uuid, email, customerId } = subscriber;
	return { uuid, email, customerIds: [customerId] };
}

/** Whether nothing is left to close: neither the record nor one of its subscriptions is open. */
export function isFullyClosed({ state, isOpen }: CurrentSubscriber): boolean {
	return isDeactivated(state) && !isOpen;
}

/** A record that was read alone, with the fields that only the list shows. */
export function completed(
	{ fields }: CurrentSubscriber,
	listed: CurrentSubscriber = NO_SUBSCRIBER,
): CurrentSubscriber {
	return currentSubscriber({ ...listed.fields, ...fields });
}

/** What of a subscriber keeps a feed open if it has changed since the list was read. */
const COMPARED = ['state', 'emailKey', 'customerId', 'hasPlan'] as const;

/** Whether a subscriber is as before, as far as two readings show. */
export function isUnchanged(before: CurrentSubscriber, now: CurrentSubscriber): boolean {
	return COMPARED.every((key) => before[key] === now[key]) && isSameMoment(before, now);
}

/** Whether two readings may show the same time of the last change, in whichever form. */
function isSameMoment(one: CurrentSubscriber, other: CurrentSubscriber): boolean {
	if (one.updatedAt === other.updatedAt) return true;
	const times = [one, other].map(({ updatedAt }) => timeOf(updatedAt));
	const known = times.filter((time) => !Number.isNaN(time));
	// One of them is unknown, or in a form that cannot be read.
	if (known.length < 2) return known.length === 1;
	return Math.max(...known) - Math.min(...known) < 1_000;
}

/** The private addresses of a subscriber, as Supercast shows them. */
export function feedUrlsOf(record: IDataObject): string[] {
	return simplifySubscriber(record).feed_urls;
}
