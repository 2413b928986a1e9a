/** What members, guests and the owner of a channel do from one list to the next. */

import type { Person } from './people';
import { MINUTE_MS, STAFF, type World } from './world';

/** A list comes every five minutes. */
export const TICK_MS = 5 * MINUTE_MS;
export const TICKS_A_DAY = 288;

export interface Habits {
	/** Whether the membership system also reports each change to Set Access. */
	hasEvents?: boolean;
	/** Whether people may also be members of a second system, which has its own Sync. */
	hasTwoSyncs?: boolean;
}

export class Everyday {
	constructor(
		private readonly world: World,
		private readonly habits: Habits,
	) {}

	/** Five minutes pass. Returns whether anyone did anything. */
	goesOn(): boolean {
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
			this.habits.hasTwoSyncs === true && often(0.03) && this.changesSystem(),
		];
		return did.some(Boolean);
	}

	private changes(person: Person): true {
		const { world, habits } = this;
		if (habits.hasEvents === true) {
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
		const former = people.oneOf(people.former());
		if (former !== undefined && people.chance(0.15)) people.takeEmailOf(former, person);
		else people.takeNewEmail(person);
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
