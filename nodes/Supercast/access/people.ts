/** Who is on the list: which of its records are of the same person. */

import { groupBy } from '../subscriber/customerId';
import type { DesiredMember, Person } from './person';
import { byStrength, type RecordAccess } from './records';

/** A person who has records on the list. They get the strongest access of all of them. */
export type ListedPerson = Person & { member: DesiredMember };

/** People by each of their names. */
export type ByName = Map<string, ListedPerson>;

/**
 * Finds out which records are of the same person, and what access each person gets. Records that
 * share an email or a customer ID are one person. If open records with different emails share a
 * customer ID, it is unclear who they are. Other records never make that unclear: they only add to
 * the names by which a person is known.
 * @param rows Each has an email or a customer ID.
 */
export function peopleByName(rows: readonly DesiredMember[]): ByName {
	const byName: ByName = new Map();
	const open = rows.filter(givesAccess);
	// Rows without an email come last, because an earlier row may have the same customer ID.
	const [named, nameless] = [
		open.filter(isNamedByEmail),
		open.filter((row) => !isNamedByEmail(row)),
	];
	[...named, ...nameless].forEach((row) => addOpenRow(byName, row));
	const others = byStrength(rows).filter((row) => !givesAccess(row));
	const rowsByName = new Map<string, DesiredMember[]>();
	for (const row of others) {
		for (const name of namesOf(row)) groupBy([row], () => name, rowsByName);
	}
	const rest: OtherRows = { byName, rowsByName, left: new Set(others) };
	for (const person of new Set(byName.values())) {
		addOtherRows(rest, person, namesOf(person.member));
	}
	for (const row of others) {
		if (!rest.left.has(row)) continue;
		const person = personOfRow(row);
		for (const name of namesOf(row)) byName.set(name, person);
		addOtherRows(rest, person, namesOf(row));
	}
	return byName;
}

function givesAccess({ access }: { access: RecordAccess }): boolean {
	return access === 'open';
}

function isNamedByEmail({ email }: DesiredMember): boolean {
	return email !== '';
}

function namesOf({ email, emailKey, customerIds }: DesiredMember): string[] {
	const ids = customerIds.map((id) => `id ${id}`);
	return email === '' ? ids : [`email ${emailKey}`, ...ids];
}

function personOfRow(row: DesiredMember): ListedPerson {
	const none = { items: [], customerIds: [], otherIds: new Set<string>(), statuses: [] };
	return { member: { ...row, ...none }, others: [] };
}

/** If a field has different values, the last one counts. */
function addOpenRow(byName: ByName, row: DesiredMember): void {
	const names = namesOf(row);
	const [known] = names.map((name) => byName.get(name));
	const person = known ?? personOfRow(row);
	const { member } = person;
	member.items.push(...row.items);
	member.customerIds = [...new Set([...member.customerIds, ...row.customerIds])];
	member.statuses = [...new Set([...member.statuses, ...row.statuses])];
	member.fields = { ...member.fields, ...row.fields };
	for (const name of names) {
		const holder = byName.get(name) ?? person;
		byName.set(name, holder);
		if (holder !== person) holder.conflict = person.conflict = 'severalEmails';
	}
}

/** One person may have thousands of records that have ended. */
function addOtherRow(member: DesiredMember, row: DesiredMember): void {
	const isSame = row.access === member.access;
	for (const id of row.customerIds) {
		if (isSame && !member.otherIds.has(id)) member.customerIds.push(id);
		member.otherIds.add(id);
	}
	if (!isSame) return;
	member.items.push(...row.items);
	const isNew = (status: string): boolean => !member.statuses.includes(status);
	member.statuses = [...member.statuses, ...row.statuses.filter(isNew)];
}

/** The records that are not open, and those of them that are of nobody yet. */
interface OtherRows {
	byName: ByName;
	rowsByName: ReadonlyMap<string, DesiredMember[]>;
	left: Set<DesiredMember>;
}

/** Adds the records that have one of these names to a person, and then those that share one with them. */
function addOtherRows(
	{ byName, rowsByName, left }: OtherRows,
	person: ListedPerson,
	names: string[],
): void {
	const { member } = person;
	// The loop goes on with the names that it adds.
	for (const known of names) {
		for (const row of rowsByName.get(known) ?? []) {
			if (!left.delete(row)) continue;
			addOtherRow(member, row);
			const added = namesOf(row).filter((one) => !byName.has(one));
			for (const one of added) byName.set(one, person);
			names.push(...added);
			// Only an open record may give someone a new email.
			if (givesAccess(member) || isNamedByEmail(member)) continue;
			member.email = row.email;
			member.emailKey = row.emailKey;
		}
	}
}
