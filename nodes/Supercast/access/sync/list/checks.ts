/** What Sync refuses about the list of members as a whole. Each check throws InputError. */

import { InputError } from '../../../api/errors/errors';
import { groupBy } from '../../../subscriber/customerId';
import type { DesiredMember } from '../../match';
import { hasPrefix } from '../../settings';
import { mayBeMissingId, missingId, refuseMissingId } from '../../../subscriber/missingId';

/** Fewer rows, conflicts or changes than this don't show that an expression is wrong. */
export const FEW = 3;

/** So many rows of one person without an email are rather an expression that reads one item only. */
const MANY = 5;

/** Refuses customer IDs that begin with none of the prefixes, or have nothing after it. */
export function refuseOtherPrefixes(
	members: readonly DesiredMember[],
	prefixes: readonly string[],
): void {
	if (prefixes.length === 0) return;
	const ids = members.flatMap(({ customerIds }) => customerIds);
	const others = ids.filter((id) => !hasPrefix(id, prefixes));
	if (others.length > 0) {
		const expected = prefixes.map((prefix) => `"${prefix}"`).join(' or ');
		throw new InputError(
			`${others.length} of ${ids.length} customer IDs on the list do not begin with ${expected}, for example "${others[0]}"`,
			"Put the prefix in front of every ID in the node before Sync, or correct 'Customer ID Prefix'.",
		);
	}
	for (const id of ids) refuseMissingId(id, prefixes);
}

/** Refuses a list whose emails come from an expression that reads one item only. */
export function refuseOneEmail(members: readonly DesiredMember[]): void {
	for (const [email, rows] of groupBy(members, (one) => one.emailKey)) {
		const { size } = new Set(rows.map(({ customerIds, items }) => customerIds[0] ?? items[0]));
		if (size < FEW || size <= members.length / 2) continue;
		throw new InputError(
			`Most items name the same member: ${size} of ${members.length} have the email "${email}"`,
			"Check 'Email'. It must be an expression that reads the email of each item.",
		);
	}
}

/**
 * Refuses a list on which several people share a customer ID that may be the text of a missing value,
 * or most rows have the same one. Without an email, each row may be someone else.
 */
export function refuseSharedIds(members: readonly DesiredMember[]): void {
	for (const [id, rows] of groupBy(members, ({ customerIds }) => customerIds[0])) {
		const nameless = rows.filter(({ emailKey }) => emailKey === '');
		const emails = new Set(rows.map(({ emailKey }) => emailKey).filter((key) => key !== ''));
		const sharing = emails.size + nameless.length;
		if (sharing > 1 && mayBeMissingId(id)) throw missingId(id, `, and ${sharing} people have it`);
		if (nameless.length < MANY || nameless.length <= members.length / 2) continue;
		throw new InputError(
			`Most items name the same member: ${nameless.length} of ${members.length} have the customer ID "${id}" and no email`,
			"Check 'Customer ID'. It must be an expression that reads the ID of each item.",
		);
	}
}
