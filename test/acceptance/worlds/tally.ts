/** Counts what a channel's people went through. */

import { isOpen, OWNER, type Channel, type Change, type Held } from './channel';
import type { Outcome } from './n8n';
import { mayListen, namesOf, type Membership, type People, type Person } from './people';

const MINUTE_MS = 60_000;

/** After this many lists, someone who has left is late. */
const LISTS_UNTIL_LATE = 3;

/** Something that should not be, from when it began. */
interface Spell {
	person: Person;
	from: number;
	minutes?: number;
}

interface Leaver {
	person: Person;
	uuid: string;
	lists: number;
	said: Outcome[];
}

/** The numbers of one life, or of several. */
export interface Numbers {
	lives: number;
	lists: number;
	/** Payers whose feed we closed, and for how many minutes together. */
	payersHit: number;
	payerMinutes: number;
	/** Of these: still without a feed at the end. */
	unhealed: number;
	/** People who left and had an open feed of this Sync. */
	leavers: number;
	/** Of these: still open after the third list. And of these: in no report so far. */
	late: number;
	untold: number;
	/** People without any right to a feed for whom we opened one, and for how many minutes together. */
	strangers: number;
	strangerMinutes: number;
	/** Feeds that we gave the email of another person. */
	givenAway: number;
	/** Runs that failed, and how many times a series of them began. */
	failed: number;
	stops: number;
	closed: number;
	/** The most feeds closed within 24 hours, in percent of the limit. */
	mostOfLimit: number;
	/** Broken promises, by promise. */
	broken: Record<string, number>;
	/** How many runs failed, by the beginning of what they said. */
	reasons: Record<string, number>;
}

export function noNumbers(): Numbers {
	return {
		...{ lives: 0, lists: 0, payersHit: 0, payerMinutes: 0, unhealed: 0, leavers: 0, late: 0 },
		...{
			untold: 0,
			strangers: 0,
			strangerMinutes: 0,
			givenAway: 0,
			failed: 0,
			stops: 0,
			closed: 0,
		},
		...{ mostOfLimit: 0, broken: {}, reasons: {} },
	};
}

/** Adds up the numbers of several lives. */
export function sum(all: readonly Numbers[]): Numbers {
	const total = noNumbers();
	for (const one of all) {
		for (const [key, value] of Object.entries(one) as Array<[keyof Numbers, unknown]>) {
			if (key === 'mostOfLimit') total[key] = Math.max(total[key], one[key]);
			else if (key === 'broken' || key === 'reasons') {
				for (const [name, count] of Object.entries(one[key])) {
					total[key][name] = (total[key][name] ?? 0) + count;
				}
			} else total[key] += Number(value);
		}
	}
	return total;
}

export class Tally {
	readonly numbers = { ...noNumbers(), lives: 1 };

	/** Whose feed each subscriber is. */
	readonly owners = new Map<string, Person>();

	private readonly hits: Spell[] = [];

	private readonly strangers: Spell[] = [];

	private leavers: Leaver[] = [];

	private taken = 0;

	private hasFailed = false;

	constructor(
		private readonly channel: Channel,
		private readonly people: People,
	) {}

	/** Someone's membership ends. */
	noteLeaving(person: Person, prefix: string): void {
		const own = this.feedsOf(person).find(
			({ customer_id: id, plan_id: plan }) => id?.startsWith(prefix) === true && plan === null,
		);
		if (own === undefined || mayListen(person)) return;
		this.numbers.leavers += 1;
		this.leavers.push({ person, uuid: own.uuid, lists: 0, said: [] });
	}

	/** A real list has been given to Sync. */
	noteRun(outcome: Outcome): void {
		const { numbers } = this;
		numbers.lists += 1;
		const { failure } = outcome;
		if (failure !== undefined) {
			numbers.failed += 1;
			if (!this.hasFailed) numbers.stops += 1;
			const reason = kindOf(failure);
			numbers.reasons[reason] = (numbers.reasons[reason] ?? 0) + 1;
		}
		this.hasFailed = failure !== undefined;
		this.leavers = this.leavers.filter((leaver) => this.isStillOpen(leaver));
		for (const leaver of this.leavers) this.noteList(leaver, outcome);
	}

