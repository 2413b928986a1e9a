/** What the outputs say about a decision. */

import type { IDataObject } from 'n8n-workflow';

import { REASONS, type AccessDecision, type Reason } from './rules';

/** The reason of a decision, in words. */
export function reasonText({ reason, member, subscriber }: AccessDecision): string | undefined {
	if (reason === undefined) return undefined;
	if (reason === 'state') return `state: ${subscriber?.state || 'unknown'}`;
	const [listed = ''] = member?.customerIds ?? [];
	const known = subscriber?.customerId;
	if (reason === 'otherId') return `conflict: your list says ${listed}, Supercast says ${known}`;
	if (reason === 'otherEmail') return `conflict: your list has ${known} with ${member?.email}`;
	return REASONS[reason];
}

/** Each field that changes, and the state of the feeds as Supercast shows it. */
export function changesOf({ action, write, subscriber }: AccessDecision): IDataObject {
	if (action === 'kept') return {};
	const { state, email, customerId, fields } = subscriber ?? {};
	const before: IDataObject = { ...fields, email, customer_id: customerId };
	const isNew = action === 'created';
	const entries = Object.entries(write).map(([key, to]): [string, IDataObject] => [
		key,
		{ from: isNew || before[key] === '' ? null : (before[key] ?? null), to },
	]);
	if (action === 'closed') entries.unshift(['state', { from: state, to: 'deactivated' }]);
	if (action === 'reopened') entries.unshift(['state', { from: state, to: 'available' }]);
	return Object.fromEntries(entries);
}

const TWO_PEOPLE =
	'Check both in Supercast, correct the email or the customer ID, and close the feed that is not needed.';
const CHECK = 'Check this subscriber in Supercast.';

/** What is in the way of an open feed, and what a person can do, by state. */
const STATES: Record<string, [string, string]> = {
	suspended: [
		'their feed is suspended',
		'Find out why, for example a shared feed. Then activate it in Supercast.',
	],
	charge_failure: [
		'their payment to Supercast failed',
		'Supercast also bills this person. Check the payment in Supercast.',
	],
	pending: ['they have not completed their checkout at Supercast', CHECK],
};

/** The same by reason. The first text continues the sentence about the person. */
type Advice = Partial<Record<Reason, (decision: AccessDecision) => [string, string]>>;

const OPEN: Advice = {
	noEmail: () => [
		'but Supercast has no subscriber with this customer ID',
		'Pass on their email too, or add them in Supercast.',
	],
	state: ({ subscriber }) => {
		const state = subscriber?.state ?? '';
		const [what, advice] = STATES[state] ?? [`Supercast shows the state "${state}"`, CHECK];
		return [`but ${what}`, advice];
	},
	planClosed: () => [
		'but they have a plan at Supercast and their feed is closed',
		'Check the plan in Supercast, and decide which membership continues. Then activate the feed there.',
	],
	severalSubscribers: () => ['but several subscribers have this email or customer ID', TWO_PEOPLE],
	otherEmail: ({ others }) => [
		`but another subscriber has the same customer ID: ${others[0]?.email}`,
		TWO_PEOPLE,
	],
};

const CLOSE: Advice = {
	noSubscriber: () => [
		'but Supercast has no such subscriber',
		'If this person listens under another email, deactivate that subscriber in Supercast. Otherwise, there is nothing to do.',
	],
	plan: () => [
		'but they have a plan at Supercast, so their feed stays open',
		'If the plan has ended too, deactivate this subscriber in Supercast.',
	],
	otherId: ({ subscriber }) => [
		`but this subscriber has the customer ID ${subscriber?.customerId}, so their feed stays open`,
		'If no other membership pays for this feed, deactivate this subscriber in Supercast.',
	],
	severalSubscribers: () => [
		'but several subscribers have this email or customer ID, so their feeds stay open',
		TWO_PEOPLE,
	],
	otherEmail: ({ subscriber, others }) => [
		`but the email and the customer ID belong to two subscribers, ${subscriber?.email} and ${others[0]?.email}`,
		TWO_PEOPLE,
	],
	state: ({ subscriber }) => [
		`and Supercast shows the state "${subscriber?.state}"`,
		'Deactivate this subscriber in Supercast, so that the feed does not open again.',
	],
};
CLOSE.goneSince = CLOSE.noSubscriber;

/** Why Set Access left someone alone, and what a person can do. Empty in all ordinary cases. */
export function adviceOn(access: 'close' | 'open', decision: AccessDecision): string[] {
	const { action, member, subscriber, others } = decision;
	const second = access === 'open' && others.length > 0 ? 'otherEmail' : undefined;
	const reason = action === 'kept' ? decision.reason : second;
	const advice = reason && (access === 'open' ? OPEN : CLOSE)[reason]?.(decision);
	if (advice === undefined) return [];
	const names = [member?.email || subscriber?.email, ...(member?.customerIds ?? [])];
	const who = names.filter((name) => name !== undefined && name !== '').join(', ');
	const what = access === 'open' ? `${who} should have access` : `The access of ${who} ends`;
	return [`${what}, ${advice[0]}.`, advice[1]];
}
