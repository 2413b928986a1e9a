import type { IDataObject } from 'n8n-workflow';

import { differences } from '../differences';
import { nameKey } from '../../../api/identity';
import { identify, type Person } from './identify';
import { isInScope, whyNotClosed } from './closing';
import { limitsOf } from './limits';
import { CONFLICTS, REASONS, stateReason } from './reasons';
import type { SyncDecision, KnownSubscriber, Member, SyncPlan, SyncSettings } from './types';

/** The input of a plan. */
export interface PlanInput {
	members: readonly Member[];
	subscribers: readonly KnownSubscriber[];
	settings: SyncSettings;
	/** Milliseconds since 1970. */
	now: number;
	/** Why this run must not close any feeds. Undefined if closing is allowed. */
	closingsWithheld?: string;
}

/**
 * Decides how to make the subscribers match the list of members. Makes one decision for each
 * person, or several in a conflict. Makes none for deactivated subscribers who are not on the list.
 */
export function makePlan(input: PlanInput): SyncPlan {
	const { members, subscribers, settings } = input;
	const decisions = identify(members, subscribers).flatMap((person) => decide(person, input));
	const inScope = subscribers.filter(
		(subscriber) => subscriber.state === 'available' && isInScope(subscriber, settings),
	);
	return { decisions, limits: limitsOf(decisions, inScope.length, settings) };
}

/**
 * Decides what happens to a subscriber who is on the list.
 *
 * @param member The row of this subscriber on the list.
 */
export function decideListed(
	member: Member,
	subscriber: KnownSubscriber,
	settings: SyncSettings,
): SyncDecision {
	const about = { member, subscriber };
	const { customerId, state } = subscriber;
	const isOther = customerId !== '' && member.customerId !== '' && customerId !== member.customerId;
	if (isOther) return conflict(about, CONFLICTS.emailTaken);
	if (state !== 'available' && state !== 'deactivated') return keep(about, stateReason(state));
	const write = changedFields(member, subscriber);
	const hasChanges = Object.keys(write).length > 0;
	if (state === 'available') {
		return { ...about, action: hasChanges ? 'updated' : 'unchanged', write };
	}
	if (settings.reactivate) return { ...about, action: 'reopened', write };
	const reason = REASONS.reactivateIsOff;
	return { ...about, action: hasChanges ? 'updated' : 'kept', write, reason };
}

function decide(person: Person, input: PlanInput): SyncDecision[] {
	const { member, subscribers } = person;
	if (person.conflict !== undefined) return conflicts(person, person.conflict);
	const [subscriber] = subscribers;
	if (member === undefined)
		return subscriber === undefined ? [] : decideUnlisted(subscriber, input);
	if (subscriber !== undefined) return [decideListed(member, subscriber, input.settings)];
	return [{ action: 'created', member, write: newFields(member) }];
}

/**
 * Returns one conflict for each row on the list and for each subscriber. If the list has no row,
 * subscribers without an open feed are left out.
 */
function conflicts({ member, rows, subscribers }: Person, reason: string): SyncDecision[] {
	const open = subscribers.filter(({ state }) => member !== undefined || state === 'available');
	return [
		...rows.map((row) => conflict({ member: row }, reason)),
		...open.map((subscriber) => conflict({ subscriber }, reason)),
	];
}

function decideUnlisted(
	subscriber: KnownSubscriber,
	{ settings, now, closingsWithheld }: PlanInput,
): SyncDecision[] {
	const { state } = subscriber;
	if (state === 'deactivated') return [];
	if (state !== 'available') return [keep({ subscriber }, stateReason(state))];
	const reason = whyNotClosed(subscriber, settings, now) ?? closingsWithheld;
	if (reason !== undefined) return [keep({ subscriber }, reason)];
	return [{ action: 'closed', subscriber, write: {}, reason: REASONS.notListed }];
}

type About = Pick<SyncDecision, 'member' | 'subscriber'>;

function keep(about: About, reason: string): SyncDecision {
	return { ...about, action: 'kept', write: {}, reason };
}

function conflict(about: About, reason: string): SyncDecision {
	return { ...keep(about, reason), isConflict: true };
}

function newFields({ email, customerId, fields }: Member): IDataObject {
	return { email, ...(customerId === '' ? {} : { customer_id: customerId }), ...fields };
}

/**
 * Finds the fields to change. Skips a field that Supercast does not return, because it cannot be
 * compared and would be written every time.
 */
function changedFields(member: Member, subscriber: KnownSubscriber): IDataObject {
	const shown = Object.entries(member.fields).filter(([key]) => key in subscriber.fields);
	const isMoved = nameKey(member.email) !== nameKey(subscriber.email);
	return {
		...(isMoved ? { email: member.email } : {}),
		...differences(subscriber.fields, Object.fromEntries(shown)),
	};
}
