/** Normal years, in which no list is wrong: members join and leave, and someone reads the emails. */

import { inVirtualTime } from './n8n';
import type { Person } from './people';
import type { Numbers } from './tally';
import { MINUTE_MS, World } from './world';

const DAY_MS = 24 * 60 * MINUTE_MS;
const MONTH_DAYS = 30;

export interface YearOptions {
	seed: number;
	members: number;
	months: number;
	/** The share of the members who leave on one day of each month, beside 5% within the month. */
	onOneDay?: number;
	/** How many minutes lie between two lists. */
	everyMinutes?: number;
}

/** A moment at which someone joins or leaves. */
interface Turn {
	at: number;
	isJoin: boolean;
}

export async function liveYear(options: YearOptions): Promise<Numbers> {
	return await inVirtualTime(async (clock) => {
		const world = new World(clock, { ...options, isPlain: true });
		await world.sync({ rows: world.people.list() });
		for (let month = 0; month < options.months; month++)
			await new Month(world, options, month).play();
		return world.tally.end();
	});
}

class Month {
	private readonly everyMs: number;

	private readonly start: number;

	private failures = 0;

	constructor(
		private readonly world: World,
		private readonly options: YearOptions,
		month: number,
	) {
		this.everyMs = (options.everyMinutes ?? 5) * MINUTE_MS;
		this.start = month * MONTH_DAYS * DAY_MS;
	}

	/** Gives the lists after each change, twice a day, and more often after a run that failed. */
	async play(): Promise<void> {
		const { clock } = this.world;
		const turns = this.turns();
		const end = this.start + MONTH_DAYS * DAY_MS;
		let sinceChange = 0;
		for (let at = this.start + this.everyMs; at <= end; at += this.everyMs) {
			const due = turns.filter((turn) => turn.at > at - this.everyMs && turn.at <= at);
			sinceChange = due.length > 0 ? 0 : sinceChange + 1;
			const isHalfDay = at % (DAY_MS / 2) === 0;
			const isRepeated = this.failures > 0 && at % (30 * MINUTE_MS) === 0;
			if (sinceChange > 2 && !isHalfDay && !isRepeated) continue;
			await clock.pass(Math.max(0, at - clock.now()));
			for (const { isJoin } of due) this.turn(isJoin);
			await this.deliver();
		}
	}

	private async deliver(): Promise<void> {
		const { world } = this;
		const outcome = await world.sync({ rows: world.people.list() });
		this.failures = outcome.failure === undefined ? 0 : this.failures + 1;
		// Someone has checked the list, and does what the message says.
		if (this.failures > 2) world.follow(outcome);
	}

	/** Half of those who leave do so at night, when a membership system ends what is due. */
	private turns(): Turn[] {
		const { people } = this.world;
		const { members, onOneDay = 0 } = this.options;
		const moment = (): number => this.start + people.below(MONTH_DAYS * DAY_MS);
		const night = (): number => this.start + people.below(MONTH_DAYS) * DAY_MS + 3 * 60 * MINUTE_MS;
		const theDay = this.start + people.below(MONTH_DAYS) * DAY_MS;
		const turns: Turn[] = [];
		for (let count = 0; count < members; count++) {
			if (people.chance(0.05)) {
				turns.push({ at: people.chance(0.5) ? night() : moment(), isJoin: false });
				turns.push({ at: moment(), isJoin: true });
			}
			if (!people.chance(onOneDay)) continue;
			turns.push({ at: theDay + people.below(DAY_MS), isJoin: false });
			turns.push({ at: moment(), isJoin: true });
		}
		return turns;
	}

	private turn(isJoin: boolean): void {
		const { people, tally } = this.world;
		const person: Person | undefined = isJoin ? people.join() : people.oneOf(people.with('active'));
		if (isJoin || person === undefined) return;
		people.leave(person);
		tally.noteLeaving(person, this.world.settings(0, {}).prefix);
	}
}
