/** A list that would give the feeds of many members to other people (decision 0019). */

import { textOf } from '../../../api/json';
import { NO_SUBSCRIBER, type Person } from '../../match';
import type { AccessDecision } from '../../rules';
import { allowedBy, percentFor, type SyncSettings } from '../../settings';
import { FEW } from './checks';

/** Too many of the members whom a list names by customer ID would get another email. */
export interface MovedMembers {
	moved: number;
	known: number;
	limit: number;
	/** The limit in percent that would allow it. */
	percent: number;
	/** An example: whose feed would go to whom. */
	from: string;
	to: string;
}

/**
 * If customer IDs change hands, such as row numbers, so do the feeds. Undefined if few members
 * would get another email.
 */
export function movedMembers(
	decisions: readonly AccessDecision[],
	{ maxClosePercent }: SyncSettings,
): MovedMembers | undefined {
	const known = decisions.filter(isKnownById).length;
	const moved = decisions.filter((one) => isKnownById(one) && hasNewEmail(one));
	const limit = Math.max(FEW, allowedBy(maxClosePercent, known));
	const [first] = moved;
	if (first === undefined || moved.length <= limit) return undefined;
	const { subscriber = NO_SUBSCRIBER, write } = first;
	return {
		moved: moved.length,
		known,
		limit,
		percent: percentFor(moved.length, known),
		from: subscriber.email,
		to: textOf(write.email),
	};
}

function hasNewEmail({ write, subscriber = NO_SUBSCRIBER }: AccessDecision): boolean {
	return 'email' in write && subscriber.email !== '';
}

function isKnownById({ member, subscriber = NO_SUBSCRIBER }: Person): boolean {
	return member?.customerIds.includes(subscriber.customerId) === true;
}
