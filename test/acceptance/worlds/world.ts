/** A channel, the people around it, and the nodes in n8n that keep them in step. */

import type { VirtualClock } from '../../support/virtualClock';
import { Channel, type Held } from './channel';
import { NodeInN8n, type Outcome } from './n8n';
import { People, PREFIXES, type Person } from './people';
import { Watch, type Promised } from './promises';
import {
	allowanceIn,
	parametersOfSetAccess,
	parametersOfSync,
	type Allowance,
	type Row,
	type Settings,
} from './settings';
import { Tally } from './tally';

export const MINUTE_MS = 60_000;
export const STAFF = 'host@staff.example';

/** A Sync of one membership system, and what its user has set. */
interface ListSync {
	node: NodeInN8n;
	actor: string;
	watch: Watch;
	allowed?: Allowance;
}

/** A list on its way to Sync. */
export interface Delivery {
	rows: readonly Row[];
	/** How many records the system says it has. */
	expected?: number | '';
	isDry?: boolean;
	isByHand?: boolean;
	readAt?: number;
}

export interface WorldOptions {
	seed: number;
	members: number;
	/** Whether a second membership system has its own Sync. */
	hasTwoSyncs?: boolean;
	/** Only members, and nobody else. */
	isPlain?: boolean;
}

export class World {
	readonly people: People;

	readonly channel: Channel;

	readonly tally: Tally;

	private readonly syncs: ListSync[];

	private readonly setAccess: NodeInN8n;

	/** Events that have not ended. */
	private readonly events = new Set<Promise<void>>();

	constructor(
		readonly clock: VirtualClock,
		{ seed, members, hasTwoSyncs = false, isPlain = false }: WorldOptions,
	) {
		this.people = new People(seed, seed % 3 > 0);
		this.channel = new Channel(clock);
		this.tally = new Tally(this.channel, this.people);
		const broke = (promise: Promised): void => {
			const { broken } = this.tally.numbers;
			broken[promise] = (broken[promise] ?? 0) + 1;
		};
		this.syncs = (hasTwoSyncs ? [0, 1] : [0]).map((system) => {
			const actor = `Sync of ${PREFIXES[system]}`;
			const watch = new Watch(this.channel, broke);
			return { node: new NodeInN8n(clock, this.channel, actor), actor, watch };
		});
		this.setAccess = new NodeInN8n(clock, this.channel, 'Set Access', 'webhook');
		for (let count = 0; count < members; count++) this.addMember();
		if (!isPlain) this.addOthers(members);
	}

	/** A member whose feed is open, from before this Sync. */
	private addMember(system = 0): Person {
		const person = this.people.join(system);
		return this.addFeed(person, { customer_id: person.memberships[0]!.customerId });
	}

	private addFeed(person: Person, fields: Partial<Held>): Person {
		const held = this.channel.add({ email: person.email, ...fields });
		this.tally.owners.set(held.uuid, person);
		return person;
	}

	/** Guests, people whom Supercast bills, members of another system, and some who have left. */
	private addOthers(members: number): void {
		const { people } = this;
		const some = (share: number, add: () => unknown): void => {
			for (let count = 0; count < members * share; count++) add();
		};
		some(0.08, () => this.addFeed(people.add({ isFree: true }), {}));
		// Some of those whom Supercast bills were members before.
		const ids = [null, `${PREFIXES[0]}2`, `${PREFIXES[0]}3`];
		some(0.06, () =>
			this.addFeed(people.add({ isFree: true }), { plan_id: 3, customer_id: ids.pop() ?? null }),
		);
		some(0.15, () => this.addMember(1));
		some(0.1, () => people.leave(this.closed(this.addMember(), 'deactivated')));
		some(0.02, () => this.closed(this.addMember(), 'suspended'));
		some(0.03, () => people.join());
		this.addFeed(people.add({ email: STAFF, isFree: true }), { customer_id: `${PREFIXES[0]}1` });
	}

	private closed(person: Person, state: string): Person {
		Object.assign(this.feedOf(person)!, { state });
		return person;
	}

	/** A subscriber of this person. */
	feedOf(person: Person): Held | undefined {
		return this.channel.subscribers.find(({ uuid }) => this.tally.owners.get(uuid) === person);
	}

	settings(system: number, { expected, isDry }: Partial<Delivery>): Settings {
		const { allowed } = this.syncs[system]!;
		return { prefix: PREFIXES[system]!, neverClose: [STAFF], expected, isDry, allowed };
	}

	/** Gives a list to the Sync of a system, and waits for the end of the run. */
	async sync(delivery: Delivery, system = 0, isUsual = true): Promise<Outcome> {
		const { node, actor, watch } = this.syncs[system]!;
		const { rows, isByHand = false, readAt } = delivery;
		const settings = this.settings(system, delivery);
		const before = this.channel.subscribers.map((one) => ({ ...one }));
		const from = this.channel.journal.length;
		this.tally.noteChanges();
		const running = node.start({
			parameters: parametersOfSync(settings),
			items: rows.map((row) => (isBlank(row) ? {} : { ...row })),
			...{ mode: isByHand ? 'manual' : 'trigger', readAt },
		});
		const outcome = await this.clock.run(running);
		const changes = this.channel.journal.slice(from).filter((one) => one.actor === actor);
		this.tally.noteChanges();
		const isFresh = readAt === undefined;
		const { at } = outcome;
		watch.note({ at, rows, settings, isFresh, isUsual, before, outcome, changes });
		this.tally.numbers.mostOfLimit = Math.max(...this.syncs.map((one) => one.watch.mostOfLimit));
		if (settings.isDry !== true && system === 0) this.tally.noteRun(outcome);
		return outcome;
	}

	/** Someone follows what a message says. */
	follow({ failure = '' }: Outcome, system = 0): void {
		const allowed = allowanceIn(failure);
		if (allowed !== undefined) Object.assign(this.syncs[system]!, { allowed });
	}

	/** The membership system tells n8n about this person, after some time. */
	tell({ email, memberships }: Person, afterMs: number): void {
		const latest = memberships.filter(({ system }) => system === 0).at(-1);
		if (latest === undefined) return;
		const items = [{ ...latest, email }];
		const work = async (): Promise<void> => {
			await this.clock.sleep(afterMs);
			const parameters = parametersOfSetAccess(this.settings(0, {}));
			await this.setAccess.start({ parameters, items, mode: 'webhook' });
		};
		const event = work().finally(() => this.events.delete(event));
		this.events.add(event);
	}

	get hasEvents(): boolean {
		return this.events.size > 0;
	}

	/** The owner closes or opens a feed in Supercast. */
	byHand(subscriber: Held, fields: Partial<Held>): void {
		this.channel.byHand(subscriber.uuid, fields);
	}

	/** The owner adds a guest. */
	addGuest(): void {
		this.addFeed(this.people.add({ isFree: true }), {});
	}
}

function isBlank(row: Row): boolean {
	return Object.values(row).every((value) => value === '');
}
