/** The output of Set Access. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import type { AppliedDecision } from '../access/apply';
import type { MemberRecord } from '../access/record';
import { changesOf, opensFeed } from '../access/rules';
import { feedUrlsOf, NO_SUBSCRIBER } from '../access/subscribers';
import { REASON_TEXTS } from './reasons';

export function accessOutput(record: MemberRecord, decision: AppliedDecision): IDataObject {
	const { action, subscriber = NO_SUBSCRIBER, shown = {}, write, reason } = decision;
	const text = reason === undefined || action === 'closed' ? null : REASON_TEXTS[reason];
	return {
		access: record.access,
		action,
		email: firstOf(write.email, subscriber.email, record.email),
		state: firstOf(STATE_AFTER[action], subscriber.isOpen ? 'available' : subscriber.state),
		previousState: action === 'created' ? null : firstOf(subscriber.state),
		uuid: firstOf(shown.uuid, subscriber.uuid),
		customer_id: firstOf(write.customer_id, subscriber.customerId),
		reason: text,
		attention: text,
		changes: changesOf(decision),
		...(opensFeed(decision) && { feed_urls: feedUrlsOf(shown) }),
	};
}

const STATE_AFTER: Record<string, string> = { closed: 'deactivated', reopened: 'available' };

/** The first text that is not empty. */
function firstOf(...values: unknown[]): string | null {
	return values.map(textOf).find((text) => text !== '') ?? null;
}

/** The output for a person whose access stays as it is. */
export function leftOutput(record: MemberRecord): IDataObject {
	const isUnclear = record.access === 'unclear';
	const reason = REASON_TEXTS[isUnclear ? 'unclear' : 'keep'];
	return {
		access: record.access,
		action: 'kept',
		email: firstOf(record.email),
		state: null,
		previousState: null,
		uuid: null,
		customer_id: firstOf(record.customerId),
		reason,
		attention: isUnclear ? reason : null,
		changes: {},
	};
}
