import { Recent } from './register/recent';
import { keysOf, kindOf, type NameKind, type Whom } from './identity';

/** A Sync waits up to half an hour before it says that it runs. */
const KEPT_MS = 60 * 60_000;

const MOST_KEPT = 100_000;

/** What has happened to a person. */
interface Happened {
	at: number;
	/** When the latest event about them was decided. Undefined if there was only a Sync. */
	decidedAt?: number;
	/** When the latest event about them ended well. */
	doneAt?: number;
	/** How many changes there had been when they may have changed. */
	change: number;
}

/** What to note about a person. */
interface Note {
	/** Whether they may have changed in Supercast. */
	isChange: boolean;
	/** Whether an event has led to it. A Sync with an older list does not undo it. */
	isEvent: boolean;
	/** Whether an event has ended well. */
	isDone?: boolean;
}

/**
 * What this process has recently decided and changed, by person (decision 0014). It forgets what no
 * running Sync needs, and the oldest names if there are too many. Then it says that everyone may have
 * changed.
 */
export class RecentDecisions {
	private changes = 0;

	/** By the keys of a person. */
	private readonly happened = new Recent<Happened>();

	/** When the lists of the running Syncs arrived. */
	private readonly lists = new Set<{ cameAt: number }>();

	/** The latest that was forgotten. */
	private readonly forgotten = { decidedAt: -Infinity, doneAt: -Infinity, change: -1 };

	private readonly since: number;

	/** @param now In milliseconds. Never goes backward. */
	constructor(private readonly now: () => number) {
		this.since = now();
	}

	/** How many changes have been noted so far. */
	get changeCount(): number {
		return this.changes;
	}

	/** Notes that someone has decided about a person, also after a failure. */
	note(keys: Iterable<string>, { isChange, isEvent, isDone }: Note): void {
		const at = this.now();
		if (isChange) this.changes += 1;
		for (const key of keys) {
			const before = this.happened.get(key);
			this.happened.set(key, {
				at,
				decidedAt: isEvent ? at : before?.decidedAt,
				doneAt: isDone ? at : before?.doneAt,
				change: isChange ? this.changes : (before?.change ?? 0),
			});
		}
		this.forgetOld();
	}

	/** Keeps all decisions since a list arrived, until the returned function is called. */
	keepSince(cameAt: number): () => void {
		const list = { cameAt };
		this.lists.add(list);
		return () => void this.lists.delete(list);
	}

	/** Whether an event about the person was decided at `time` or later, as far as is known. */
	hasDecidedSince(keys: Iterable<string>, time: number): boolean {
		const latest = [...keys].map((key) => this.happened.get(key)?.decidedAt ?? -Infinity);
		return Math.max(this.forgotten.decidedAt, ...latest) >= time;
	}

	/** Whether an event about the person may have ended well at `time` or later. */
	mayHaveDoneSince(keys: readonly string[], time: number): boolean {
		const latest = keys.map((key) => this.happened.get(key)?.doneAt ?? -Infinity);
		return time < this.since || Math.max(this.forgotten.doneAt, ...latest) >= time;
	}

	/** Whether this process has worked on the person in the last `ms` milliseconds. */
	hasWorkedWithin(keys: readonly string[], ms: number): boolean {
		const since = this.now() - ms;
		return keys.some((key) => (this.happened.get(key)?.at ?? -Infinity) >= since);
	}

	/** Whether the person may have changed after the first `count` changes. */
	hasChangedSince(keys: Iterable<string>, count: number): boolean {
		const latest = [...keys].map((key) => this.happened.get(key)?.change ?? 0);
		return Math.max(this.forgotten.change, ...latest) > count;
	}

