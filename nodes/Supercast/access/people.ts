/** Who is who: which records are of one person, and which subscribers are theirs. */

import { forEach, mapEach, type Steps } from '../operations/steps';
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
export function* match(
	records: readonly MemberRecord[],
	subscribers: readonly CurrentSubscriber[],
): Steps<Matched> {
	const [live, ended] = [new Groups(), new Groups()];
	yield* forEach(records, (one) => (one.access === 'close' ? ended : live).add(one));
	yield* forEach(live.all(), noteSeveralEmails);
	const others: CurrentSubscriber[] = [];
	yield* forEach(subscribers, (one) => {
		if (!live.addSubscriber(one)) others.push(one);
	});
	const people = yield* mapEach(live.all(), personFrom);
	const unlisted = yield* mapEach(others, (subscriber): Unlisted => {
		return { subscriber, ended: ended.recordsOf(subscriber) };
	});
	return { people, unlisted };
}

/** The person whom one record names, whatever access it gives. */
export function personWith(record: MemberRecord, subscribers: CurrentSubscriber[]): Person {
	const group = new RecordGroup(record);
	group.subscribers = subscribers;
	return personFrom(group);
}

/** Records that are of one person, as far as is known. */
class RecordGroup {
	records: MemberRecord[];
	subscribers: CurrentSubscriber[] = [];

	/** Whether records that share a name have different emails. */
	hasSeveralEmails = false;

	/** The group that has taken this one up. */
	takenBy: RecordGroup | undefined;

	constructor(record: MemberRecord) {
		this.records = [record];
	}

	get emailKeys(): Set<string> {
		return new Set(this.records.map(({ emailKey }) => emailKey).filter((key) => key !== ''));
	}
}

/** Afterwards, only subscribers connect records. */
function noteSeveralEmails(group: RecordGroup): void {
	group.hasSeveralEmails = group.emailKeys.size > 1;
}

type Names = Pick<RecordNames, 'customerId' | 'emailKey'>;

/** People by each of their names. */
class Groups {
	private readonly byId = new Map<string, RecordGroup>();
	private readonly byEmail = new Map<string, RecordGroup>();
	private readonly made: RecordGroup[] = [];

	add(record: MemberRecord): void {
		const known = this.joined(record);
		known?.records.push(record);
		const group = known ?? this.newGroup(record);
		if (record.customerId !== '') this.byId.set(record.customerId, group);
		if (record.emailKey !== '') this.byEmail.set(record.emailKey, group);
	}

	/** Returns whether the subscriber has the customer ID or the email of someone. */
	addSubscriber(subscriber: CurrentSubscriber): boolean {
		const group = this.joined(subscriber);
		if (group === undefined) return false;
		// An array that grows has room for 16 more, and nearly everyone has one subscriber.
		if (group.subscribers.length === 0) group.subscribers = [subscriber];
		else group.subscribers.push(subscriber);
		return true;
	}

	/** The records that have the customer ID or the email of the subscriber. */
	recordsOf(subscriber: CurrentSubscriber): readonly MemberRecord[] {
		return [...new Set(this.find(subscriber))].flatMap((group) => group?.records ?? []);
	}

	/** In the order of the list. */
	all(): Iterable<RecordGroup> {
		return new Set(this.made.map(present));
	}

	private newGroup(record: MemberRecord): RecordGroup {
		const group = new RecordGroup(record);
		this.made.push(group);
		return group;
	}

	/** Who has the customer ID, and who has the email. */
	private find({ customerId, emailKey }: Names): [RecordGroup?, RecordGroup?] {
		const [byId, byEmail] = [this.byId.get(customerId), this.byEmail.get(emailKey)];
		return [byId && present(byId), byEmail && present(byEmail)];
	}

	/** The group of these names. If they have several, the larger one takes up the other. */
	private joined(names: Names): RecordGroup | undefined {
		const [one, other] = this.find(names);
		if (one === undefined || other === undefined || one === other) return one ?? other;
		const [large, small] = other.records.length > one.records.length ? [other, one] : [one, other];
		takeUp(large, small);
		return large;
	}
}

/** The group that a group is part of by now. */
function present(group: RecordGroup): RecordGroup {
	let now = group;
	while (now.takenBy !== undefined) now = now.takenBy;
	return now;
}

function takeUp(group: RecordGroup, other: RecordGroup): void {
	group.records.push(...other.records);
	group.subscribers.push(...other.subscribers);
	group.hasSeveralEmails ||= other.hasSeveralEmails;
	Object.assign(other, { takenBy: group, records: [], subscribers: [] });
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
