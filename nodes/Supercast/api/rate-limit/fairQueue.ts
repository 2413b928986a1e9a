/** A queue that is fair between those who wait: they take turns, however much each has to do. Pure. */

/** Something that waits in a lane; a lane is whatever object stands for the one who waits. */
export interface Queued {
	readonly lane: object;
}

/** Round-robin queue: each lane is first in, first out, and the lanes take turns. */
export class Lanes<T extends Queued> {
	// A Map keeps the order of insertion: the lane whose turn is next comes first.
	private readonly lanes = new Map<object, T[]>();

	/** Queues an entry behind those of its lane. */
	add(entry: T): void {
		const queue = this.lanes.get(entry.lane);
		if (queue === undefined) this.lanes.set(entry.lane, [entry]);
		else queue.push(entry);
	}

	/** Takes the entry whose turn it is; its lane goes behind the others. */
	next(): T | undefined {
		const [first] = this.lanes;
		if (first === undefined) return undefined;
		const [lane, queue] = first;
		const entry = queue.shift();
		this.lanes.delete(lane);
		if (queue.length > 0) this.lanes.set(lane, queue);
		return entry;
	}

	/** Takes out an entry that no longer waits. */
	remove(entry: T): void {
		const rest = (this.lanes.get(entry.lane) ?? []).filter((other) => other !== entry);
		if (rest.length === 0) this.lanes.delete(entry.lane);
		else this.lanes.set(entry.lane, rest);
	}

	get isEmpty(): boolean {
		return this.lanes.size === 0;
	}

	/** Every entry that waits. */
	all(): T[] {
		return [...this.lanes.values()].flat();
	}
}
