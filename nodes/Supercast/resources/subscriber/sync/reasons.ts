/** The reasons that the output gives for a decision about a person. */
export const REASONS = {
	notListed: 'not on the list',
	closingIsOff: 'Close is set to None',
	noCustomerId: 'no customer ID',
	otherPrefix: 'another customer ID prefix',
	plan: 'has a plan at Supercast',
	neverClose: 'in Never Close',
	isNew: 'newer than Grace Hours',
	reactivateIsOff: 'deactivated, and Reactivate is off',
	badItems: 'some input items are not valid members',
	incomplete: 'the list of subscribers kept changing while it was read',
	changedSince: 'changed since the list of subscribers was read',
	goneSince: 'deleted since the list of subscribers was read',
} as const;

/** The reasons that the output gives if it is unclear who a person is. */
export const CONFLICTS = {
	listedIdTwice: 'conflict: one customer ID with several emails',
	listedEmailTwice: 'conflict: one email with several customer IDs',
	emailTaken: 'conflict: the email belongs to another subscriber',
	subscriberTwice: 'conflict: several subscribers have the same customer ID or email',
} as const;

/** Why a subscriber in a state other than available or deactivated does not change. */
export function stateReason(state: string): string {
	return `state: ${state === '' ? 'unknown' : state}`;
}
