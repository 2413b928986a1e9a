/** Stops a list that would give the feeds of many members to other people (decision 0019). */

import { InputError } from '../../../api/errors/errors';
import { textOf } from '../../../api/json';
import { NO_SUBSCRIBER, type Person } from '../../match';
import type { AccessDecision } from '../../rules';
import { allowedBy, percentFor, type SyncSettings } from '../../settings';
import { FEW } from './checks';

/**
 * Why the run is refused: of the members whom it recognizes by their customer ID, too many get
 * another email. If customer IDs change hands, such as row numbers, so do the feeds. Undefined if
 * it may run.
 */
export function tooManyMoves(
	decisions: readonly AccessDecision[],
	{ maxClosePercent }: SyncSettings,
): InputError | undefined {
	const known = decisions.filter(isKnownById).length;
	const moved = decisions.filter((one) => isKnownById(one) && hasNewEmail(one));
	const limit = Math.max(FEW, allowedBy(maxClosePercent, known));
	const [first] = moved;
	if (first === undefined || moved.length <= limit) return undefined;
	const { subscriber = NO_SUBSCRIBER, write } = first;
	return new InputError(
		`Sync would give a new email to ${moved.length} of ${known} members whom it knows by customer ID, but the limit is ${limit}`,
		`For example, the feed of ${subscriber.email} would go to ${textOf(write.email)}. Check 'Customer ID'. An ID must always name the same person. The number of a row changes when rows are added or sorted. If all these people really have new emails, set 'Max Close (%)' to ${percentFor(moved.length, known)} for one run.`,
	);
}

function hasNewEmail({ write, subscriber = NO_SUBSCRIBER }: AccessDecision): boolean {
	return 'email' in write && subscriber.email !== '';
}

function isKnownById({ member, subscriber = NO_SUBSCRIBER }: Person): boolean {
	return member?.customerIds.includes(subscriber.customerId) === true;
}
