/**
 * Why someone is skipped, or a feed closed: one row for each reason, with everything that is said
 * about it. Each table asks for what its reasons need.
 */

import type { CurrentSubscriber } from './match';
import { hasPrefix, type RuleSettings } from './settings';
import { leaverAction } from '../subscriber/states';

/** The columns of the tables. */
interface ReasonRow {
	/** For the items and numbers of Sync. `fill` says what stands for the names in braces. */
	text: string;
	/** Whether it keeps the feed of this subscriber open. */
	applies: (subscriber: CurrentSubscriber, settings: RuleSettings) => boolean;
	/** What a person does about it, in Sync's warnings. Empty if there is nothing to do. */
	remedy: string;
	/** Whether a feed that should close stays open, perhaps with the next list too. */
	isStuck: boolean;
	/**
	 * What Set Access says about it. The first sentence continues the one that `adviceOn` starts. The
	 * others say what to do.
	 */
	setAccess: { open?: string; close?: string };
}

type Row<Column extends keyof ReasonRow> = Pick<ReasonRow, Column | 'text'>;

/** Set Access never meets this reason. */
const NOT_MET = {};

export const CHECK = 'Check this subscriber in Supercast.';
export const TWO_PEOPLE =
	'Check these subscribers in Supercast. Correct the wrong email or customer ID there, and close any feed that is not needed.';

const OTHER_EMAIL =
	'but this customer ID came with another email minutes before: {email}. Check whose ID it is. If the person has a new email, change it in Supercast.';
const NOT_IN_SUPERCAST =
	'but Supercast has no such subscriber. If this person listens under another email, deactivate that subscriber in Supercast. Otherwise, there is nothing to do.';

/**
 * What keeps the feed of a subscriber open. The first row that applies counts. The remedies are for
 * members whose feeds would stay open when they leave.
 */
export const OBSTACLES = {
	state: {
		applies: ({ state, isOpen }) => !isOpen && leaverAction(state) !== 'close',
		text: 'state: {state}',
		remedy: '',
		setAccess: {
			open: `but Supercast shows the state "{state}". ${CHECK}`,
			close:
				'and Supercast shows the state "{state}". Deactivate this subscriber in Supercast, so that the feed does not open again.',
		},
	},
	closingIsOff: {
		applies: (_, { close }) => close === 'none',
		text: "the setting 'Close Feeds of' is Nobody",
		remedy: '',
		setAccess: NOT_MET,
	},
	// Comes before the customer ID, so that nobody closes a billed subscriber's feed by hand.
	plan: {
		applies: ({ hasPlan }, { closeWithPlan }) => hasPlan && !closeWithPlan,
		text: 'has a plan at Supercast',
		remedy:
			"They have a plan at Supercast, so Supercast probably bills them. When they leave, end the plan in Supercast. If Supercast does not bill them, turn on 'Close Despite Plan'.",
		setAccess: {
			close:
				"but they have a plan at Supercast, so their feed stays open. If the plan has ended too, turn on the option 'Close Despite Plan', or close the feed with Feed: Deactivate.",
		},
	},
	noCustomerId: {
		applies: ({ customerId }, { close }) => close !== 'all' && customerId === '',
		text: 'no customer ID',
		remedy:
			"They have no customer ID in Supercast. Give each member a customer ID on the list, and leave 'Add Customer IDs' on. Or set 'Close Feeds of' to 'All Missing Subscribers'. Sync gives no ID to people whom Supercast bills.",
		setAccess: NOT_MET,
	},
	otherPrefix: {
		applies: ({ customerId }, { customerIdPrefix }) =>
			customerId !== '' && !hasPrefix(customerId, customerIdPrefix),
		text: 'another customer ID prefix',
		remedy:
			"Their customer ID in Supercast does not begin with the 'Customer ID Prefix'. Correct it in Supercast, for example with Subscriber: Update.",
		setAccess: NOT_MET,
	},
	missingPart: {
		applies: ({ customerId }, { isOfMissingPart }) => isOfMissingPart?.(customerId) === true,
		text: 'nobody on the list has this customer ID prefix',
		remedy: '',
		setAccess: NOT_MET,
	},
	otherForm: {
		applies: ({ customerId }, { isOwnId }) => customerId !== '' && isOwnId?.(customerId) === false,
		text: 'a customer ID that differs in form from those on the list',
		remedy:
			"Their customer ID in Supercast looks like that of another membership system. Correct it there. Or, in 'Customer ID Prefix', enter the beginnings of all customer IDs on the list.",
		setAccess: NOT_MET,
	},
	neverClose: {
		applies: ({ emailKey }, { neverClose }) =>
			neverClose.has(emailKey) || neverClose.has(emailKey.slice(emailKey.lastIndexOf('@'))),
		text: 'in Never Close',
		remedy: '',
		setAccess: NOT_MET,
	},
	isNew: {
		applies: isNew,
		text: 'newer than Grace Hours',
		remedy: '',
		setAccess: {
			close:
				'but their feed stays open, because the input is pinned or from an earlier execution. This subscriber may have changed since. If they have not paid again, deactivate this subscriber in Supercast.',
		},
	},
} satisfies Record<string, Row<'applies' | 'remedy' | 'setAccess'>>;

