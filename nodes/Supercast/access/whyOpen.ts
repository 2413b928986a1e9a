/** Why the feed of a subscriber stays open, although they are not on the list. */

import type { CurrentSubscriber } from './match';
import type { Reason } from './reasons';

export interface RuleSettings {
	/** Whether subscribers without a customer ID get the one on the list. */
	addCustomerIds: boolean;
	/** Whose feeds may be closed. */
	close: 'all' | 'none' | 'withCustomerId';
	closeWithPlan: boolean;
	/**
	 * Only feeds of subscribers whose customer ID begins with one of these texts may be closed.
	 * Without any, all may.
	 */
	customerIdPrefix: readonly string[];
	/** If set, feeds of subscribers with a customer ID for which it returns true stay open. */
	isOfMissingPart?: (customerId: string) => boolean;
	/** If set, feeds of subscribers with a customer ID for which it returns false stay open. */
	isOwnId?: (customerId: string) => boolean;
	/** In milliseconds since 1970. Feeds of subscribers created or changed later stay open. */
	newAfter?: number;
	/** Emails and domains such as `@example.com`, in the form of `nameKey`. */
	neverClose: ReadonlySet<string>;
	reactivate: boolean;
	/**
	 * Whether this value was written before. If Supercast shows another one, it does not take it over.
	 */
	wasWritten?: (subscriber: CurrentSubscriber, field: string, value: unknown) => boolean;
	/** Whether a new customer ID replaces the old one while the feed is open. */
	replaceCustomerId: boolean;
}

/** Whether a customer ID begins with one of these prefixes. Without any, every ID does. */
export function hasPrefix(customerId: string, prefixes: readonly string[]): boolean {
	return prefixes.length === 0 || prefixes.some((prefix) => customerId.startsWith(prefix));
}

/** The reasons to leave a feed open, each with its condition. The first that applies counts. */
const OBSTACLES: Array<
	[Reason, (subscriber: CurrentSubscriber, settings: RuleSettings) => boolean]
> = [
	// After a failed payment, Supercast may reopen the feed itself, so the node may close it.
	['state', ({ state }) => state !== 'available' && state !== 'charge_failure'],
	['closingIsOff', (_, { close }) => close === 'none'],
	// Comes before the customer ID, so that nobody closes a billed subscriber's feed by hand.
	['plan', ({ hasPlan }, { closeWithPlan }) => hasPlan && !closeWithPlan],
	['noCustomerId', ({ customerId }, { close }) => close !== 'all' && customerId === ''],
	[
		'otherPrefix',
		({ customerId }, { customerIdPrefix }) =>
			customerId !== '' && !hasPrefix(customerId, customerIdPrefix),
	],
	['missingPart', ({ customerId }, { isOfMissingPart }) => isOfMissingPart?.(customerId) === true],
	[
		'otherForm',
		({ customerId }, { isOwnId }) => customerId !== '' && isOwnId?.(customerId) === false,
	],
	['neverClose', isInNeverClose],
	['isNew', isNew],
];

/** Why the feed of a subscriber may not be closed. Undefined if it may. */
export function whyNotClosed(
	subscriber: CurrentSubscriber,
	settings: RuleSettings,
): Reason | undefined {
	return OBSTACLES.find(([, applies]) => applies(subscriber, settings))?.[0];
}

function isInNeverClose({ emailKey }: CurrentSubscriber, { neverClose }: RuleSettings): boolean {
	const domain = emailKey.slice(emailKey.lastIndexOf('@'));
	return neverClose.has(emailKey) || neverClose.has(domain);
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
