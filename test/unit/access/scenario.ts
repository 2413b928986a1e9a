/** A channel, and the people around it, over many lists. Everything follows from a seed. */

import { isSameIdentifier } from '../../../nodes/Supercast/api/identity';
import { DirectSupercast, held, type Held } from '../../doubles/directSupercast';
import { isOnList, MISTAKES, spoil, STYLES, type Human, type Mistake } from './humans';
import { NOW, type Row } from './running';

/** One list in this many is misleading. */
const LISTS_PER_MISTAKE = 10;

export class Scenario {
	readonly humans: Human[] = [];

	readonly service: DirectSupercast;

	/** Whose subscriber each UUID is. Subscribers of other systems have no entry here. */
	readonly owners = new Map<string, Human>();

	/** Subscribers of another membership system, whom Sync must never close. */
	readonly foreign: Held[] = [];

	readonly close: 'all' | 'withCustomerId';

	readonly graceHours: number;

	private readonly idOf: (number: number) => string;

	private addresses = 0;

	constructor(private seed: number) {
		const style = this.pick(Object.keys(STYLES));
		this.idOf = STYLES[style] ?? String;
		this.close = this.chance(0.3) ? 'all' : 'withCustomerId';
		this.graceHours = this.chance(0.5) ? 0 : 24;
		const before: Held[] = [];
		for (let number = 0; number < 12 + this.below(12); number++) {
			const human = this.join();
			if (this.chance(0.8)) before.push(this.subscriberOf(human));
		}
		const other = STYLES[style === 'stripe' ? 'digits' : 'stripe'] ?? String;
		for (let number = 0; number < this.below(5); number++) {
			this.foreign.push(held(500 + number, { customer_id: other(500 + number) }));
		}
		this.service = new DirectSupercast([...before, ...this.foreign], NOW);
	}

	/** A random number from 0 to 1 (a multiplicative congruential generator). */
	private random(): number {
		this.seed = (this.seed * 48_271 + 11) % 2_147_483_647;
		return this.seed / 2_147_483_647;
	}

	chance(share: number): boolean {
		return this.random() < share;
	}

	below(count: number): number {
		return Math.floor(this.random() * count);
	}

	private pick<T>(things: readonly T[]): T {
		const thing = things[this.below(things.length)];
		if (thing === undefined) throw new Error('There is nothing to choose from');
		return thing;
	}

	private join(): Human {
		const number = this.humans.length;
		const lacks = this.chance(0.06) ? 'id' : this.chance(0.06) ? 'email' : undefined;
		// Without an email, nothing shows whose an earlier ID was.
		const isNew = lacks !== 'email' && this.chance(0.5);
		const human: Human = {
			...{ number, email: this.newAddress(), id: this.idOf(number) },
			...{ isMember: true, lacks },
			pastId: this.chance(0.2) ? this.idOf(isNew ? number + 300 : number) : undefined,
			remains: this.pick(['none', 'record', 'recordWithoutEmail'] as const),
		};
		this.humans.push(human);
		return human;
	}

	private newAddress(): string {
		this.addresses += 1;
		return `address.${this.addresses}@a.com`;
	}

	/** Someone's subscriber in Supercast from before the first Sync. */
	private subscriberOf(human: Human): Held {
		const one = held(human.number, {
			email: human.email,
			customer_id: this.chance(0.7) && human.lacks !== 'id' ? this.oneIdOf(human) : null,
			state: this.chance(0.85) ? 'available' : 'deactivated',
			plan_id: this.chance(0.05) ? 3 : null,
		});
		this.owners.set(one.uuid, human);
		return one;
	}

	private oneIdOf({ id, pastId = id }: Human): string {
		return this.chance(0.5) ? id : pastId;
	}

	/** Some people join, leave, return, or change their email. Returns whose access has changed. */
	live(): Human[] {
		const changed: Human[] = [];
		for (const human of this.humans) {
			if (!this.chance(human.isMember ? 0.06 : 0.1)) continue;
			human.isMember = !human.isMember;
			human.pause = undefined;
			changed.push(human);
		}
		this.pauseSome();
		if (this.chance(0.2)) changed.push(this.join());
		if (this.chance(0.15)) this.moveTwo();
		return changed;
	}

	/** For some people, it becomes unclear whether they are members, or they get some time to pay. */
	private pauseSome(): void {
		for (const human of this.humans) {
			if (!this.chance(human.pause === undefined ? 0.03 : 0.2)) continue;
			human.pause = human.pause === undefined ? this.pick(['keep', 'unclear']) : undefined;
		}
	}

	/** One person joins or leaves, and nothing else happens. */
	turnOne(): Human {
		const human = this.pick(this.humans);
		human.isMember = !human.isMember;
		human.pause = undefined;
		return human;
	}

	/** Someone takes a new address, and sometimes someone else gets the old one. */
	private moveTwo(): void {
		const one = this.pick(this.humans);
		const other = this.pick(this.humans);
		const before = one.email;
		one.email = this.newAddress();
		if (other !== one && this.chance(0.4)) other.email = before;
	}

