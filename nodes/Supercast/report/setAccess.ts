/** The output of Set Access. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import { isBlank } from '../operations/texts';
import { simplifySubscriber } from '../subscriber/kind';
import type { AppliedDecision } from '../access/apply';
import type { LeftAsIs } from '../access/leave';
import { NOBODY, NO_SUBSCRIBER } from '../access/match';
import { changesOf, type AccessAction, type WantedAccess } from '../access/rules';
import { adviceOn } from './wording';

export function accessOutput(access: WantedAccess, decision: AppliedDecision): IDataObject {
	const { action, member = NOBODY, subscriber = NO_SUBSCRIBER, shown = {}, write } = decision;
	return {
		access,
		action,
		email: firstOf(write.email, subscriber.email, member.email),
		state: firstOf(STATE_AFTER[action], subscriber.isOpen ? 'available' : subscriber.state),
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

/** The output for a person whose access stays as it is. */
export function leftOutput(left: LeftAsIs): IDataObject {
	const { access, email, customerId } = left;
	const isUnclear = access !== 'keep';
	const reason = isUnclear ? unclearText(left) : keepText(left);
	return {
		access,
		action: 'kept',
		email: firstOf(email),
		state: null,
		previousState: null,
		uuid: null,
		customer_id: firstOf(customerId),
		reason,
		attention: isUnclear ? `${reason} ${DECIDE}` : null,
		changes: {},
	};
}

function keepText({ status, ...who }: LeftAsIs): string {
	return `The access of ${nameOfLeft(who)} stays as it is (${status || "'Access' is keep"}).`;
}

function unclearText({ given, status, ...who }: LeftAsIs): string {
	const value = isBlank(given) ? 'empty' : `"${textOf(given).slice(0, 100) || 'an object'}"`;
	const suffix = status === '' ? '' : `, with the status "${status}"`;
	return `The access of ${nameOfLeft(who)} is unclear, so nothing changed. 'Access' is ${value}${suffix}.`;
}

const DECIDE =
	"Decide whether this person has access, and set it in Supercast. Then correct the expression in 'Access', so that it returns open, keep or close.";

function nameOfLeft({ email, customerId }: Pick<LeftAsIs, 'customerId' | 'email'>): string {
	return (
		[email, customerId].filter((one) => one !== '').join(', ') ||
		'a person without an email and an ID'
	);
}
