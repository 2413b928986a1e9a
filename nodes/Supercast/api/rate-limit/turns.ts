/** Decides which waiting request is sent next. Decision 0006 explains the order. */

/** One run of a node. `workflow` is the ID of the workflow that the node belongs to. */
export interface Client {
	readonly workflow?: string;
}

/** A waiting request. */
export interface Queued {
	readonly client: Client;
	/** The latest time at which the request can be sent; Infinity for a first try. */
	readonly deadline: number;
}

/** The waiting first tries of one client, and whether it has had a turn since it began to wait. */
interface Line<T> {
	readonly entries: T[];
	isServed: boolean;
}

interface Workflow<T> {
	/** The one that has waited longest for its next turn comes first. */
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
	private readonly workflows = new Map<string | undefined, Workflow<T>>();
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
		const line = { entries: [entry], isServed: false };
		const workflow = this.workflows.get(client.workflow) ?? { lines: [], isNewestNext: false };
		workflow.lines.push(line);
		this.lines.set(client, line);
		this.workflows.set(client.workflow, workflow);
	}

	/** Takes the entry whose turn it is. */
	next(): T | undefined {
		this.wasRetry = this.retries.length > 0 && (!this.wasRetry || this.workflows.size === 0);
		if (this.wasRetry) return this.retries.pop();
		const [first] = this.workflows;
		if (first === undefined) return undefined;
		const [id, workflow] = first;
		const { lines, isNewestNext } = workflow;
		let place = isNewestNext ? lines.length - 1 : 0;
		while (place > 0 && lines[place]!.isServed) place--;
		workflow.isNewestNext = !isNewestNext;
		const [line] = lines.splice(place, 1) as [Line<T>];
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
		drop(this.retries, entry);
		const line = this.lines.get(client);
		if (line === undefined) return;
		drop(line.entries, entry);
		if (line.entries.length > 0) return;
		const { lines } = this.workflows.get(client.workflow)!;
		this.lines.delete(client);
		drop(lines, line);
		if (lines.length === 0) this.workflows.delete(client.workflow);
	}

	get isEmpty(): boolean {
		return this.retries.length === 0 && this.workflows.size === 0;
	}
}

function drop<T>(list: T[], one: T): void {
	const index = list.indexOf(one);
	if (index >= 0) list.splice(index, 1);
}
