/** Why something was decided about a person, in words: one row for each reason. */

import { hasUnknownOutcome } from '../api/errors/errors';
import type { Reason } from '../access/reasons';
import { movesEmail, type Decision } from '../access/rules';
import { NO_SUBSCRIBER } from '../access/subscribers';
import type { WantedAccess } from '../access/setAccess';
import type { MemberRecord } from '../access/record';
import { stateRow } from '../subscriber/states';
import { conflictTexts } from './conflicts';
import { emailOf, recordsOf, shownWord, statusText } from './names';
import { unclearText, type OtherRecords } from './unclear';

interface ReasonRow {
	/** What an item, a page or an email says. `fill` says what stands for the names in braces. */
	text: string;
	/**
	 * What Set Access says: one sentence, which goes on after "should have access, " or "ends, ". If a
	 * person must decide something, the sentences after it say what. Sync says the same ones about
	 * someone who pays and has no open feed.
	 */
	open?: string;
	close?: string;
}

const CHECK = 'Check this subscriber in Supercast.';
const CONFLICT: Pick<ReasonRow, 'close' | 'open'> = {
	open: 'but {conflict}. {cure}',
	close: 'but {conflict}. {cure}',
};
const NOT_IN_SUPERCAST =
	'but Supercast has no such subscriber. If this person listens under another email, deactivate that subscriber in Supercast.';

export const REASONS: Record<Reason, ReasonRow> = {
	changedSince: { text: 'changed in Supercast during the run' },
	closedAlready: { text: 'closed already' },
	closingIsOff: { text: "'Close Feeds of' is Nobody" },
	decidedSince: { text: 'another operation changed this person during the run' },
	emailNotTaken: {
		text: 'Supercast shows the old email',
		open: 'but Supercast shows the email {email}. The person may have to confirm the new one. If not, change it in Supercast.',
	},
	emailOfAnother: { text: 'conflict: {conflict}', ...CONFLICT },
	ended: { text: '{ended}' },
	goneSince: {
		text: 'deleted in Supercast during the run',
		open: 'but this subscriber was deleted in Supercast at the same time. The next run adds the person again.',
		close: NOT_IN_SUPERCAST,
	},
	incomplete: { text: '{left}, but the list is incomplete' },
	keep: { text: 'left as it is{status}' },
	mayBeListed: {
		text: '{left}, but has no customer ID, and may be someone on the list who has no subscriber',
	},
	neverClose: { text: "in 'Never Close'" },
	noCustomerId: { text: 'no customer ID' },
	noEmail: {
		text: 'no email on the list, and no subscriber with the customer ID',
		open: 'but Supercast has nobody with this customer ID, and the record has no email. Add the email to the record, or add the person in Supercast.',
	},
	noSubscriber: { text: 'no such subscriber', close: NOT_IN_SUPERCAST },
	notListed: { text: 'not on the list' },
	oldItem: {
		text: 'the item is pinned or from an earlier execution',
		close:
			'but the item is pinned or from an earlier execution, and the person may have come back since. If not, deactivate this subscriber in Supercast.',
	},
	otherId: {
		text: 'the subscriber has the customer ID {customerId}',
		close:
			'but the subscriber has the customer ID {customerId}, so the feed stays open. If no other membership pays for this feed, deactivate this subscriber in Supercast.',
	},
	otherPrefix: { text: 'a customer ID with another prefix{otherId}' },
	otherSystem: {
		text: 'another system opened the feed, with the customer ID {customerId}',
		open: 'and the feed is open already, with the customer ID {customerId} of another system.',
		close:
			'but the subscriber has the customer ID {customerId} of another system, so the feed stays open. If nothing else pays for this feed, deactivate this subscriber in Supercast.',
	},
	overLimit: { text: "{left}, but over the limit of 'Max Close (%)'" },
	plan: {
		text: 'a plan at Supercast{closed}',
		open: "but the subscriber has a plan at Supercast, and the feed is closed. Check the plan in Supercast. If Supercast does not bill this person, turn on 'Close Despite Plan' in the node, so that it ignores plans.",
		close:
			"but the subscriber has a plan at Supercast, so the feed stays open. If the plan has ended too, turn on 'Close Despite Plan', or close the feed with Feed: Deactivate.",
	},
	severalEmails: { text: 'conflict: {conflict}', ...CONFLICT },
	severalSubscribers: { text: 'conflict: {conflict}', ...CONFLICT },
	state: {
		text: '{stateText}',
		open: `but Supercast shows {aState}, which this node does not know. ${CHECK}`,
		close:
			'and Supercast shows {aState}. Deactivate this subscriber in Supercast, so that the feed does not open again.',
	},
	tooOld: { text: '{left}, but the list had become too old' },
	unclear: { text: '{unclear}' },
	waits: { text: '{left}; closes {when}' },
};

