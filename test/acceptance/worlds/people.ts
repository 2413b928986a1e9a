/** The people around a channel, and what is true of them, whatever any list says. */

import { seededRandom } from '../../../simulators/supercast/data/random';
import type { Row } from './settings';

/** A membership of someone. The record stays after its end, if the system keeps ended records. */
export interface Membership {
	recordId: string;
	customerId: string;
	/** In which membership system it is: 0 or 1. */
	system: number;
	status: 'active' | 'canceled' | 'past_due';
	/** The address of this record, if it is not the one that the person has now. */
	email?: string;
}

export interface Person {
	email: string;
	/** Addresses that were theirs. */
	earlier: string[];
	memberships: Membership[];
	/** Has access without any membership system: a guest, or someone whom Supercast bills. */
	isFree: boolean;
}

/** Whether the person should be able to listen. */
export function mayListen({ isFree, memberships }: Person): boolean {
	return isFree || memberships.some(({ status }) => status !== 'canceled');
}

/** Everything by which a report may name the person. */
export function namesOf({ email, earlier, memberships }: Person): string[] {
	return [email, ...earlier, ...memberships.map(({ customerId }) => customerId)];
}

/** What the customer IDs of the two systems begin with. */
export const PREFIXES = ['pat-', 'woo-'] as const;

function rowOf({ recordId, customerId, status }: Membership, email: string): Row {
	return { recordId, customerId, email, status };
}

export class People {
	readonly all: Person[] = [];

	private made = 0;

	private readonly random: () => number;

	constructor(
		seed: number,
		/** Whether the systems still show memberships that have ended. */
		private readonly keepsEnded: boolean,
	) {
		this.random = seededRandom(seed);
	}

	chance(share: number): boolean {
		return this.random() < share;
	}

	/** A whole number from 0 to below `count`. */
	below(count: number): number {
		return Math.floor(this.random() * count);
	}

	/** One of several. Undefined if there are none. */
	oneOf<T>(some: readonly T[]): T | undefined {
		return some[this.below(some.length)];
	}

	/** Someone without any membership, whom nobody else knows. */
	add(fields: Partial<Person> = {}): Person {
		const person = {
			...{ email: this.newEmail(), earlier: [], memberships: [], isFree: false },
			...fields,
		};
		this.all.push(person);
		return person;
	}

	newEmail(): string {
		this.made += 1;
		return `Person${this.made}@example.com`;
	}

	/** A member of a system. */
	join(system = 0, person = this.add()): Person {
		this.made += 1;
		person.memberships.push({
			recordId: `record-${this.made}`,
			customerId: `${PREFIXES[system]}${7_000 + this.made}`,
			...{ system, status: 'active' as const },
		});
		return person;
	}

	/** The same person pays again, with the same customer ID or with a new one. */
	returnTo(person: Person, system = 0): void {
		const latest = person.memberships.filter((one) => one.system === system).at(-1);
		if (latest === undefined || this.chance(0.4)) {
			if (this.chance(0.3)) this.takeNewEmail(person);
			this.join(system, person);
		} else Object.assign(latest, { status: 'active', email: undefined });
	}

	leave(person: Person, system = 0): void {
		for (const one of person.memberships) if (one.system === system) one.status = 'canceled';
	}

	takeNewEmail(person: Person): void {
		person.earlier.push(person.email);
		person.email = this.newEmail();
	}

	/** Someone has the address that a former member had, whose ended records still show it. */
	takeEmailOf(former: Person, person: Person): void {
		const { email } = former;
		for (const one of former.memberships) one.email ??= email;
		this.takeNewEmail(former);
		person.earlier.push(person.email);
		person.email = email;
	}

	/** Those with a membership of this status. */
	with(status: Membership['status'], system = 0): Person[] {
		return this.all.filter(({ memberships }) =>
			memberships.some((one) => one.status === status && one.system === system),
		);
	}

	/** Those whose memberships of this system have all ended. */
	former(system = 0): Person[] {
		return this.all.filter(
			({ memberships }) =>
				memberships.some((one) => one.system === system) &&
				memberships.every((one) => one.system !== system || one.status === 'canceled'),
		);
	}

	/** The right list of a system. */
	list(system = 0): Row[] {
		return this.all.flatMap(({ email, memberships }) =>
			memberships
				.filter((one) => one.system === system)
				.filter(({ status }) => status !== 'canceled' || this.keepsEnded)
				.map(({ email: own = email, ...one }) => rowOf(one, own)),
		);
	}

	/** Who has this address now, or had it before. */
	withEmail(email: string): Person | undefined {
		const key = email.toLowerCase();
		const has = (one: string): boolean => one.toLowerCase() === key;
		return (
			this.all.find((one) => has(one.email)) ?? this.all.find(({ earlier }) => earlier.some(has))
		);
	}
}