/** The reasons that a person must settle, about an email or a customer ID. */
export const CONFLICTS = {
	severalEmails: {
		text: 'conflict: one customer ID with several emails',
		remedy: 'Give each person on your list one email.',
		setAccess: { open: OTHER_EMAIL, close: OTHER_EMAIL },
	},
	severalSubscribers: {
		text: 'conflict: several subscribers have the same customer ID or email',
		remedy:
			'If one of them is not a member, remove their customer ID and close their feed. If two have the same email, delete the unused one.',
		setAccess: {
			open: `but several subscribers have this email or customer ID. ${TWO_PEOPLE}`,
			close: `but several subscribers have this email or customer ID, so their feeds stay open. ${TWO_PEOPLE}`,
		},
	},
	otherId: {
		text: 'conflict: your list says {listedId}, Supercast says {customerId}',
		remedy: 'Run Set Access: Open with the email and the customer ID on your list.',
		setAccess: {
			close:
				'but this subscriber has the customer ID {customerId}, so their feed stays open. If no other membership pays for this feed, deactivate this subscriber in Supercast.',
		},
	},
	otherEmail: {
		text: 'conflict: {customerId} belongs to {listedEmail} on your list, but to {email} in Supercast',
		remedy: 'Keep the subscriber whose feed this person uses, and delete the other.',
		setAccess: {
			open: `but another subscriber has the same customer ID: {other}. ${TWO_PEOPLE}`,
			close: `but the email and the customer ID belong to two subscribers, {email} and {other}. ${TWO_PEOPLE}`,
		},
	},
	emailTaken: {
		text: 'conflict: another subscriber has the email {listedEmail}',
		remedy: 'Change the email of that subscriber in Supercast.',
		setAccess: NOT_MET,
	},
} satisfies Record<string, Row<'remedy' | 'setAccess'>>;

/** Why a list closes no feeds. */
export const LIST_REASONS = {
	badItems: { text: 'some input items are not valid members', remedy: '' },
	membersIncomplete: { text: 'the list of members is incomplete', remedy: '' },
	damaged: { text: 'an item of the list is empty', remedy: '' },
	incomplete: { text: 'the list of subscribers kept changing while it was read', remedy: '' },
	branches: {
		text: 'another branch of the workflow may bring more members',
		remedy: 'Add a Merge node before Sync, so that Sync receives all items together.',
	},
	tooOld: {
		text: 'the list is too old',
		remedy: 'If you ran only this node, run the whole workflow, so that it reads the list again.',
	},
	unexpected: { text: "Supercast's list of subscribers is not as expected", remedy: '' },
} satisfies Record<string, Row<'remedy'>>;

/** What comes between a decision and the change. Set Access meets only one of them. */
const LATE_REASONS = {
	waits: { text: 'missing from the list', isStuck: false },
	mayBeListed: {
		text: 'no customer ID, and may be a member on the list who has no subscriber',
		isStuck: false,
	},
	unlisted: { text: "Supercast's list of subscribers does not show everyone", isStuck: false },
	creationFailed: {
		text: 'may be the same person as a member who could not be created',
		isStuck: true,
	},
	changedSince: { text: 'changed since the list of subscribers was read', isStuck: true },
	overLimit: { text: 'more feeds to close than one run may close', isStuck: false },
	closedAlready: { text: 'closed already', isStuck: false },
	decidedSince: { text: 'handled by another operation since the list arrived', isStuck: false },
	goneSince: {
		text: 'deleted since the list of subscribers was read',
		isStuck: true,
		setAccess: { close: NOT_IN_SUPERCAST },
	},
} satisfies Record<string, Row<'isStuck'> & Partial<Row<'setAccess'>>>;

const OTHER_REASONS = {
	notListed: { text: 'not on the list', setAccess: NOT_MET },
	// The status of the record follows.
	ended: { text: 'no longer a member', setAccess: NOT_MET },
	keep: { text: 'left as it is', setAccess: NOT_MET },
	unclear: { text: 'left as it is, because the access is unclear', setAccess: NOT_MET },
	noSubscriber: { text: 'no such subscriber', setAccess: { close: NOT_IN_SUPERCAST } },
	noEmail: {
		text: 'no email on the list, and no subscriber with the customer ID',
		setAccess: {
			open: 'but Supercast has no subscriber with this customer ID. Pass on their email too, or add them in Supercast.',
		},
	},
	planClosed: {
		text: 'has a plan at Supercast, and the feed is closed',
		setAccess: {
			open: 'but they have a plan at Supercast and their feed is closed. Check the plan in Supercast, and decide which membership continues. Then activate the feed there.',
		},
	},
	reactivateIsOff: { text: 'deactivated, and Reactivate is off', setAccess: NOT_MET },
	notTaken: {
		text: 'Supercast shows other values than the node wrote',
		setAccess: {
			open: `but Supercast shows another value than the node wrote: {notTaken}. ${CHECK}`,
		},
	},
} satisfies Record<string, Row<'setAccess'>>;

const ALL = { ...OBSTACLES, ...CONFLICTS, ...LIST_REASONS, ...LATE_REASONS, ...OTHER_REASONS };

export type Obstacle = keyof typeof OBSTACLES;
export type Conflict = keyof typeof CONFLICTS;
export type ListReason = keyof typeof LIST_REASONS;
export type Reason = keyof typeof ALL;

export const REASONS: Record<Reason, Partial<ReasonRow> & Row<'text'>> = ALL;

/** Whether a person must settle a conflict about an email or a customer ID. */
export function isConflict<T extends { reason?: Reason }>(one: T): one is T & { reason: Conflict } {
	return one.reason !== undefined && one.reason in CONFLICTS;
}

/** An unknown age counts as new. No record is older than its latest change. */
function isNew(
	{ createdTime, updatedTime }: CurrentSubscriber,
	{ newAfter }: RuleSettings,
): boolean {
	if (newAfter === undefined) return false;
	const known = [createdTime, updatedTime].filter((time) => !Number.isNaN(time));
	return known.length === 0 || Math.max(...known) > newAfter;
}