type ToldDecision = Decision & { error?: Error };

/** Why something was done, or was not, about a person. */
export function reasonText(one: ToldDecision, others: OtherRecords): string {
	if (one.error !== undefined) return failureText(one.action, one.error);
	const text = one.reason === undefined ? '' : fill(REASONS[one.reason].text, one, others);
	if (one.action === 'kept' || one.action === 'closed' || one.action === 'unchanged') return text;
	const why = one.action === 'updated' ? changeText(one) : statusText(recordsOf(one));
	return [why || 'on the list', text].filter((part) => part !== '').join('; ');
}

function failureText(action: Decision['action'], error: Error): string {
	const verb = VERBS[action];
	return hasUnknownOutcome(error)
		? `nobody knows whether the feed was ${verb}, because Supercast has not shown it: ${error.message}`
		: `could not be ${verb}: ${error.message}`;
}

const VERBS: Record<Decision['action'], string> = {
	closed: 'closed',
	created: 'created',
	kept: 'kept',
	reopened: 'opened',
	unchanged: 'kept',
	updated: 'updated',
};

function changeText(one: Decision): string {
	const parts = [
		movesEmail(one) ? 'new email' : '',
		'customer_id' in one.write ? 'customer ID added' : '',
	];
	return parts.filter((part) => part !== '').join(', ') || 'changed';
}

/** Why someone is no member: the status of the records, or that there are none. */
export function whyLeft(ended: readonly MemberRecord[] = []): string {
	if (ended.length === 0) return 'not on the list';
	const texts = ended.map(({ ground, status }) => {
		if (ground.kind === 'endedOn') return `ended on ${ground.day}`;
		if (ground.kind === 'otherProduct') return `other product: ${shownWord(ground.product)}`;
		return shownWord(status) || 'no longer a member';
	});
	return [...new Set(texts)].join(', ');
}

/** How many more lists must say the same. The list of a dry run counts, too. */
export function remainingLists({ action, absence }: Decision): number {
	if (action === 'closed' || absence === undefined) return 1;
	return Math.max(1, absence.closeAfter - absence.lists);
}

function whenItCloses(one: Decision): string {
	const remaining = remainingLists(one);
	return remaining === 1 ? 'with the next list' : `after ${remaining} more lists`;
}

/** Why a feed is not open that should be: its state. */
export function stateText(state: string): string {
	if (state === '') return 'Supercast shows no state';
	return (
		stateRow(state)?.why ?? (stateRow(state) ? state : `the unknown state "${shownWord(state)}"`)
	);
}

function fill(text: string, one: Decision, others?: OtherRecords): string {
	const { person, subscriber = NO_SUBSCRIBER, ended } = one;
	const { state } = subscriber;
	const values: Record<string, () => string> = {
		aState: () => (state === '' ? 'no state' : `the state "${shownWord(state)}"`),
		closed: () => (subscriber.isOpen ? '' : `, and the feed is closed (${stateText(state)})`),
		conflict: () => (person === undefined ? '' : conflictTexts(person).what),
		cure: () => (person === undefined ? '' : conflictTexts(person).cure),
		customerId: () => shownWord(subscriber.customerId),
		email: () => shownWord(subscriber.email || emailOf(one)),
		ended: () => whyLeft(ended),
		otherId: () => `: ${shownWord(subscriber.customerId)}`,
		left: () => (person === undefined ? whyLeft(ended) : 'a new email'),
		stateText: () => stateText(state),
		status: () => withBrackets(statusText(recordsOf(one))),
		unclear: () => (person && others ? unclearText(person, others) : ''),
		when: () => whenItCloses(one),
	};
	return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]?.() ?? '');
}

function withBrackets(text: string): string {
	return text === '' ? '' : ` (${text})`;
}

/** A sentence about a decision, and what a person must do about it. Empty if there is nothing. */
export interface Advice {
	sentence: string;
	remedy: string;
}

/** What a reason means for someone who should have access, or whose access ends. */
export function adviceOn(one: Decision, access: WantedAccess): Advice {
	const text = templateFor(one, access);
	// A value may contain a full stop, so the template is split before it is filled.
	const end = text.indexOf('. ') + 1 || text.length;
	return { sentence: fill(text.slice(0, end), one), remedy: fill(text.slice(end).trim(), one) };
}

function templateFor(
	{ reason, subscriber = NO_SUBSCRIBER }: Decision,
	access: WantedAccess,
): string {
	if (reason === undefined) return '';
	const usual = REASONS[reason][access] ?? '';
	if (access === 'close') return usual;
	if (reason === 'plan' && subscriber.isOpen) return PLAN_IS_OPEN;
	return (reason === 'state' && stateRow(subscriber.state)?.skipped) || usual;
}

const PLAN_IS_OPEN = 'and the subscriber has a plan at Supercast, so nothing changes.';