	/** Which mistake the next list has, if any. */
	nextMistake(): Mistake | undefined {
		return this.chance(1 / LISTS_PER_MISTAKE) ? this.pick(MISTAKES) : undefined;
	}

	/** The list of records, and the people of whom it has one that has not ended. */
	list(mistake?: Mistake): { rows: Row[]; named: Set<Human> } {
		const members = this.humans.filter(isOnList);
		const start = this.below(members.length);
		const listed = members.filter((_, index) => {
			if (mistake === 'half') return index % 2 === start % 2;
			if (mistake === 'one') return index !== start;
			return mistake !== 'page' || index < start || index >= start + 5;
		});
		const rows = listed.map((human) => this.rowOf(human, mistake === 'oldEmails'));
		if (mistake === 'stray') rows.push({ email: 'stray@example.com', id: '17' });
		if (mistake === 'cells') rows.forEach((row) => this.chance(0.3) && spoil(row));
		rows.push(...this.humans.flatMap((human) => this.endedOf(human)));
		return { rows: rows.sort(() => (this.chance(0.5) ? 1 : -1)), named: new Set(listed) };
	}

	private rowOf({ email, id, lacks, pause }: Human, isOld: boolean): Row {
		const known = isOld && this.service.subscribers.find((one) => one.customer_id === id)?.email;
		const shown = lacks === 'email' ? '' : known || email;
		const row: Row = lacks === 'id' ? { email: shown } : { email: shown, id };
		if (pause === 'keep') return { ...row, access: 'keep', status: 'past_due' };
		return pause === 'unclear' ? spoil(row) : row;
	}

	/** The records that have ended. */
	private endedOf(human: Human): Row[] {
		const { id, pastId, remains } = human;
		const rows: Row[] = [];
		const ended = { access: 'close', status: 'canceled' };
		if (pastId !== undefined) rows.push({ ...this.eventOf(human), ...ended, id: pastId });
		if (isOnList(human) || remains === 'none') return rows;
		const row = this.eventOf(human);
		const isNameless = remains === 'recordWithoutEmail';
		return [...rows, { ...row, ...(isNameless ? { email: '', id } : {}), ...ended }];
	}

	/** The row that an event about this person has. */
	eventOf(human: Human): Row {
		return this.rowOf(human, false);
	}

	/** Finds out whose the new subscribers are. */
	noteOwners(): void {
		for (const { uuid, email, customer_id: id } of this.service.subscribers) {
			if (this.owners.has(uuid)) continue;
			const owner = this.humans.find((one) => one.id === id || isSameIdentifier(one.email, email));
			if (owner !== undefined) this.owners.set(uuid, owner);
		}
	}

	openSubscribers(): Held[] {
		const open = this.service.subscribers.filter(({ state }) => state === 'available');
		return open.map((one) => ({ ...one }));
	}

	/** What the subscribers of people show whose access must stay as it is. */
	paused(): Map<Human, string> {
		const shown = new Map<Human, string>();
		for (const human of this.humans) if (human.pause) shown.set(human, '');
		for (const one of this.service.subscribers) {
			const owner = this.owners.get(one.uuid);
			const before = owner && shown.get(owner);
			if (!owner || before === undefined || this.hasLostRecord(owner, one)) continue;
			const { uuid, state, email, customer_id: id } = one;
			shown.set(owner, `${before} ${uuid} ${state} ${email} ${id}`);
		}
		return shown;
	}

	/** Whether the human has an open feed, perhaps one that was someone else's with the same email. */
	hasAccess(human: Human): boolean {
		return this.service.subscribers.some(
			({ uuid, email, state }) =>
				state === 'available' &&
				(this.owners.get(uuid) === human || isSameIdentifier(email, human.email)),
		);
	}

	/**
	 * Whether nobody can know that a record is this person's. The record had no customer ID, their
	 * email changed, and the lists lack their ID, or no list has been allowed to add it. Or the lists
	 * lack their email, and the record now has someone else's ID.
	 */
	hasLostRecord({ id, email, lacks, pause }: Human, record: Held): boolean {
		const others = this.humans.filter((one) => one.id !== id);
		const ofAnother = others.some((one) => one.id === record.customer_id);
		// While someone's access stays as it is, another person may take over a record of theirs.
		const isTaken = ofAnother || others.some((one) => isSameIdentifier(one.email, record.email));
		if (pause !== undefined && isTaken) return true;
		if (lacks === 'email') return ofAnother;
		const hasId = record.customer_id !== null;
		return (
			(lacks === 'id' || pause !== undefined) && !hasId && !isSameIdentifier(record.email, email)
		);
	}

	/** Whether someone who left has an email that a member, or someone unclear, has now. */
	isEmailOfMember(email: string): boolean {
		return this.humans.some((one) => isOnList(one) && isSameIdentifier(one.email, email));
	}
}
