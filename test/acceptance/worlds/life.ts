/** Some days of a channel: right lists, then wrong ones, then right ones again. */

import { inVirtualTime, type Outcome } from './n8n';
import type { Numbers } from './tally';
import type { Row } from './settings';
import type { Person } from './people';
import { MINUTE_MS, STAFF, World, type WorldOptions } from './world';
import { wrongList, type Facts, type Kind } from './wrongLists';

/** A list comes every five minutes. */
const TICK_MS = 5 * MINUTE_MS;
const TICKS_A_DAY = 288;

/** After so many lists without any change, the following ones change nothing either. */
const QUIET = 4;

/** Even then, a list comes after so many ticks: half a day, or half an hour after a failed run. */
const REST = 144;
const REST_AFTER_FAILURE = 6;

/** Most channels are small. Below 50 members, ten percent are fewer than five feeds. */
const SIZES = [12, 20, 30, 30, 45, 80];

export interface LifeOptions extends Partial<WorldOptions> {
	seed: number;
	kind?: Kind;
	days?: number;
	/** Whether the membership system also reports each change to Set Access. */
	hasEvents?: boolean;
}

export async function live(options: LifeOptions): Promise<Numbers> {
	return await inVirtualTime(async (clock) => {
		const members = options.members ?? SIZES[options.seed % SIZES.length]!;
		return await new Life(new World(clock, { ...options, members }), options).play();
	});
}

class Life {
	/** The lists of the last hours, the latest last. */
	private readonly past: Row[][] = [];

	/** When things go wrong, and for how many lists. */
	private readonly wrongFrom: number;

	private readonly wrongLists: number;

	private readonly facts: Facts;

	private quiet = 0;

	private seen = 0;

	private failures = 0;

	/** Whether the person who reads the messages does what they say. */
	private readonly follows: boolean;

	constructor(
		private readonly world: World,
		private readonly options: LifeOptions,
	) {
		const { people } = world;
		this.follows = people.chance(0.5);
		this.wrongFrom = 60 + people.below(100);
		const { lists = 1 + people.below(12) } = options.kind ? wrongList(options.kind) : {};
		this.wrongLists = options.kind === undefined ? 0 : lists;
		const [share, place] = [0.1 + people.below(50) / 100, people.below(100) / 100];
		this.facts = { people, step: 0, share, place, first: people.list(), before: [] };
	}

	async play(): Promise<Numbers> {
		const { world, options } = this;
		const ticks = TICKS_A_DAY * (options.days ?? 2);
		let next = world.clock.now();
		for (let tick = 0; tick < ticks; tick++) {
			await world.clock.pass(Math.max(0, next - world.clock.now()));
			next += TICK_MS;
			if (this.happens()) this.quiet = 0;
			this.noteList();
			if (this.isWrongAt(tick) || this.isDue(tick)) await this.deliver(tick);
		}
		return world.tally.end();
	}

	/** Nothing changes by a list that repeats the one before, so such lists are left out. */
	private isDue(tick: number): boolean {
		const { journal } = this.world.channel;
		if (journal.length > this.seen || this.world.hasEvents) this.quiet = 0;
		this.seen = journal.length;
		const rest = this.failures > 0 ? REST_AFTER_FAILURE : REST;
		return this.quiet < QUIET || tick % rest === 0;
	}

	private isWrongAt(tick: number): boolean {
		const step = tick - this.wrongFrom;
		if (step === this.wrongLists) this.quiet = 0;
		return step >= 0 && step < this.wrongLists;
	}

	private noteList(): void {
		this.past.push(this.world.people.list());
		if (this.past.length > TICKS_A_DAY / 2) this.past.shift();
	}

	private async deliver(tick: number): Promise<void> {
		const { world } = this;
		this.quiet += 1;
		if (world.people.chance(0.02))
			await world.sync({ ...this.rightList(), isDry: true, isByHand: true });
		const outcome = this.isWrongAt(tick) ? await this.giveWrong(tick) : await this.giveRight();
		this.failures = outcome.failure === undefined ? 0 : this.failures + 1;
		if (this.options.hasTwoSyncs !== true) return;
		await world.clock.pass(2 * MINUTE_MS);
		const rows = world.people.list(1);
		await world.sync({ rows }, 1);
	}

	private rightList(): { rows: Row[]; expected?: number } {
		const rows = this.world.people.list();
		const { hasExpected = false } = this.options.kind ? wrongList(this.options.kind) : {};
		return hasExpected ? { rows, expected: rows.length } : { rows };
	}

