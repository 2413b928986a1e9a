/**
 * Decides whose request is sent next (decision 0006):
 *
 * 1. The retry with the earliest deadline. After each retry, a first try follows.
 * 2. First tries of clients with few requests take turns with those of all others. Short work then
 *    ends soon, and long work still makes progress.
 * 3. In each of these two groups, workflows take turns.
 * 4. In a workflow, clients with few requests go in the order in which they came. Every eighth turn
 *    goes to the one that came last, so that it does not wait for all the others.
 * 5. The other clients of a workflow take turns.
 */

/**
 * A client has few requests while it has sent and queued no more than this. After that, it always
 * has many.
 */
const FEW_REQUESTS = 10;

/** Of a workflow's turns for clients with few requests, one in this many goes to the newest. */
const TURNS_PER_NEWEST = 8;

export interface Client {
	readonly workflow?: string;
}

export interface Queued {
	readonly client: Client;
	/** The latest time at which the request can be sent; Infinity for a first try. */
	readonly deadline: number;
}

/** The waiting first tries of one client. */
interface Line<T> {
	entries: T[];
	/** The place of the client in the order of arrival. */
	readonly arrival: number;
	sent: number;
	/** Whether the client has few requests. */
	isFew: boolean;
}

/** The waiting clients of one workflow. */
interface Lane<T> {
	readonly lines: Array<Line<T>>;
	turns: number;
}

/** By workflow. The one whose turn it is comes first. */
type Lanes<T> = Map<string | undefined, Lane<T>>;

export class FairQueue<T extends Queued> {
	/** The earliest deadline comes last. */
	private readonly retries: T[] = [];
	private readonly lines = new WeakMap<Client, Line<T>>();
	/** The clients with few requests, in the order in which they came. */
	private readonly few: Lanes<T> = new Map();
	/** The other clients, in the order of their turns. */
	private readonly many: Lanes<T> = new Map();
	/** Entries that were removed, but that are still in a list. */
	private readonly removed = new Set<T | undefined>();
	private arrivals = 0;
	private waiting = 0;
	private wasRetry = false;
	private wasFew = false;

	get isEmpty(): boolean {
		return this.waiting === 0;
	}

	add(entry: T): void {
		this.waiting++;
		if (entry.deadline < Infinity) return this.addRetry(entry);
		const { workflow } = entry.client;
		const line = this.lineOf(entry.client);
		const isWaiting = line.entries.length > 0;
		line.entries.push(entry);
		const hasGrown = line.isFew && line.sent + line.entries.length > FEW_REQUESTS;
		if (hasGrown && isWaiting) this.leaveFew(workflow, line);
		if (hasGrown) line.isFew = false;
		if (hasGrown || !isWaiting) this.enter(workflow, line);
	}

	/** Counts a request that was sent without waiting. */
	countSent(client: Client): void {
		this.lineOf(client).sent++;
	}

	/** Takes the entry whose turn it is. */
	next(): T | undefined {
		const first = this.wasRetry ? this.nextFirstTry() : this.nextRetry();
		const entry = first ?? this.nextRetry() ?? this.nextFirstTry();
		if (entry === undefined) return undefined;
		this.wasRetry = entry.deadline < Infinity;
		this.waiting--;
		return entry;
	}

	/** Takes the entry with the earliest deadline, if that deadline is `time` or earlier. */
	nextDue(time: number): T | undefined {
		const earliest = this.nextRetry();
		if (earliest === undefined) return undefined;
		if (earliest.deadline <= time) {
			this.waiting--;
			return earliest;
		}
		this.retries.push(earliest);
		return undefined;
	}

	/** Removes a waiting entry. It stays in its list until its turn comes, and is then skipped. */
	remove(entry: T): void {
		this.removed.add(entry);
		this.waiting--;
		if (this.isEmpty) this.clear();
	}

	private addRetry(entry: T): void {
		const place = this.retries.findIndex(({ deadline }) => deadline <= entry.deadline);
		this.retries.splice(place < 0 ? this.retries.length : place, 0, entry);
	}

	private lineOf(client: Client): Line<T> {
		const known = this.lines.get(client);
		if (known !== undefined) return known;
		this.arrivals += 1;
		const line = { entries: [], arrival: this.arrivals, sent: 0, isFew: true };
		this.lines.set(client, line);
		return line;
	}

	private enter(workflow: string | undefined, line: Line<T>): void {
		const { lines } = laneOf(line.isFew ? this.few : this.many, workflow);
		if (line.isFew) insertByArrival(lines, line);
		else lines.push(line);
	}

	/** A workflow without clients is skipped at its next turn. */
	private leaveFew(workflow: string | undefined, line: Line<T>): void {
		const { lines } = laneOf(this.few, workflow);
		lines.splice(lines.indexOf(line), 1);
	}

	private nextRetry(): T | undefined {
		let entry = this.retries.pop();
		while (this.removed.delete(entry)) entry = this.retries.pop();
		return entry;
	}

	private nextFirstTry(): T | undefined {
		while (this.few.size + this.many.size > 0) {
			const isFew = this.few.size > 0 && (!this.wasFew || this.many.size === 0);
			const entry = this.takeTurn(isFew ? this.few : this.many, isFew);
			if (entry === undefined) continue;
			this.wasFew = isFew;
			return entry;
		}
		return undefined;
	}

	/** One turn of the first workflow. Returns nothing if it has no client, or its entry was removed. */
	private takeTurn(lanes: Lanes<T>, isFew: boolean): T | undefined {
		const [first] = lanes;
		if (first === undefined) return undefined;
		const [workflow, lane] = first;
		const line = takeLine(lane, isFew);
		lanes.delete(workflow);
		if (lane.lines.length > 0) lanes.set(workflow, lane);
		if (line === undefined) return undefined;
		const entry = this.takeEntry(line);
		if (line.entries.length > 0) this.enter(workflow, line);
		return entry;
	}

	private takeEntry(line: Line<T>): T | undefined {
		const entry = line.entries.shift();
		if (this.removed.delete(entry)) return undefined;
		line.sent += 1;
		return entry;
	}

	/** Forgets the removed entries, so that they don't stay in memory. */
	private clear(): void {
		for (const lanes of [this.few, this.many]) {
			for (const { lines } of lanes.values()) for (const line of lines) line.entries = [];
			lanes.clear();
		}
		this.retries.length = 0;
		this.removed.clear();
	}
}

function laneOf<T>(lanes: Lanes<T>, workflow: string | undefined): Lane<T> {
	const lane = lanes.get(workflow) ?? { lines: [], turns: 0 };
	lanes.set(workflow, lane);
	return lane;
}

/** Takes the client whose turn it is in its workflow. */
function takeLine<T>(lane: Lane<T>, isFew: boolean): Line<T> | undefined {
	lane.turns += 1;
	const isNewest = isFew && lane.turns % TURNS_PER_NEWEST === 0;
	return isNewest ? lane.lines.pop() : lane.lines.shift();
}

/** A client that returns gets its old place, which is usually at one of the two ends. */
function insertByArrival<T>(lines: Array<Line<T>>, line: Line<T>): void {
	const first = lines[0];
	if (first === undefined || first.arrival > line.arrival) return void lines.unshift(line);
	let place = lines.length;
	while (place > 0 && arrivalOf(lines[place - 1]) > line.arrival) place--;
	lines.splice(place, 0, line);
}

function arrivalOf<T>(line: Line<T> | undefined): number {
	return line?.arrival ?? 0;
}
