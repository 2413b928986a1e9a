export interface Client {
	readonly workflow?: string;
}

export interface Queued {
	readonly client: Client;
	/** The latest time at which the request can be sent; Infinity for a first try. */
	readonly deadline: number;
}

/** `since` orders lines by when they began to wait. */
interface Line<T> {
	readonly entries: T[];
	since: number;
}

/** The lines of a workflow, oldest first. Those in `served` have had a turn. */
interface Workflow<T> {
	readonly unserved: Array<Line<T>>;
	readonly served: Array<Line<T>>;
	isNewestNext: boolean;
}

/**
 * A queue of retries and first tries. Decision 0006 explains the order. The retry with the earliest
 * deadline goes first, and a first try follows each retry. Workflows take turns with their first
 * tries. In a workflow, every second turn goes to the client that came last and has had no turn.
 * The others go to the client that has waited longest.
 */
export class Turns<T extends Queued> {
	/** The earliest deadline comes last. */
	private readonly retries: T[] = [];
	private readonly lines = new Map<Client, Line<T>>();
	/** By ID. The one whose turn it is comes first. */
	private readonly workflows = new Map<string | undefined, Workflow<T>>();
	private wasRetry = false;
	private count = 0;

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
		const line = { entries: [entry], since: ++this.count };
		this.lines.set(client, line);
		const workflow = this.workflows.get(client.workflow);
		if (workflow !== undefined) workflow.unserved.push(line);
		else this.workflows.set(client.workflow, { unserved: [line], served: [], isNewestNext: false });
	}

	next(): T | undefined {
		this.wasRetry = this.retries.length > 0 && (!this.wasRetry || this.workflows.size === 0);
		if (this.wasRetry) return this.retries.pop();
		const [first] = this.workflows;
		if (first === undefined) return undefined;
		const [id, workflow] = first;
		const { unserved, served, isNewestNext } = workflow;
		workflow.isNewestNext = !isNewestNext;
		const newest = isNewestNext ? unserved.pop() : undefined;
		const isOldestServed = (served[0]?.since ?? Infinity) < (unserved[0]?.since ?? Infinity);
		const line = newest ?? (isOldestServed ? served : unserved).shift()!;
		const entry = line.entries.shift()!;
		line.since = ++this.count;
		if (line.entries.length > 0) served.push(line);
		else this.lines.delete(entry.client);
		this.workflows.delete(id);
		if (unserved.length + served.length > 0) this.workflows.set(id, workflow);
		return entry;
	}

	/** Takes the entry with the earliest deadline, if that deadline is `time` or earlier. */
	nextDue(time: number): T | undefined {
		return (this.retries.at(-1)?.deadline ?? Infinity) <= time ? this.retries.pop() : undefined;
	}

	entries(): T[] {
		return [...this.retries, ...[...this.lines.values()].flatMap(({ entries }) => entries)];
	}

	remove(entry: T): void {
		const { client } = entry;
		drop(this.retries, entry);
		const line = this.lines.get(client);
		if (line === undefined) return;
		drop(line.entries, entry);
		if (line.entries.length > 0) return;
		const { unserved, served } = this.workflows.get(client.workflow)!;
		this.lines.delete(client);
		drop(unserved, line);
		drop(served, line);
		if (unserved.length + served.length === 0) this.workflows.delete(client.workflow);
	}

	get isEmpty(): boolean {
		return this.retries.length === 0 && this.workflows.size === 0;
	}
}

function drop<T>(list: T[], one: T): void {
	const index = list.indexOf(one);
	if (index >= 0) list.splice(index, 1);
}
