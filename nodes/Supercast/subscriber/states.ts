/**
 * The states of a subscriber: one row for each, with everything that depends on it (Supercast API
 * reference, the subscriber object). Any other state is unknown: the node changes nothing because
 * of it, and tells it. All layers, the simulators and the tests read this table, so it imports
 * nothing.
 */

/** The columns of the table. */
export interface StateRow {
	/** What it means, in lists of options. */
	text: string;
	/** Whether the feeds are open. */
	isOpen: boolean;
	/** Whether there is a feed, open or closed. Inferred. */
	hasFeed: boolean;
	/** How the feed shows this state (vendor's client). Partly inferred. */
	feed: 'available' | 'inactive' | 'suspended';
	/**
	 * What the trigger has stored for it in workflows, so this never changes. Versions that did not
	 * know a state have stored its name, so a new row stores its own name.
	 */
	stored: string;
	/** What Sync and Set Access do for someone who should have access. */
	member: 'reopen' | 'skip' | 'update';
	/** Why the feeds of a new or changed subscriber are closed, and how to open them. */
	closed?: string;
	/** What Set Access says if it skips someone who should have access. Continues "…, ". */
	skipped?: string;
	/** Why a feed is closed, in the daily log. By default, the state itself. */
	why?: string;
}

const TABLE = {
	available: {
		text: 'The feeds are open',
		isOpen: true,
		hasFeed: true,
		feed: 'available',
		stored: 'a',
		member: 'update',
	},
	charge_failure: {
		text: 'A payment has failed, and the feeds are closed temporarily',
		isOpen: false,
		hasFeed: true,
		feed: 'suspended',
		stored: 'c',
		member: 'skip',
		closed:
			'The feeds are closed, because a payment to Supercast failed. Check the payment in Supercast.',
		skipped:
			'but their payment to Supercast failed. Supercast also bills this person. Check the payment in Supercast.',
		why: "Supercast's payment failed",
	},
	deactivated: {
		text: 'The membership has ended, and the feeds are closed',
		isOpen: false,
		hasFeed: true,
		feed: 'inactive',
		stored: 'd',
		member: 'reopen',
		closed:
			"The feeds of a deactivated subscriber stay closed. To open them, add the option 'Reactivate' to Create or Update, or use Set Access.",
		why: 'closed by a person or another workflow',
	},
	pending: {
		text: 'The checkout is not complete, so there is no feed yet',
		isOpen: false,
		hasFeed: false,
		feed: 'inactive',
		stored: 'p',
		member: 'skip',
		closed: 'There is no open feed yet, because the checkout at Supercast is not complete.',
		skipped:
			'but they have not completed their checkout at Supercast. Check this subscriber in Supercast.',
	},
	suspended: {
		text: 'The feeds are closed temporarily',
		isOpen: false,
		hasFeed: true,
		feed: 'suspended',
		stored: 's',
		member: 'skip',
		closed: 'The feeds of a suspended subscriber stay closed. To open them, use Feed: Activate.',
		skipped:
			'but their feed is suspended. Find out why. The feed may have been shared. Then activate it in Supercast.',
	},
} as const satisfies Record<string, StateRow>;

/** The states that the node knows. */
export type SubscriberState = keyof typeof TABLE;

export const STATES: Readonly<Record<SubscriberState, StateRow>> = TABLE;

/** In alphabetical order. */
export const SUBSCRIBER_STATES = Object.keys(TABLE) as [SubscriberState, ...SubscriberState[]];

/** The row of a state. Undefined if the node does not know the state. */
export function stateRow(state: string): StateRow | undefined {
	return Object.hasOwn(STATES, state) ? STATES[state as SubscriberState] : undefined;
}

/** What to do for someone who should have access. An unknown state changes nothing. */
export function memberAction(state: string): StateRow['member'] {
	return stateRow(state)?.member ?? 'skip';
}

/** Whether feeds in this state are open. Those in an unknown state may be. */
export function isOpenState(state: string): boolean {
	return stateRow(state)?.isOpen === true;
}

/** Whether the node itself closes and reopens feeds in this state, so that nothing is left to close. */
export function isDeactivated(state: string): boolean {
	return memberAction(state) === 'reopen';
}

/** How the trigger stores a state. Undefined if the node does not know the state. */
export function storedState(state: string): string | undefined {
	return stateRow(state)?.stored;
}

/** The state that the trigger has stored. Undefined if the node does not know the state. */
export function stateStoredAs(stored: string): SubscriberState | undefined {
	return SUBSCRIBER_STATES.find((state) => STATES[state].stored === stored);
}
