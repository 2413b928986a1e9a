/** Some days of a channel: right lists, then wrong ones, then right ones again. */

import { Everyday, type Habits, TICK_MS, TICKS_A_DAY } from './everyday';
import { inVirtualTime, type Outcome } from './n8n';
import type { Numbers } from './tally';
import type { Row } from './settings';
import { MINUTE_MS, World, type WorldOptions } from './world';
import { wrongList, type Facts, type Kind } from './wrongLists';

/** After so many lists without any change, the following ones change nothing either. */
const QUIET = 3;

/** Even then, a list comes after so many ticks: half a day, or half an hour after a failed run. */
const REST = 144;
const REST_AFTER_FAILURE = 6;

/** Most channels are small. Below 50 members, ten percent are fewer than five feeds. */
const SIZES = [12, 20, 30, 30, 45, 80];

export interface LifeOptions extends Habits, Partial<WorldOptions> {
	seed: number;
	kind?: Kind;
	days?: number;
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

	private readonly everyday: Everyday;

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
		this.everyday = new Everyday(world, options);
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
			if (this.everyday.goesOn()) this.quiet = 0;
			this.noteList();
			if (this.isWrongAt(tick) || this.isDue(tick)) await this.deliver(tick);
		}
		return world.tally.end();
	}

	/** Nothing changes by a list that repeats the one before, so such lists are left out. */
	private isDue(tick: number): boolean {
		const { journal } = this.world.channel;
		// What a run has changed may show in the next one.
		if (journal.length > this.seen || this.world.hasEvents) this.quiet = Math.min(this.quiet, 1);
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
		if (world.people.chance(0.1))
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
		// People who follow a message have checked the list, and read it within a quarter of an hour.
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
}
