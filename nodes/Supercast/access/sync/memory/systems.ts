/** Which membership systems earlier lists had, by the beginnings of their customer IDs. */

import { groupBy } from '../../../subscriber/customerId';
import type { SyncSettings } from '../../settings';
import type { ListOfMembers } from '../list/members';
import type { SubscriberSnapshot } from '../list/snapshot';
import type { ListMemory } from './absences';

/** With more beginnings than this, they are no systems: each ID may begin differently. */
const MOST_SYSTEMS = 5;

/** The beginning of a customer ID that may name a membership system, such as `cus_`. */
export function systemOf(customerId: string): string | undefined {
	return /^[a-z]+[_-]/i.exec(customerId)?.[0].toLowerCase();
}

/** The systems that a list has. Empty if the beginnings of its IDs name no systems. */
function systemsIn(listed: readonly string[]): string[] {
	const systems = [...groupBy(listed, systemOf).keys()];
	return systems.length > MOST_SYSTEMS ? [] : systems;
}

/**
 * The systems that earlier lists had and this one does not, although their members have open feeds.
 * One or two members of a system may have left, or reading that system has failed.
 */
export function vanishedSystems(
	before: readonly string[],
	listed: readonly string[],
	open: readonly string[],
): string[] {
	const now = new Set(listed.map(systemOf));
	const withFeeds = new Set(open.map(systemOf));
	return before.filter((system) => !now.has(system) && withFeeds.has(system));
}

/** The systems to remember: those of this list, and those that have vanished and have open feeds. */
export function laterSystems(
	before: readonly string[],
	listed: readonly string[],
	open: readonly string[],
): string[] {
	return [...new Set([...systemsIn(listed), ...vanishedSystems(before, listed, open)])];
}

/** The systems that earlier lists had. With 'Customer ID Prefix', the settings name them. */
export function vanishedIn(
	list: ListOfMembers,
	snapshot: SubscriberSnapshot,
	{ systems = [] }: ListMemory,
	{ customerIdPrefix }: SyncSettings,
): string[] {
	if (customerIdPrefix.length > 0) return [];
	return vanishedSystems(systems, idsOn(list), openIds(snapshot));
}

/** The customer IDs of the members on a list. */
export function idsOn({ members }: ListOfMembers): string[] {
	return members.flatMap(({ customerIds }) => customerIds);
}

/** The customer IDs of the subscribers whose feeds are open. */
export function openIds({ list }: SubscriberSnapshot): string[] {
	const open = list.taken.filter(({ isOpen }) => isOpen);
	return open.map(({ customerId }) => customerId);
}
