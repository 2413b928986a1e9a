/** The customer IDs of a list, and their prefix, which say whose feeds a Sync may close. */

import { InputError } from '../../api/errors/errors';
import { textOf } from '../../api/json';
import type { MemberRecord } from '../record';
import type { SyncSettings } from '../settings';

/** The beginning of a customer ID that names a membership system, such as `cus_` or `patreon-`. */
const SYSTEM = /^[a-z][a-z0-9]*[_:.-]+/i;

/** More beginnings than this are rather those of names. */
const MOST_SYSTEMS = 3;

/** @throws InputError if a prefix is needed and there is none. It says what the list's IDs begin with. */
export function refuseMissingPrefix(
	{ close, prefixes }: SyncSettings,
	customerIds: () => readonly unknown[],
): void {
	if (close !== 'prefix' || prefixes.length > 0) return;
	const ids = customerIds().map((id) => textOf(id).trim());
	throw new InputError(
		"'Customer ID Prefix' is empty",
		prefixAdvice(ids.filter((id) => id !== '')),
	);
}

/** @throws InputError if Sync closes by customer ID, and no record has one. A field may have a new name. */
export function refuseListWithoutIds(
	{ ownPrefix }: SyncSettings,
	{ records, invalid }: { records: readonly MemberRecord[]; invalid: readonly unknown[] },
): void {
	// Then the errors of the items say more.
	if (invalid.length >= records.length) return;
	const opens = records.some(({ access }) => access === 'open');
	if (ownPrefix === undefined || !opens || records.some(({ customerId }) => customerId !== ''))
		return;
	throw new InputError(
		"'Customer ID' is empty in all records",
		"Choose the field again in 'Customer ID'. It may have a new name. If your list has no IDs, choose the field with the emails, and leave the prefix in front.",
	);
}

const IF_NONE = "If your list has no IDs, choose another value in 'Close Feeds of'.";

function prefixAdvice(ids: readonly string[]): string {
	const [first] = ids;
	if (first === undefined) {
		return `No item has a customer ID. Choose the field with the ID in 'Customer ID'. ${IF_NONE}`;
	}
	const found = beginningsOf(ids);
	if (found === undefined) {
		return `The customer IDs on the list have no common beginning, for example "${first}". Put one in front of them in 'Customer ID', such as shop-{{ $json.id }}, and enter it here: shop-`;
	}
	return `The customer IDs on the list begin with ${found.map((one) => `"${one}"`).join(' and ')}. Enter this: ${found.join(', ')}`;
}

/** What the IDs begin with. Undefined if some begin with no name of a system, or with too many. */
function beginningsOf(ids: readonly string[]): string[] | undefined {
	const all = new Set(ids.map((id) => SYSTEM.exec(id)?.[0] ?? ''));
	return all.has('') || all.size > MOST_SYSTEMS ? undefined : [...all];
}