	private forgetOld(): void {
		const needed = [...this.lists].map(({ cameAt }) => cameAt);
		const oldest = Math.min(this.now() - KEPT_MS, ...needed);
		const isOld = ({ at }: Happened): boolean => at < oldest || this.happened.size > MOST_KEPT;
		const forgotten = this.happened.forget(isOld);
		for (const { decidedAt = -Infinity, doneAt = -Infinity, change } of forgotten) {
			this.forgotten.decidedAt = Math.max(this.forgotten.decidedAt, decidedAt);
			this.forgotten.doneAt = Math.max(this.forgotten.doneAt, doneAt);
			this.forgotten.change = Math.max(this.forgotten.change, change);
		}
	}
}

/** The queue of all who change something in a channel. */
export class Turns {
	private arrivals = 0;

	private readonly byKey = new Map<string, Set<Place>>();

	/** The places of people, in the order of arrival. */
	private readonly people = new Set<Place>();

	/** Takes a place behind all earlier ones. It must be left in the end. */
	enter({ named, gives = {} }: Whom): Place {
		const given = keysOf(gives);
		const place = this.enterFor(given, given.map(kindOf).includes('email'));
		const keys = keysOf(named);
		if (keys.length > 0) this.people.add(place);
		if (new Set(keys.map(kindOf)).size === 1) place.learn(keys);
		else place.join(keys);
		return place;
	}

	/** Takes a place for everything that has one of these keys. It must be left in the end. */
	enterFor(keys: readonly string[], givesEmail = false): Place {
		this.arrivals += 1;
		const place = new Place(this.arrivals, this.byKey, this.people, givesEmail);
		place.join(keys);
		return place;
	}
}

/** The place of an event in the queue. */
export class Place {
	/** All names that are known, as keys. */
	readonly keys = new Set<string>();

	/** Ends when the place has been left. */
	readonly left: Promise<void>;

	private end: () => void = () => undefined;

	private isWorking = false;

	/** Whether Supercast may have more names for the person. */
	private isPartlyKnown = true;

	/** The kinds of names that the person certainly has. */
	private readonly kinds = new Set<NameKind>();

	constructor(
		private readonly arrival: number,
		private readonly byKey: Map<string, Set<Place>>,
		private readonly people: Set<Place>,
		private readonly givesEmail: boolean,
	) {
		this.left = new Promise((resolve) => (this.end = resolve));
	}

	/** Joins the queues of further names. */
	join(keys: readonly string[]): void {
		for (const key of keys) {
			this.keys.add(key);
			const queue = this.byKey.get(key);
			if (queue === undefined) this.byKey.set(key, new Set([this]));
			else queue.add(this);
		}
	}

	/** Notes names that the person has. `areAll`: Supercast shows no others now. */
	learn(keys: readonly string[], areAll = false): void {
		this.join(keys);
		for (const key of keys) this.kinds.add(kindOf(key));
		this.isPartlyKnown = !areAll;
	}

	/** The places to wait for. */
	before(): Place[] {
		const all = [...this.keys].flatMap((key) => [...(this.byKey.get(key) ?? [])]);
		return all.filter((other) => {
			const isFirst = other.isWorking || other.arrival < this.arrival;
			return other !== this && isFirst;
		});
	}

	/**
	 * Whether an earlier event may be about the same person under another kind of name, or about the
	 * one who has the email that this event gives. Two emails, customer IDs or UUIDs are two people.
	 */
	mayMeetUnknown(): boolean {
		for (const other of this.people) {
			if (other === this) return false;
			if (!other.isPartlyKnown) continue;
			const isOther = [...other.kinds].some((kind) => this.kinds.has(kind));
			if (this.isPartlyKnown && !isOther) return true;
			if (this.givesEmail && !other.kinds.has('email')) return true;
		}
		return false;
	}

	/** Begins to work, unless someone else comes first. */
	begin(): boolean {
		this.isWorking ||= this.before().length === 0;
		return this.isWorking;
	}

	leave(): void {
		this.people.delete(this);
		for (const key of this.keys) {
			const queue = this.byKey.get(key);
			queue?.delete(this);
			if (queue?.size === 0) this.byKey.delete(key);
		}
		this.end();
	}
}
