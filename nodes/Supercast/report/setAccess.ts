/** The output of Set Access. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import { simplifySubscriber } from '../subscriber/kind';
import type { AppliedDecision } from '../access/apply';
import { NOBODY, NO_SUBSCRIBER } from '../access/match';
import { changesOf, type AccessAction, type WantedAccess } from '../access/rules';
import { adviceOn } from './wording';

export function accessOutput(access: WantedAccess, decision: AppliedDecision): IDataObject {
	const { action, member = NOBODY, subscriber = NO_SUBSCRIBER, shown = {}, write } = decision;
	return {
		access,
		action,
		email: firstOf(write.email, subscriber.email, member.email),
		state: firstOf(STATE_AFTER[action], subscriber.state),
		previousState: action === 'created' ? null : firstOf(subscriber.state),
		uuid: firstOf(shown.uuid, subscriber.uuid),
		customer_id: firstOf(write.customer_id, subscriber.customerId),
		...adviceOn(access, decision, shown),
		changes: changesOf(decision),
		...feedsOf(action, shown),
	};
}

/** The private addresses of feeds that were just opened. */
function feedsOf(action: AccessAction, shown: IDataObject): IDataObject {
	const isOpened = action === 'created' || action === 'reopened';
	return isOpened ? { feed_urls: simplifySubscriber(shown).feed_urls } : {};
}

/** The state that Supercast has shown after feeds were closed or reopened. */
const STATE_AFTER: Partial<Record<AccessAction, string>> = {
	closed: 'deactivated',
	reopened: 'available',
};

/** The first text that is not empty. */
function firstOf(...values: unknown[]): string | null {
	return values.map(textOf).find((text) => text !== '') ?? null;
}
