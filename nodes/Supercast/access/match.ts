import type { IDataObject } from 'n8n-workflow';

import { identifierKey, type PersonIdentifiers } from '../api/identity';
import { asRecord, textOf, timeOf } from '../api/json';
import { hasOpenSubscription, shownState } from '../api/states';
import { isDeactivated, isOpenState } from '../subscriber/states';
import { groupBy } from '../subscriber/customerId';
import { peopleByName, type ListedPerson } from './people';
import { NOBODY, type CurrentSubscriber, type DesiredMember, type Person } from './person';

export { NOBODY };
export type { CurrentSubscriber, DesiredMember, Person };

/**
 * Finds out who is who. Rows with the same email are one person. A subscriber whose customer ID is
 * on the list is the person with that ID, because emails change hands. Other subscribers are
 * recognized by email.
 * @param rows Each has an email or a customer ID.
 * @returns Everyone who has a record that has not ended, in the order of the list. Then the other
 * subscribers, and then those of whom only ended records are left and whom Supercast does not have.
 */
export function match(
	rows: readonly DesiredMember[],
	subscribers: readonly CurrentSubscriber[],
): Person[] {
	const byName = peopleByName(rows);
	const onList = [...new Set(byName.values())];
	const personOf = ({ customerId, emailKey }: CurrentSubscriber): ListedPerson | undefined => {
		const known = [byName.get(`id ${customerId}`), byName.get(`email ${emailKey}`)];
		const [first] = known.filter((one) => one !== undefined);
		// An email on the list is never closed, whatever its customer ID.
		return known.find((one) => one !== undefined && !hasEnded(one)) ?? first;
	};
	const isAmbiguous = ambiguity(subscribers, personOf);
	const unlisted: Person[] = [];
	const ended = new Set(onList.filter(hasEnded).map(({ member }) => member));
	subscribers.forEach((subscriber) => {
		const person = personOf(subscriber);
		if (person !== undefined && !hasEnded(person)) {
			person.others.push(subscriber);
			return;
		}
		const conflict = isAmbiguous(subscriber) ? 'severalSubscribers' : undefined;
		unlisted.push({ subscriber, ended: person?.member, others: [], conflict });
		if (person !== undefined) ended.delete(person.member);
	});
	const people = onList.filter((one) => !hasEnded(one));
	people.forEach(chooseSubscriber);
	return [...people, ...unlisted, ...[...ended].map((one) => ({ ended: one, others: [] }))];
}

function hasEnded({ member }: ListedPerson): boolean {
	return member.access === 'close';
}

/** Everyone of whom the membership system has a record, each once. */
export function peopleWithRecords(people: readonly Person[]): Set<DesiredMember> {
	return new Set(people.flatMap(({ member, ended }) => member ?? ended ?? []));
}

/**
 * Returns a function that checks whether another subscriber has the same email or customer ID.
 * Deactivated subscribers, whose feeds are closed, count only if the list may reopen them with this
 * ID.
 */
function ambiguity(
	subscribers: readonly CurrentSubscriber[],
	personOf: (subscriber: CurrentSubscriber) => ListedPerson | undefined,
): (subscriber: CurrentSubscriber) => boolean {
	const mayKeepId = (one: CurrentSubscriber): boolean => {
		const member = personOf(one)?.member;
		return member?.access === 'open' && member.customerIds.length === 0;
	};
	const counts = (one: CurrentSubscriber): boolean => !isFullyClosed(one) || mayKeepId(one);
	const open = subscribers.filter(counts);
	const byEmail = groupBy(open, ({ emailKey }) => emailKey);
	const byId = groupBy(open, ({ customerId }) => customerId);
	return ({ emailKey, customerId }) =>
		[byEmail.get(emailKey), byId.get(customerId)].some((found = []) => found.length > 1);
}

/** Of several records, chooses the one that has the person's email on the list. */
function chooseSubscriber(person: ListedPerson): void {
	const { member, others } = person;
	if (others.length < 2) {
		person.subscriber = others.pop();
		return;
	}
	const { access, emailKey } = member;
	const named = others.filter((one) => emailKey !== '' && one.emailKey === emailKey);
	if (named.length !== 1 && access === 'open') person.conflict ??= 'severalSubscribers';
	[person.subscriber, ...person.others] = new Set([...named, ...others]);
}

/** What the rules know about someone whom Supercast does not have. */
export const NO_SUBSCRIBER = currentSubscriber({});

/** The names by which others may know a subscriber. */
export function namesOfSubscriber({
	uuid,
	email,
	customerId,
}: CurrentSubscriber): PersonIdentifiers {
	return { uuid, email, customerIds: [customerId] };
}

/** Reads what the rules need to know (Supercast API reference, the subscriber object). */
export function currentSubscriber(record: IDataObject): CurrentSubscriber {
	const billed = [record, record.subscriptions as unknown].flat().map(asRecord);
	const email = textOf(record.email).trim();
	return {
		uuid: textOf(record.uuid),
		email,
		emailKey: identifierKey(email),
		customerId: textOf(record.customer_id).trim().normalize('NFC'),
		state: shownState(record.state),
		isOpen: isOpenState(shownState(record.state)) || hasOpenSubscription(record),
		hasPlan: billed.some((one) => `${textOf(one.plan_id)}${textOf(one.plan_name)}` !== ''),
		updatedAt: textOf(record.updated_at),
		createdTime: timeOf(record.created_at),
		updatedTime: timeOf(record.updated_at),
		fields: record,
	};
}

/** Whether nothing is left to close: neither the record nor one of its subscriptions is open. */
export function isFullyClosed({ state, isOpen }: CurrentSubscriber): boolean {
	return isDeactivated(state) && !isOpen;
}

/** A record that was read alone, with the fields that only the list shows. */
export function completed(
	{ fields }: CurrentSubscriber,
	listed: CurrentSubscriber = NO_SUBSCRIBER,
): CurrentSubscriber {
	return currentSubscriber({ ...listed.fields, ...fields });
}

/** Whether two records may show the same time of the last change, in whichever form. */
export function isSameMoment(one: CurrentSubscriber, other: CurrentSubscriber): boolean {
	if (one.updatedAt === other.updatedAt) return true;
	const apart = Math.abs(one.updatedTime - other.updatedTime);
	if (!Number.isNaN(apart)) return apart < 1_000;
	// One of them is unknown, or in a form that cannot be read.
	return !(Number.isNaN(one.updatedTime) && Number.isNaN(other.updatedTime));
}
