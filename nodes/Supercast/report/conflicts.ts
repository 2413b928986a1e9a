/** What a conflict is about, and what ends it: done as told, the next run has none for the person. */

import { match, type Person } from '../access/people';
import type { CurrentSubscriber } from '../access/subscribers';
import { groupBy } from '../operations/groupBy';
import { finish } from '../operations/steps';
import { joinNames, nameOfSubscriber, shownWord } from './names';

/** One thing that a person does about a conflict. */
export type Cure =
	/** In the membership system, for all records of a person. */
	| { kind: 'oneEmail'; emails: readonly string[]; email: string }
	/** In Supercast, for a subscriber who has the customer ID of one person and the email of another. */
	| { kind: 'email'; subscriber: CurrentSubscriber; email: string }
	| { kind: 'customerId'; subscriber: CurrentSubscriber; owner: string; customerId: string }
	/** In Supercast: all but one of these. */
	| { kind: 'delete'; subscribers: readonly CurrentSubscriber[] };

/** Those who are one person by the list alone, and who they are once the list has one email. */
interface Owner {
	ids: readonly string[];
	emails: readonly string[];
	email: string;
	emailKey: string;
}

/** Everything that there is to do about a conflict of this person. */
export function curesOf({ records, subscribers }: Person): Cure[] {
	// In Set Access, the record may be one that ends the access.
	const live = records.map((one) => ({ ...one, access: 'keep' as const }));
	const owners = finish(match(live, [])).people.map((one) => ownerOf(one, subscribers));
	const several = owners.filter(({ emails }) => emails.length > 1);
	const settled = settle(subscribers, owners);
	return [
		...several.map(({ emails, email }): Cure => ({ kind: 'oneEmail', emails, email })),
		...settled.cures,
		...[...settled.held.values()]
			.filter((all) => all.length > 1)
			.map((all): Cure => ({ kind: 'delete', subscribers: all })),
	];
}

function ownerOf(
	{ records, customerIds }: Person,
	subscribers: readonly CurrentSubscriber[],
): Owner {
	const emails = new Map(records.map((one) => [one.emailKey, one.email]));
	emails.delete('');
	// The email that Supercast has needs no change there.
	const keys = [...emails.keys()];
	const held = [...subscribers].sort((one, other) => Number(other.isOpen) - Number(one.isOpen));
	const known = held.map((one) => one.emailKey).find((key) => emails.has(key));
	const emailKey = known ?? keys[0] ?? '';
	const email = emails.get(emailKey) ?? '';
	return { ids: customerIds, emails: [...emails.values()], email, emailKey };
}

/** Gives each subscriber to one owner. */
function settle(
	subscribers: readonly CurrentSubscriber[],
	owners: readonly Owner[],
): { cures: Cure[]; held: Map<Owner | undefined, CurrentSubscriber[]> } {
	const find = finderOf(subscribers, owners);
	const emailsInUse = new Set(subscribers.map(({ emailKey }) => emailKey));
	const cures: Cure[] = [];
	const held = groupBy(subscribers, (subscriber) => {
		const { owner, other } = find(subscriber);
		if (owner === undefined || other === undefined || owner === other) return owner ?? other;
		const isFree = !emailsInUse.has(owner.emailKey);
		emailsInUse.add(owner.emailKey);
		const [customerId = ''] = other.ids;
		cures.push(
			isFree
				? { kind: 'email', subscriber, email: owner.email }
				: { kind: 'customerId', subscriber, owner: owner.email, customerId },
		);
		return isFree ? owner : other;
	});
	return { cures, held };
}

/** Finds who has the customer ID of a subscriber, and who has the email. */
function finderOf(
	subscribers: readonly CurrentSubscriber[],
	owners: readonly Owner[],
): (one: CurrentSubscriber) => { owner?: Owner; other?: Owner } {
	const byId = new Map(owners.flatMap((one) => one.ids.map((id) => [id, one] as const)));
	const byEmail = new Map(owners.map((one) => [one.emailKey, one]));
	byEmail.delete('');
	// Records without an email are of the first person whose email a subscriber with their ID has.
	for (const { customerId, emailKey } of subscribers) {
		const [owner, other] = [byId.get(customerId), byEmail.get(emailKey)];
		if (owner?.email === '' && other !== undefined) {
			for (const id of owner.ids) byId.set(id, other);
		}
	}
	return ({ customerId, emailKey }) => ({
		owner: byId.get(customerId),
		other: byEmail.get(emailKey),
	});
}

/** What a conflict is about, as the end of a sentence, and what to do about it, in sentences. */
export function conflictTexts(person: Person): { what: string; cure: string } {
	const cures = curesOf(person).map((one) => CURE_TEXTS[one.kind](one as never));
	return {
		what: [...new Set(cures.map(([what]) => what))].join(', and '),
		cure: cures.map(([, cure]) => cure).join(' '),
	};
}

type CureTexts = { [Kind in Cure['kind']]: (cure: Cure & { kind: Kind }) => [string, string] };

const MOST_IN_CONFLICT = 5;

const CURE_TEXTS: CureTexts = {
	oneEmail: ({ emails, email }) => [
		`the list has several emails for this person: ${joinNames(emails.map(shownWord), MOST_IN_CONFLICT)}`,
		`In your membership system, give all records of this person the email ${shownWord(email)}.`,
	],
	email: ({ subscriber, email }) => [
		`the subscriber ${nameOfSubscriber(subscriber)} has the customer ID of ${shownWord(email)}, and the email of another person on the list`,
		`In Supercast, change the email of this subscriber to ${shownWord(email)}.`,
	],
	customerId: ({ subscriber, owner, customerId }) => [
		`the subscriber ${nameOfSubscriber(subscriber)} has the customer ID of ${shownWord(owner)}, who has another subscriber`,
		customerId === ''
			? `In Supercast, remove the customer ID of ${shownWord(subscriber.email)}.`
			: `In Supercast, change the customer ID of ${shownWord(subscriber.email)} to ${shownWord(customerId)}.`,
	],
	delete: ({ subscribers }) => [
		`Supercast has ${subscribers.length} subscribers for this person: ${joinNames(subscribers.map(nameOfSubscriber), MOST_IN_CONFLICT)}`,
		subscribers.length === 2
			? 'In Supercast, delete the one that this person does not use.'
			: 'In Supercast, keep the one that this person uses, and delete the others.',
	],
};
