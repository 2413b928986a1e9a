/** Who is who: which records are of one person, and which subscribers are theirs. */

import { idsOf, type MemberRecord, type RecordNames } from './record';
import type { CurrentSubscriber } from './subscribers';

/**
 * Why it is unclear who a person is. Nothing changes for them and their subscribers.
 *
 * - `severalEmails`: records with one customer ID have different emails.
 * - `emailOfAnother`: a subscriber has the customer ID of one person, and the email of another one.
 * - `severalSubscribers`: two subscribers have the customer ID or the email of the person.
 */
export type Conflict = 'emailOfAnother' | 'severalEmails' | 'severalSubscribers';

/** Someone with a record that gives access, keeps it, or is unclear. */
export interface Person {
	/** In the order of the list. */
	records: readonly MemberRecord[];
	/** Open if one of the records is, otherwise keep. */
	access: 'keep' | 'open';
	/** The first one on the list. Empty if no record has one. */
	email: string;
	emailKey: string;
	/** Those of open records come first. Several if the person has subscribed again. */
	customerIds: readonly string[];
	/** Several only in a conflict. */
	subscribers: readonly CurrentSubscriber[];
	conflict?: Conflict;
}

/** A subscriber who is nobody's on the list, with their records that give no access. */
export interface Unlisted {
	subscriber: CurrentSubscriber;
	ended: readonly MemberRecord[];
}

export interface Matched {
	people: readonly Person[];
	unlisted: readonly Unlisted[];
}

/**
 * Finds out who is who. Records are of one person if they have the same customer ID, the same email,
 * or the same subscriber. Records that give no access only say why someone is not a member.
 */
export function match(
	records: readonly MemberRecord[],
	subscribers: readonly CurrentSubscriber[],
): Matched {
	const [live, ended] = [new Groups(), new Groups()];
	for (const record of records) (record.access === 'close' ? ended : live).add(record);
	live.noteSeveralEmails();
	const unlisted = subscribers.filter((one) => !live.addSubscriber(one));
	return {
		people: live.all().map(personFrom),
		unlisted: unlisted.map((subscriber) => ({ subscriber, ended: ended.recordsOf(subscriber) })),
	};
}

/** The person whom one record names, whatever access it gives. */
export function personWith(record: MemberRecord, subscribers: CurrentSubscriber[]): Person {
	const group = new RecordGroup();
	group.records.push(record);
	group.subscribers.push(...subscribers);
	return personFrom(group);
}

/** Records that are of one person, as far as is known. */
class RecordGroup {
	records: MemberRecord[] = [];
	subscribers: CurrentSubscriber[] = [];

	/** Whether records that share a name have different emails. */
	hasSeveralEmails = false;

	/** The group that has taken this one up. */
	takenBy: RecordGroup | undefined;

	get emailKeys(): Set<string> {
		return new Set(this.records.map(({ emailKey }) => emailKey).filter((key) => key !== ''));
	}
}

/** People by each of their names. */
class Groups {
	private readonly byName = new Map<string, RecordGroup>();

	add(record: MemberRecord): void {
		const group = this.joined(keysOfRecord(record)) ?? new RecordGroup();
		group.records.push(record);
		for (const name of keysOfRecord(record)) this.byName.set(name, group);
	}

	/** Afterwards, only subscribers connect records. */
	noteSeveralEmails(): void {
		for (const group of this.all()) group.hasSeveralEmails = group.emailKeys.size > 1;
	}

	/** Returns whether the subscriber has the customer ID or the email of someone. */
	addSubscriber(subscriber: CurrentSubscriber): boolean {
		const group = this.joined(keysOfRecord(subscriber));
		group?.subscribers.push(subscriber);
		return group !== undefined;
	}

	/** The records that have the customer ID or the email of the subscriber. */
	recordsOf(subscriber: CurrentSubscriber): readonly MemberRecord[] {
		const found = keysOfRecord(subscriber).flatMap((name) => this.find(name) ?? []);
		return [...new Set(found)].flatMap(({ records }) => records);
	}

	/** In the order of the list. */
	all(): RecordGroup[] {
		return [...new Set([...this.byName.keys()].flatMap((name) => this.find(name) ?? []))];
	}

	private find(name: string): RecordGroup | undefined {
		let group = this.byName.get(name);
		while (group?.takenBy !== undefined) group = group.takenBy;
		if (group !== undefined) this.byName.set(name, group);
		return group;
	}

	/** The group of these names. If they have several, one takes up the others. */
	private joined(names: readonly string[]): RecordGroup | undefined {
		const groups = names.flatMap((name) => this.find(name) ?? []);
		// The largest one grows, so that few records move.
		const [first, ...others] = groups.sort((a, b) => b.records.length - a.records.length);
		for (const other of others) if (first !== undefined && other !== first) takeUp(first, other);
		return first;
	}
}

function takeUp(group: RecordGroup, other: RecordGroup): void {
	group.records.push(...other.records);
	group.subscribers.push(...other.subscribers);
	group.hasSeveralEmails ||= other.hasSeveralEmails;
	Object.assign(other, { takenBy: group, records: [], subscribers: [] });
}

function keysOfRecord({
	emailKey,
	customerId,
}: Pick<RecordNames, 'customerId' | 'emailKey'>): string[] {
	return [
		...(customerId === '' ? [] : [`id ${customerId}`]),
		...(emailKey === '' ? [] : [`email ${emailKey}`]),
	];
}

function personFrom(group: RecordGroup): Person {
	const records = group.records.sort((one, other) => one.item - other.item);
	const [{ email, emailKey } = { email: '', emailKey: '' }] = records.filter(
		(one) => one.email !== '',
	);
	const open = records.filter(({ access }) => access === 'open');
	return {
		records,
		access: open.length > 0 ? 'open' : 'keep',
		email,
		emailKey,
		customerIds: [...new Set([...open, ...records].flatMap(idsOf))],
		subscribers: group.subscribers,
		conflict: conflictOf(group),
	};
}

function conflictOf(group: RecordGroup): Conflict | undefined {
	if (group.hasSeveralEmails) return 'severalEmails';
	if (group.emailKeys.size > 1) return 'emailOfAnother';
	return group.subscribers.length > 1 ? 'severalSubscribers' : undefined;
}
