/** Why a record is unclear, and what to do about it: one row for each cause. */

import type { Ground } from '../access/judge/judge';
import { unclearIn } from '../access/rules';
import type { Person } from '../access/people';
import type { MemberRecord } from '../access/record';
import { feedNow, joinNames, nameOfPerson, people, shownWord } from './names';

/** What is known of all records of a list. */
export interface OtherRecords {
	/** Whether a record has a status, and whether one has a product. */
	hasStatuses: boolean;
	hasProducts: boolean;
}

interface Cause {
	/** What is wrong, after a name. */
	what: string;
	/** What to do, in sentences. */
	advice: string;
}

const WORDS = "'Open For', 'Keep For' or 'Close For'";
const PRODUCTS = "'Products That Count' or 'Other Products'";

type Causes = {
	[Kind in Ground['kind']]?: (ground: Ground & { kind: Kind }, others?: OtherRecords) => Cause;
};

/** A field that may have another name since. */
function lostField(label: string, others: OtherRecords | undefined): Cause {
	return {
		what: `'${label}' is empty${others === undefined ? '' : ' in all records'}`,
		advice: `Choose the field again in '${label}'. It may have a new name.`,
	};
}

const CAUSES: Causes = {
	notAccess: ({ text }) => ({
		what: text === '' ? "'Access' is empty" : `'Access' is "${shownWord(text)}"`,
		advice: "Correct 'Access', so that it gives open, keep, close or byStatus.",
	}),
	unknownStatus: ({ text }) => ({
		what: `the status "${shownWord(text)}" is in no list`,
		advice: `Decide what it means, and enter ${shownWord(text)} in ${WORDS}.`,
	}),
	noStatus: (_, others) =>
		others?.hasStatuses === true
			? {
					what: 'the record has no status',
					advice: `Decide what that means, and enter (empty) in ${WORDS}.`,
				}
			: // The word (empty) decides nothing then.
				lostField('Status', others),
	unknownProduct: ({ product }) => ({
		what: `the product "${shownWord(product)}" is in no list`,
		advice: `Decide whether it gives access, and enter ${shownWord(product)} in ${PRODUCTS}.`,
	}),
	unnamedProduct: ({ product }) => ({
		what: `the product "${shownWord(product)}" has no name, and its ID is in no list`,
		advice: `Check the step that reads the names of products, or enter ${shownWord(product)} in ${PRODUCTS}.`,
	}),
	noProduct: (_, others) =>
		others?.hasProducts === true
			? {
					what: 'the record has no product',
					advice: `Decide whether it gives access, and enter (empty) in ${PRODUCTS}.`,
				}
			: lostField('Product', others),
	unreadableDay: ({ text }) => ({
		what: `'Access Until' is "${shownWord(text)}", which is not a day`,
		advice: "Change 'Access Until', so that it gives days such as 2026-01-31.",
	}),
};

/** Why a record is unclear. @param others Undefined if it is alone. */
export function causeOf({ ground }: Pick<MemberRecord, 'ground'>, others?: OtherRecords): Cause {
	const cause = CAUSES[ground.kind];
	if (cause === undefined) return { what: 'the access is unclear', advice: "Check 'Access'." };
	return cause(ground as never, others);
}

/** What is known of a list. */
export function othersIn(records: readonly MemberRecord[]): OtherRecords {
	return {
		hasStatuses: records.some(({ status }) => status !== ''),
		hasProducts: records.some(({ products }) => products.length > 0),
	};
}

/** Why a person is unclear, each cause once. */
export function unclearText(person: Person, others: OtherRecords): string {
	const causes = unclearIn(person).map((record) => causeOf(record, others).what);
	return [...new Set(causes)].join(', ');
}

/** A cause, and whom it concerns. */
export interface UnclearGroup extends Cause {
	people: Person[];
}

/** The causes, the most frequent first. */
export function unclearGroups(all: readonly Person[], others: OtherRecords): UnclearGroup[] {
	const groups = new Map<string, UnclearGroup>();
	for (const person of all) {
		for (const record of unclearIn(person)) {
			const cause = causeOf(record, others);
			const group = groups.get(cause.what) ?? { ...cause, people: [] };
			groups.set(cause.what, group);
			if (!group.people.includes(person)) group.people.push(person);
		}
	}
	return [...groups.values()].sort((one, other) => other.people.length - one.people.length);
}

/** A group in one line. */
export function groupLine({ what, advice, people: all }: UnclearGroup): string {
	return `${what}, for ${people(all.length)}: ${joinNames(all.map((one) => `${nameOfPerson(one)} (${feedNow(one)})`))}. ${advice}`;
}
