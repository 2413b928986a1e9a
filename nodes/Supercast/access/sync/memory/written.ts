/** Values that Sync has written, and that Supercast may show differently (decision 0012). */

import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { identifierOf } from '../../../subscriber/customerId';
import type { AppliedDecision } from '../../apply';
import type { CurrentSubscriber } from '../../match';

/**
 * What Sync has written with the latest list, by subscriber, field and value. 1 if Supercast shows
 * another value, and the output has said so. Otherwise 0.
 */
export type Written = ReadonlyMap<string, number>;

type WrittenTo = Pick<CurrentSubscriber, 'email' | 'uuid'>;

/** Names and fields are personal, so n8n stores only a hash. */
function writtenKey(subscriber: WrittenTo, field: string, value: unknown): string {
	const text = JSON.stringify([identifierOf(subscriber), field, value]);
	return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** Whether this value was written with the latest list. */
export function wasWritten(
	written: Written,
	subscriber: WrittenTo,
	field: string,
	value: unknown,
): boolean {
	return written.has(writtenKey(subscriber, field, value));
}

/** A subscriber whose fields Supercast shows differently than Sync wrote them. */
export interface NotTakenFields {
	subscriber: CurrentSubscriber;
	fields: string[];
}

/** Whose fields Supercast shows differently, if the output has not said so yet. */
export function newlyNotTaken(
	written: Written,
	outcomes: readonly AppliedDecision[],
): NotTakenFields[] {
	return outcomes.flatMap(({ subscriber, notTaken = {} }) => {
		if (subscriber === undefined) return [];
		const isNew = ([field, value]: [string, unknown]): boolean =>
			written.get(writtenKey(subscriber, field, value)) !== 1;
		const fields = Object.entries(notTaken).filter(isNew);
		return fields.length === 0 ? [] : [{ subscriber, fields: fields.map(([field]) => field) }];
	});
}

/** What to remember after these changes. */
export function writtenIn(outcomes: readonly AppliedDecision[]): Written {
	const all = new Map<string, number>();
	const add = (subscriber: WrittenTo, fields: IDataObject, value: number): void => {
		for (const [field, given] of Object.entries(fields))
			all.set(writtenKey(subscriber, field, given), value);
	};
	for (const { error, notTaken = {}, subscriber, write } of outcomes) {
		if (subscriber === undefined) continue;
		add(subscriber, notTaken, 1);
		if (error === undefined) add(subscriber, write, 0);
	}
	return all;
}
