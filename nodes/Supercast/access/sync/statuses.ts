/** Who counts: how many people have which status, and what their access is. */

import { peopleWithRecords, type DesiredMember, type Person } from '../match';
import { byStrength, type RecordAccess } from '../records';

export interface StatusCount {
	/** The membership system's own word. Empty if the records have none. */
	status: string;
	access: RecordAccess;
	people: number;
}

/** The membership system's own words for the records that count, as one text. */
export function statusOf({ statuses }: Pick<DesiredMember, 'statuses'>): string {
	return statuses.join(', ');
}

/** The strongest access comes first, and then the most frequent status. */
export function statusesOf(people: readonly Person[]): StatusCount[] {
	const counts = new Map<string, StatusCount>();
	for (const member of peopleWithRecords(people)) {
		const { access } = member;
		const status = statusOf(member);
		const key = `${access} ${status}`;
		const known = counts.get(key) ?? { status, access, people: 0 };
		counts.set(key, { ...known, people: known.people + 1 });
	}
	return byStrength([...counts.values()].sort((one, other) => other.people - one.people));
}
