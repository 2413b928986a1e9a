/** The order in which requests go: retries first, and then every client in its turn. */

/** Something that waits. */
export interface Queued {
	/** Whoever waits; the entries of one client are first in, first out. */
	readonly client: object;
	/** Until when it can wait; Infinity for a first try. */
	readonly deadline: number;
}

/**
 * Who has a deadline goes first, the earliest before the others: a retry that stood behind the first
 * tries of others would be given up before its turn. All others take turns by client, so that one
 * request waits for one of each other client at most, however much each of those has to do.
 */
export class FairQueue<T extends Queued> {
	/** The latest deadline first, so that the earliest is taken off the end. */
	private readonly retries: T[] = [];
	private readonly queues = new Map<object, Queue<T>>();
	private readonly turns = new Queue<object>();

	add(entry: T): void {
		if (entry.deadline < Infinity) {
			this.retries.splice(this.firstDueBy(entry.deadline), 0, entry);
			return;
		}
		let queue = this.queues.get(entry.client);
		if (queue === undefined) {
			queue = new Queue();
			this.queues.set(entry.client, queue);
			this.turns.add(entry.client);
		}
		queue.add(entry);
	}

	/** Takes the entry whose turn it is. */
	next(): T | undefined {
		const retry = this.retries.pop();
		if (retry !== undefined) return retry;
		const client = this.turns.next();
		if (client === undefined) return undefined;
		const queue = this.queues.get(client)!;
		const entry = queue.next();
		if (queue.isEmpty) this.queues.delete(client);
		else this.turns.add(client);
		return entry;
	}

	/** Takes the entry with the earliest deadline if that is `time` or earlier. */
	nextDue(time: number): T | undefined {
		const earliest = this.retries.at(-1);
		return earliest !== undefined && earliest.deadline <= time ? this.retries.pop() : undefined;
	}

	/** Takes out an entry that no longer waits. */
	remove(entry: T): void {
		if (entry.deadline < Infinity) {
			const index = this.retries.indexOf(entry, this.firstDueBy(entry.deadline));
			if (index >= 0) this.retries.splice(index, 1);
			return;
		}
		const queue = this.queues.get(entry.client);
		queue?.remove(entry);
		if (queue?.isEmpty !== true) return;
		this.queues.delete(entry.client);
		this.turns.remove(entry.client);
	}

	get isEmpty(): boolean {
		return this.retries.length === 0 && this.turns.isEmpty;
	}

	/** Index of the first retry that is due by `deadline`; one that is added goes after its equals. */
	private firstDueBy(deadline: number): number {
		let low = 0;
		let high = this.retries.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.retries[middle]!.deadline <= deadline) high = middle;
			else low = middle + 1;
		}
		return low;
	}
}

/** First in, first out, and everything costs the same however many there are. */
class Queue<T> {
	private readonly entries = new Set<T>();
	// Kept, since a new iterator walks over all that was taken out since the set last cleaned up.
	private walk = this.entries.values();

	add(entry: T): void {
		this.entries.add(entry);
	}

	next(): T | undefined {
		let step = this.walk.next();
		if (step.done === true) {
			// An iterator that has met the end once stays there.
			this.walk = this.entries.values();
			step = this.walk.next();
		}
		if (step.done === true) return undefined;
		this.entries.delete(step.value);
		return step.value;
	}

	remove(entry: T): void {
		this.entries.delete(entry);
	}

	get isEmpty(): boolean {
		return this.entries.size === 0;
	}
}