	private isStillOpen({ person, uuid }: Leaver): boolean {
		const held = this.channel.byUuid(uuid);
		return held !== undefined && isOpen(held) && !mayListen(person);
	}

	private noteList(leaver: Leaver, outcome: Outcome): void {
		leaver.lists += 1;
		if (leaver.lists <= LISTS_UNTIL_LATE) leaver.said.push(outcome);
		if (leaver.lists !== LISTS_UNTIL_LATE) return;
		this.numbers.late += 1;
		const names = namesOf(leaver.person);
		if (!leaver.said.some((one) => one.names(names))) this.numbers.untold += 1;
	}

	/** What has changed since the last time. */
	noteChanges(): Change[] {
		const changes = this.channel.journal.slice(this.taken);
		this.taken += changes.length;
		for (const change of changes) this.noteChange(change);
		this.endSpells();
		return changes;
	}

	private noteChange(change: Change): void {
		const { kind, uuid, after, actor, at } = change;
		const isOpening = kind === 'created' || kind === 'opened';
		const isRenamed = kind === 'renamed' && this.withEmail(after) !== this.owners.get(uuid);
		if (isOpening) this.owners.set(uuid, this.listenerOf(uuid));
		const person = this.owners.get(uuid);
		if (actor === OWNER || person === undefined) return;
		const isRight = mayListen(person);
		if (kind === 'closed') {
			this.numbers.closed += 1;
			if (isRight && this.feedsOf(person).length === 0) this.hits.push({ person, from: at });
		}
		if (isOpening && !isRight) this.strangers.push({ person, from: at });
		if (isRenamed) this.numbers.givenAway += 1;
	}

	/** Who listens with a feed that opens: the payer with its customer ID or its address. */
	private listenerOf(uuid: string): Person {
		const held = this.channel.byUuid(uuid);
		const hasId = ({ customerId }: Membership): boolean => customerId === held?.customer_id;
		const withId = this.people.all.find(({ memberships }) => memberships.some(hasId));
		const known = [withId, this.withEmail(held)].filter((one) => one !== undefined);
		return known.find(mayListen) ?? known[0] ?? this.people.add({ email: held?.email });
	}

	private withEmail(held: Held | undefined): Person | undefined {
		return this.people.withEmail(held?.email ?? '');
	}

	private feedsOf(person: Person): Held[] {
		return this.channel.open.filter(({ uuid }) => this.owners.get(uuid) === person);
	}

	private endSpells(isOver = false): void {
		const now = this.channel.now;
		const open = new Set(this.channel.open.map(({ uuid }) => this.owners.get(uuid)));
		const end = (spells: Spell[], lasts: (person: Person) => boolean): void => {
			for (const one of spells) {
				if (one.minutes !== undefined || (lasts(one.person) && !isOver)) continue;
				one.minutes = Math.round((now - one.from) / MINUTE_MS);
			}
		};
		end(this.hits, (person) => mayListen(person) && !open.has(person));
		end(this.strangers, (person) => !mayListen(person) && open.has(person));
	}

	/** The numbers at the end of a life. */
	end(): Numbers {
		this.noteChanges();
		const unhealed = this.hits.filter((one) => one.minutes === undefined).length;
		this.endSpells(true);
		const minutes = (spells: Spell[]): number =>
			spells.reduce((all, one) => all + (one.minutes ?? 0), 0);
		const people = (spells: Spell[]): number => new Set(spells.map(({ person }) => person)).size;
		return {
			...this.numbers,
			payersHit: people(this.hits),
			unhealed,
			payerMinutes: minutes(this.hits),
			strangers: people(this.strangers),
			strangerMinutes: minutes(this.strangers),
		};
	}
}

/** The beginning of a message, without its numbers and names. */
function kindOf(message: string): string {
	const words = message.replace(/\d+/g, 'N').replace(/"[^"]*"|\S+@\S+/g, '…');
	return words.slice(0, 60);
}
