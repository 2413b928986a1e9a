/** Why something was decided about a person, in words: one row for each reason. */

import type { Reason } from '../access/reasons';

/** What each reason says in an item, a page or an email. */
export const REASON_TEXTS: Record<Reason, string> = {
	changedSince: 'changed since the list was read',
	closedAlready: 'closed already',
	closingIsOff: "'Close Feeds of' is Nobody",
	decidedSince: 'handled by an event since the list was read',
	emailNotTaken: 'Supercast shows the old email',
	emailOfAnother: 'the subscriber has the email of another person on the list',
	ended: 'no longer a member',
	goneSince: 'deleted in Supercast since its list was read',
	incomplete: 'the list is incomplete',
	keep: 'left as it is',
	mayBeListed: 'no customer ID, and may be somebody on the list who has no subscriber',
	neverClose: 'in Never Close',
	noCustomerId: 'no customer ID',
	noEmail: 'no email on the list, and no subscriber with the customer ID',
	noSubscriber: 'no such subscriber',
	notListed: 'not on the list',
	oldItem: 'the item is pinned or from an earlier execution',
	otherId: 'the subscriber has another customer ID',
	otherPrefix: 'another customer ID prefix',
	otherSystem: 'the customer ID of another membership system',
	overLimit: 'more feeds than Max Close (%) allows',
	plan: 'has a plan at Supercast',
	severalEmails: 'the list has several emails for this person',
	severalSubscribers: 'several subscribers have this email or customer ID',
	state: 'the feed is not open, and not closed by a membership',
	tooOld: 'the list had become too old',
	unclear: 'the access is unclear',
	waits: 'missing for the first time',
};
