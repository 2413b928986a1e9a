/** Decides which waiting request is sent next. Decision 0006 explains the order. */

/** Whoever sends requests: one run of a node. */
export interface Client {
	/** The ID of the workflow that the node belongs to. */
	readonly workflow?: string;
}

/** A waiting request. */
export interface Queued {
	readonly client: Client;
	/** The latest time at which the request can be sent; Infinity for a first try. */
	readonly deadline: number;
}

/** The waiting first tries of one client, in the order in which they arrived. */
interface Line<T> {
	readonly entries: T[];
	/** The order in which lines began to wait for their next turn. */
	since: number;
}

/** The lines of one workflow, the one that has waited longest first. */
interface Crowd<T> {
	/** The lines that have had no turn yet. */
	readonly fresh: Array<Line<T>>;
	readonly served: Array<Line<T>>;
	isNewestNext: boolean;
}

/**
 * A queue of retries and first tries.
 *
 * - The retry with the earliest deadline goes first, and a first try follows each retry.
 * - Workflows take turns with their first tries.
 * - Within a workflow, every second turn goes to the client that came last and has had no turn yet.
 *   The other turns go to the client that has waited longest for one.
 */
export class Turns<T extends Queued> {
	/** The earliest deadline comes last. */
	private readonly retries: T[] = [];
	private readonly lines = new Map<Client, Line<T>>();
	/** By workflow. The one whose turn it is comes first. */
	private readonly crowds = new Map<string, Crowd<T>>();
	private wasRetry = false;
	private arrivals = 0;

	add(entry: T): void {
		const { client, deadline } = entry;
		if (deadline < Infinity) {
			const place = this.retries.findIndex((other) => other.deadline <= deadline);
			this.retries.splice(place < 0 ? this.retries.length : place, 0, entry);
			return;
		}
		const known = this.lines.get(client);
		if (known !== undefined) {
			known.entries.push(entry);
			return;
		}
		const line = { entries: [entry], since: ++this.arrivals };
		this.lines.set(client, line);
		const crowd = this.crowdOf(client) ?? { fresh: [], served: [], isNewestNext: false };
		this.crowds.set(client.workflow ?? '', crowd);
		crowd.fresh.push(line);
	}

	/** Takes the entry whose turn it is. */
	next(): T | undefined {
		this.wasRetry = this.retries.length > 0 && (!this.wasRetry || this.lines.size === 0);
		if (this.wasRetry) return this.retries.pop();
		const [first] = this.crowds;
		if (first === undefined) return undefined;
		const [workflow, crowd] = first;
		const line = nextLine(crowd);
		const entry = line.entries.shift()!;
		this.crowds.delete(workflow);
		if (line.entries.length === 0) this.lines.delete(entry.client);
		else {
			line.since = ++this.arrivals;
			crowd.served.push(line);
		}
		if (crowd.fresh.length + crowd.served.length > 0) this.crowds.set(workflow, crowd);
		return entry;
	}

	/** Takes the entry with the earliest deadline, if that deadline is `time` or earlier. */
	nextDue(time: number): T | undefined {
		return (this.retries.at(-1)?.deadline ?? Infinity) <= time ? this.retries.pop() : undefined;
	}

	/** Removes an entry that no longer waits. */
	remove(entry: T): void {
		const { client } = entry;
		drop(this.retries, entry);
		const line = this.lines.get(client);
		const crowd = this.crowdOf(client);
		if (line === undefined || crowd === undefined) return;
		drop(line.entries, entry);
		if (line.entries.length > 0) return;
		this.lines.delete(client);
		drop(crowd.fresh, line);
		drop(crowd.served, line);
		if (crowd.fresh.length + crowd.served.length === 0) this.crowds.delete(client.workflow ?? '');
	}

	get isEmpty(): boolean {
		return this.retries.length === 0 && this.lines.size === 0;
	}

	private crowdOf({ workflow = '' }: Client): Crowd<T> | undefined {
		return this.crowds.get(workflow);
	}
}

function nextLine<T>(crowd: Crowd<T>): Line<T> {
	const { fresh, served, isNewestNext } = crowd;
	crowd.isNewestNext = !isNewestNext;
	if (isNewestNext && fresh.length > 0) return fresh.pop()!;
	const [first, again] = [fresh[0]?.since ?? Infinity, served[0]?.since ?? Infinity];
	return (first < again ? fresh : served).shift()!;
}

function drop<T>(list: T[], one: T): void {
	const index = list.indexOf(one);
	if (index >= 0) list.splice(index, 1);
}
