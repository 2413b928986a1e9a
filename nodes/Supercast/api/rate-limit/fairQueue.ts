/** Decides the order of requests. Retries alternate with first tries, and clients take turns. */

/** An entry in the queue. */
export interface Queued {
	/** The waiting client. Its first tries leave the queue in the order in which they arrived. */
	readonly client: object;
	/** The latest time at which the entry can be sent; Infinity for a first try. */
	readonly deadline: number;
}

/**
 * A queue of retries and first tries. The retry with the earliest deadline goes first. Retries do
 * not queue behind the first tries of other clients, because they might then miss their deadlines.
 * Retries and first tries alternate, so that requests that keep failing do not take every turn.
 * Clients take turns with their first tries. So a client waits for at most one first try of each
 * other client, no matter how many are queued.
 */
export class FairQueue<T extends Queued> {
	// The retry with the earliest deadline is the last element. There are few retries, namely the
	// requests that were in flight when a pause began. Even with 5,000 retries, adding one takes a
	// microsecond.
	private readonly retries: T[] = [];
	private readonly queues = new Map<object, Queue<T>>();
	private readonly turns = new Queue<object>();
	private wasRetry = false;

	add(entry: T): void {
		if (entry.deadline < Infinity) {
			const place = this.retries.findIndex(({ deadline }) => deadline <= entry.deadline);
			this.retries.splice(place < 0 ? this.retries.length : place, 0, entry);
			return;
		}
		const queue = this.queues.get(entry.client) ?? new Queue<T>();
		this.queues.set(entry.client, queue);
		this.turns.add(entry.client);
		queue.add(entry);
	}

	/** Takes the entry whose turn it is. */
	next(): T | undefined {
		this.wasRetry = this.retries.length > 0 && (!this.wasRetry || this.turns.isEmpty);
		const client = this.wasRetry ? undefined : this.turns.next();
		if (client === undefined) return this.retries.pop();
		const queue = this.queues.get(client)!;
		const entry = queue.next();
		if (queue.isEmpty) this.queues.delete(client);
		else this.turns.add(client);
		return entry;
	}

	/** Takes the entry with the earliest deadline, if that deadline is `time` or earlier. */
	nextDue(time: number): T | undefined {
		return (this.retries.at(-1)?.deadline ?? Infinity) <= time ? this.retries.pop() : undefined;
	}

	/** Removes an entry that no longer waits. */
	remove(entry: T): void {
		const index = this.retries.indexOf(entry);
		if (index >= 0) this.retries.splice(index, 1);
		const queue = this.queues.get(entry.client);
		queue?.remove(entry);
		if (queue?.isEmpty !== true) return;
		this.queues.delete(entry.client);
		this.turns.remove(entry.client);
	}

	get isEmpty(): boolean {
		return this.retries.length === 0 && this.turns.isEmpty;
	}
}

/** A first-in, first-out queue without duplicates. Every operation takes constant time. */
class Queue<T> {
	private readonly entries = new Set<T>();
	// The iterator is kept, because a new one skips every removed entry before it finds the first
	// remaining one. With 100,000 entries, each step would take 30 microseconds instead of 0.3.
	private walk = this.entries.values();

	add(entry: T): void {
		this.entries.add(entry);
	}

	next(): T | undefined {
		let { value } = this.walk.next();
		if (value === undefined) {
			// An iterator that has reached the end stays there.
			this.walk = this.entries.values();
			({ value } = this.walk.next());
		}
		if (value !== undefined) this.entries.delete(value);
		return value;
	}

	remove(entry: T): void {
		this.entries.delete(entry);
	}

	get isEmpty(): boolean {
		return this.entries.size === 0;
	}
}
