/**
 * Why something is decided about a person, without a sentence: `report/reasons.ts` has these. To
 * add a reason to leave a feed open, add a row to `OBSTACLES`.
 */

import type { Conflict } from './people';
import { hasPrefix, type RecordNames } from './record';
import type { CloseSettings } from './settings';
import type { CurrentSubscriber } from './subscribers';

/** @param emails The emails of the subscriber, at Supercast and on the list, as they are compared. */
type Applies = (
	subscriber: CurrentSubscriber,
	settings: CloseSettings,
	emails: readonly string[],
) => boolean;

/** Which open feeds are not Sync's own, so that it never closes them. The first row that applies counts. */
export const OBSTACLES = {
	closingIsOff: (_, { close }) => close === 'none',
	plan: ({ hasPlan }, { closeWithPlan }) => hasPlan && !closeWithPlan,
	neverClose: (_, { neverClose }, emails) => emails.some((one) => isNamedIn(one, neverClose)),
	noCustomerId: ({ customerId }, { close }) => close !== 'all' && customerId === '',
	otherPrefix: ({ customerId }, { close, prefixes }) =>
		close === 'prefix' && !hasPrefix(customerId, prefixes),
} satisfies Record<string, Applies>;

export type Obstacle = keyof typeof OBSTACLES;

/**
 * Why the feed of a subscriber is not Sync's own. Undefined if it is.
 * @param records Those of its person on the list, ended ones too.
 */
export function obstacleOf(
	subscriber: CurrentSubscriber,
	settings: CloseSettings,
	records: ReadonlyArray<Pick<RecordNames, 'emailKey'>> = [],
): Obstacle | undefined {
	const emails = [subscriber, ...records].map(({ emailKey }) => emailKey);
	const all = Object.entries(OBSTACLES) as Array<[Obstacle, Applies]>;
	return all.find(([, applies]) => applies(subscriber, settings, emails))?.[0];
}

/** @param names Emails and domains such as `@example.com`, as emails are compared. */
function isNamedIn(emailKey: string, names: ReadonlySet<string>): boolean {
	return names.has(emailKey) || names.has(emailKey.slice(emailKey.lastIndexOf('@')));
}

/** Why nothing changes for someone who should have access. */
export type OpenReason =
	Conflict | 'emailNotTaken' | 'keep' | 'noEmail' | 'otherSystem' | 'plan' | 'state' | 'unclear';

/** Why a feed closes. */
export type CloseReason = 'ended' | 'notListed';

/** Why a feed that should close stays open, at least until the next list. */
export type WaitReason =
	'changedSince' | 'decidedSince' | 'incomplete' | 'mayBeListed' | 'overLimit' | 'tooOld' | 'waits';

/** Why there is nothing to close, or why Set Access closes nothing. */
export type NothingReason = 'closedAlready' | 'goneSince' | 'noSubscriber' | 'oldItem' | 'otherId';

export type Reason = CloseReason | NothingReason | Obstacle | OpenReason | WaitReason;

const CONFLICTS: readonly string[] = [
	'emailOfAnother',
	'severalEmails',
	'severalSubscribers',
] satisfies Conflict[];

/** Whether a person must settle a conflict. */
export function isConflict<T extends { reason?: Reason }>(one: T): one is T & { reason: Conflict } {
	return CONFLICTS.includes(one.reason ?? '');
}