	private async giveRight(): Promise<Outcome> {
		const { world } = this;
		const outcome = await world.sync({ ...this.rightList(), isByHand: world.people.chance(0.02) });
		// Whoever follows a message has checked the list, and looks into the emails once an hour.
		if (this.follows && this.failures >= 2 && outcome.failure !== undefined) world.follow(outcome);
		return outcome;
	}

	private async giveWrong(tick: number): Promise<Outcome> {
		const { world, facts, options } = this;
		const kind = wrongList(options.kind!);
		facts.step = tick - this.wrongFrom;
		if (facts.step === 0) facts.before = this.past[0] ?? [];
		const right = this.rightList();
		const rows = kind.spoil?.(right.rows, facts) ?? right.rows;
		kind.supercast?.(world.channel, facts);
		const old = { isByHand: true, readAt: world.clock.date() - 3 * 60 * MINUTE_MS };
		const delivery = { ...right, rows, ...(kind.isOldExecution === true ? old : {}) };
		const outcome = await world.sync(delivery, 0, kind.supercast === undefined);
		world.channel.habit = () => undefined;
		return outcome;
	}

	/** What people do until the next list. Returns whether anybody did anything. */
	private happens(): boolean {
		const { people } = this.world;
		const size = people.with('active').length;
		// Within a day, 5% of the members leave, and as many others join or return.
		const often = (share: number): boolean => people.chance((size * share) / TICKS_A_DAY);
		const did = [
			often(0.05) && this.leaves(),
			often(0.03) && this.changes(people.join()),
			often(0.03) && this.returns(),
			often(0.02) && this.movesAway(),
			often(0.02) && this.pauses(),
			often(0.005) && this.guestJoins(),
			often(0.01) && this.ownerCloses(),
			people.chance(0.002) && this.guestComes(),
			this.options.hasTwoSyncs === true && often(0.03) && this.changesSystem(),
		];
		return did.some(Boolean);
	}

	private changes(person: Person): true {
		const { world, options } = this;
		if (options.hasEvents === true) {
			const afterMs = world.people.chance(0.7) ? 5_000 : world.people.below(30) * MINUTE_MS;
			world.tell(person, afterMs);
		}
		return true;
	}

	private leaves(): boolean {
		const { people, tally } = this.world;
		const person = people.oneOf([...people.with('active'), ...people.with('past_due')]);
		if (person === undefined) return false;
		people.leave(person);
		tally.noteLeaving(person, this.world.settings(0, {}).prefix);
		return this.changes(person);
	}

	private returns(): boolean {
		const { people } = this.world;
		const person = people.oneOf(people.former());
		if (person === undefined) return false;
		people.returnTo(person);
		return this.changes(person);
	}

	private movesAway(): boolean {
		const { people } = this.world;
		const person = people.oneOf(people.with('active'));
		if (person === undefined) return false;
		people.takeNewEmail(person);
		return this.changes(person);
	}

	/** A payment fails, or comes after all. */
	private pauses(): boolean {
		const { people } = this.world;
		const isOver = people.chance(0.5);
		const person = people.oneOf(people.with(isOver ? 'past_due' : 'active'));
		for (const one of person?.memberships ?? []) {
			if (one.system === 0 && one.status !== 'canceled')
				one.status = isOver ? 'active' : 'past_due';
		}
		return person !== undefined;
	}

	/** A guest becomes a member, with the email that the owner knows, and is no guest any more. */
	private guestJoins(): boolean {
		const { people } = this.world;
		const isGuest = (one: Person): boolean => one.isFree && one.memberships.length === 0;
		const guest = people.oneOf(people.all.filter(isGuest));
		const feed = guest && this.world.feedOf(guest);
		if (guest === undefined || feed === undefined) return false;
		guest.isFree = feed.plan_id !== null || feed.email === STAFF;
		return this.changes(people.join(0, guest));
	}

	private guestComes(): true {
		this.world.addGuest();
		return true;
	}

	/** The owner closes someone's feed in Supercast. */
	private ownerCloses(): boolean {
		const { people, channel } = this.world;
		const feed = people.oneOf(channel.open.filter(({ plan_id: plan }) => plan === null));
		if (feed === undefined) return false;
		this.world.byHand(feed, { state: 'deactivated' });
		return true;
	}

	/** A member of one system joins the other one too, or leaves one of the two. */
	private changesSystem(): boolean {
		const { people } = this.world;
		const person = people.oneOf(people.with('active', people.below(2)));
		if (person === undefined) return false;
		const active = person.memberships.filter(({ status }) => status === 'active');
		if (active.length > 1) people.leave(person, active[people.below(2)]!.system);
		else people.returnTo(person, 1 - active[0]!.system);
		return true;
	}
}
