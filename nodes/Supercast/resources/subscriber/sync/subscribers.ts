import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../../api/client';
import { isRecord, textOf } from '../../../api/json';
import { readList } from '../../../operations/lists/readList';
import { listSubject } from '../../../operations/recordKind';
import { subscribers as kind } from '../subscriber';
import type { KnownSubscriber } from './types';

/** How often the list is read when its length is not the total that the service tells. */
const MOST_READINGS = 3;

/** All subscribers, and whether nobody is missing. */
export interface SubscriberReading {
	subscribers: KnownSubscriber[];
	isComplete: boolean;
}

/**
 * Reads all subscribers, and reads them again when their number is not the service's total: the list
 * changed meanwhile, and somebody may have been skipped.
 *
 * @param fieldNames The fields to keep, under the service's names.
 * @throws ServiceError when a page cannot be read.
 */
export async function readSubscribers(
	client: SupercastClient,
	fieldNames: ReadonlySet<string>,
): Promise<SubscriberReading> {
	for (let reading = 1; ; reading++) {
		const result = await readOnce(client, fieldNames);
		if (result.isComplete || reading === MOST_READINGS) return result;
	}
}

async function readOnce(
	client: SupercastClient,
	fieldNames: ReadonlySet<string>,
): Promise<SubscriberReading> {
	const list = { method: 'GET', path: [kind.path], subject: listSubject(kind) } as const;
	const { pages, totals } = readList(client, list);
	const subscribers: KnownSubscriber[] = [];
	for await (const page of pages) {
		for (const record of page) subscribers.push(knownSubscriber(record, fieldNames));
	}
	// Without a total, the end of the list is all that there is to go by.
	const isComplete = [...totals].every((total) => total === subscribers.length);
	return { subscribers, isComplete };
}

/**
 * Keeps what a Sync needs of a subscriber.
 *
 * @param record As the service shows it (Supercast API reference, the subscriber object).
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

/** Whether a subscriber or one of the subscriptions names a plan. */
function hasPlan(record: IDataObject): boolean {
	const subscriptions: unknown[] = Array.isArray(record.subscriptions) ? record.subscriptions : [];
	return [record, ...subscriptions.filter(isRecord)].some(
		(holder) => textOf(holder.plan_id) !== '' || textOf(holder.plan_name) !== '',
	);
}
