import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../../api/client';
import { isRecord, textOf } from '../../../api/json';
import { readList } from '../../../operations/readList';
import { subscribers as kind } from '../subscriber';
import type { KnownSubscriber } from './types';

/** All subscribers, and whether the list is complete. */
export interface SubscriberReading {
	subscribers: KnownSubscriber[];
	isComplete: boolean;
}

/**
 * Reads all subscribers. Reads them again if their number differs from Supercast's total. A
 * difference means that the list changed during the reading and may lack someone.
 *
 * @param fieldNames Supercast's names of the fields to keep.
 * @throws ServiceError if a page cannot be read.
 */
export async function readSubscribers(
	client: SupercastClient,
	fieldNames: ReadonlySet<string>,
): Promise<SubscriberReading> {
	const { taken, isComplete } = await readList(client, kind, {
		take: (record) => knownSubscriber(record, fieldNames),
		mustBeSteady: true,
	});
	return { subscribers: taken, isComplete };
}

/**
 * Keeps the fields of a subscriber that Sync needs.
 *
 * @param record The record as Supercast returns it (Supercast API reference, the subscriber
 * object).
 */
export function knownSubscriber(
	record: IDataObject,
	fieldNames: ReadonlySet<string>,
): KnownSubscriber {
	const fields = Object.entries(record).filter(([key]) => fieldNames.has(key));
	return {
		uuid: textOf(record.uuid),
		email: textOf(record.email).trim(),
		customerId: textOf(record.customer_id).trim(),
		state: textOf(record.state),
		hasPlan: hasPlan(record),
		createdAt: textOf(record.created_at),
		updatedAt: textOf(record.updated_at),
		fields: Object.fromEntries(fields),
	};
}

/** Whether a subscriber, or one of their subscriptions, has a plan. */
function hasPlan(record: IDataObject): boolean {
	const subscriptions: unknown[] = Array.isArray(record.subscriptions) ? record.subscriptions : [];
	return [record, ...subscriptions.filter(isRecord)].some(
		(holder) => textOf(holder.plan_id) !== '' || textOf(holder.plan_name) !== '',
	);
}
