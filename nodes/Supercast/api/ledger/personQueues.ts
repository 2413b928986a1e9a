import { keysOf, kindOf, type IdentifierKind, type Whom } from '../identity';

/** The queue of all who change something in a channel. */
export class PersonQueues {
	private arrivals = 0;

	private readonly byKey = new Map<string, Set<QueuePlace>>();

	/** The places of people, in the order of arrival. */
	private readonly people = new Set<QueuePlace>();

	/** Takes a place behind all earlier ones. It must be left in the end. */
	enter({ named, gives = {} }: Whom): QueuePlace {
		const given = keysOf(gives);
		const place = this.enterFor(given, given.map(kindOf).includes('email'));
		const keys = keysOf(named);
		if (keys.length > 0) this.people.add(place);
		if (new Set(keys.map(kindOf)).size === 1) place.learn(keys);
		else place.join(keys);
		return place;
	}

	/** Takes a place for everything that has one of these keys. It must be left in the end. */
	enterFor(keys: readonly string[], givesEmail = false): QueuePlace {
		this.arrivals += 1;
		const place = new QueuePlace(this.arrivals, this.byKey, this.people, givesEmail);
		place.join(keys);
		return place;
	}
}

/** The place of an event in the queue. */
export class QueuePlace {
	/** All names that are known, as keys. */
	readonly keys = new Set<string>();

	/** Ends when the place has been left. */
	readonly left: Promise<void>;

	private end: () => void = () => undefined;

	private isWorking = false;

	/** Whether Supercast may have more names for the person. */
	private isPartlyKnown = true;

	/** The kinds of names that the person certainly has. */
	private readonly kinds = new Set<IdentifierKind>();

	constructor(
		private readonly arrival: number,
		private readonly byKey: Map<string, Set<QueuePlace>>,
		private readonly people: Set<QueuePlace>,
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
	before(): QueuePlace[] {
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
