/** Decides which waiting request is sent next. Decision 0006 explains the order. */

/** A sender of requests: one run of a node. */
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

/** The waiting first tries of one client. */
interface Line<T> {
	/** In the order in which they arrived. */
	readonly entries: T[];
	/** Whether the client has had a turn since it began to wait. */
	isServed: boolean;
}

interface Workflow<T> {
	/** The clients that wait, the one that has waited longest for its next turn first. */
	readonly lines: Array<Line<T>>;
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
	/** By ID. The one whose turn it is comes first. */
	private readonly workflows = new Map<string, Workflow<T>>();
	private wasRetry = false;

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
		const { workflow: id = '' } = client;
		const line = { entries: [entry], isServed: false };
		const workflow = this.workflows.get(id) ?? { lines: [], isNewestNext: false };
		this.lines.set(client, line);
		this.workflows.set(id, workflow);
		workflow.lines.push(line);
	}

	/** Takes the entry whose turn it is. */
	next(): T | undefined {
		this.wasRetry = this.retries.length > 0 && (!this.wasRetry || this.lines.size === 0);
		if (this.wasRetry) return this.retries.pop();
		const [first] = this.workflows;
		if (first === undefined) return undefined;
		const [id, workflow] = first;
		const { lines, isNewestNext } = workflow;
		let place = isNewestNext ? lines.length - 1 : 0;
		while (place > 0 && lines[place]!.isServed) place--;
		workflow.isNewestNext = !isNewestNext;
		const line = lines.splice(place, 1)[0]!;
		const entry = line.entries.shift()!;
		line.isServed = true;
		if (line.entries.length > 0) lines.push(line);
		else this.lines.delete(entry.client);
		this.workflows.delete(id);
		if (lines.length > 0) this.workflows.set(id, workflow);
		return entry;
	}

	/** Takes the entry with the earliest deadline, if that deadline is `time` or earlier. */
	nextDue(time: number): T | undefined {
		return (this.retries.at(-1)?.deadline ?? Infinity) <= time ? this.retries.pop() : undefined;
	}

	/** Removes an entry that no longer waits. */
	remove(entry: T): void {
		const { client } = entry;
		const { workflow: id = '' } = client;
		drop(this.retries, entry);
		const line = this.lines.get(client);
		const lines = this.workflows.get(id)?.lines ?? [];
		if (line === undefined) return;
		drop(line.entries, entry);
		if (line.entries.length > 0) return;
		this.lines.delete(client);
		drop(lines, line);
		if (lines.length === 0) this.workflows.delete(id);
	}

	get isEmpty(): boolean {
		return this.retries.length === 0 && this.lines.size === 0;
	}
}

function drop<T>(list: T[], one: T): void {
	const index = list.indexOf(one);
	if (index >= 0) list.splice(index, 1);
}
