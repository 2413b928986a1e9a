import { customerIdOf, nameKey, nameOf, type Names } from './identity';
import { asRecord, textOf } from './json';
import type { ApiRequest } from './types';

const MINUTE_MS = 60_000;

/**
 * For at least this long, a reading of the list proves that nobody has a certain customer ID. A
 * Sync that runs every five minutes reads the list again in time.
 */
const BELIEVED_MS = 6 * MINUTE_MS;

/**
 * The reading of a longer list counts for longer. So readings take at most 10 of the 100 requests
 * per minute.
 */
const BELIEVED_MS_PER_PAGE = 6_000;

/** A reading is recent for this long. It counts for at least this long after its end. */
const RECENT_MS = MINUTE_MS;

/**
 * A list may lack changes that were made less than this long before it was read, because of
 * replicas (inferred).
 */
const LAG_MS = MINUTE_MS;

/** How many emails of new subscribers to remember. Between two counts, a Sync creates fewer. */
const MOST_CREATED = 10_000;

/** A subscriber on the list. */
export interface Listed extends Names {
	customerId: string;
}

/** A whole list, as it was read. */
export interface WholeList<T> {
	taken: T[];
	/** How many requests its last reading took. */
	pages: number;
	/** Whether this list shows all subscribers, so that nobody else exists. */
	isComplete: boolean;
}

/** What a reading of the list says about customer IDs. */
export interface IdReading {
	/** Readings are numbered from 1, in the order in which they began. */
	readonly number: number;
	readonly pages: number;
	readonly isComplete: boolean;
	/** On the register's clock. */
	readonly beganAt: number;
	/** The names of the people who may have each customer ID, as in Supercast's paths. */
	readonly holders: ReadonlyMap<string, readonly string[]>;
}

interface KeptReading extends IdReading {
	readonly keptUntil: number;
	readonly holders: Map<string, string[]>;
}

/** Which readings are good enough for an execution. */
export interface RegisterQuestion {
	/** How many readings had ended when the execution asked. */
	readonly afterEnded: number;
	/** The lowest number of a reading that counts. */
	readonly firstNumber: number;
}

/**
 * Who has which customer ID, as far as this process knows. This combines the last whole reading of
 * the list with what the process has written since. All executions with the same credential, host
 * and channel share it. Decision 0012 says how long a reading counts, and what can go wrong.
 */
export class CustomerIdRegister {
	/** How many readings have begun, and how many have ended. */
	private begun = 0;
	private ended = 0;

	/** When the reading in progress began. */
	private readingSince: number | undefined;

	/** The latest complete reading. */
	private believed: KeptReading | undefined;

	/** The latest reading, if it is incomplete. It serves only those who waited for it. */
	private incomplete: KeptReading | undefined;

	/** Why the latest reading failed, if that concerns those who waited for it. */
	private failure: Error | undefined;

	/** When this process last wrote a customer ID or deleted a subscriber. By name, oldest first. */
	private readonly writes = new Map<string, { at: number; customerId: string }>();

	/** How many subscribers this process has created, and the place of each, by email. */
	private creations = 0;
	private readonly created = new Map<string, number>();

	/** @param now In milliseconds. Never goes backward, and runs through the computer's sleep. */
	constructor(private readonly now: () => number) {}

	/** Whether the register has neither a reading nor a write. */
	get isEmpty(): boolean {
		return !this.believed && !this.incomplete && this.writes.size === 0;
	}

	/** The number of the next reading to begin. */
	get nextNumber(): number {
		return this.begun + 1;
	}

	/** @param firstNumber The lowest number of a reading that counts. By default, any reading does. */
	ask(firstNumber = 0): RegisterQuestion {
		return { afterEnded: this.ended, firstNumber };
	}

	/**
	 * Returns a reading that is good enough. An incomplete one counts if it ended after the question.
	 * Throws if a reading that ended after the question failed.
	 */
	answer({ afterEnded, firstNumber }: RegisterQuestion): IdReading | undefined {
		this.forgetOld();
		if (this.ended > afterEnded && this.failure !== undefined) throw this.failure;
		const latest = this.ended > afterEnded ? this.incomplete : undefined;
		return [this.believed, latest].find((one) => one !== undefined && one.number >= firstNumber);
	}

	/** Whether a reading is recent enough to say that nobody has an ID, and there is nothing to do. */
	provesAbsence({ beganAt, pages }: IdReading): boolean {
		return this.now() - beganAt <= Math.max(RECENT_MS, pages * BELIEVED_MS_PER_PAGE);
	}

	/** How old the latest complete reading is, in milliseconds. 0 if there is none. */
	get ageMs(): number {
		return this.believed === undefined ? 0 : this.now() - this.believed.beganAt;
	}

	/**
	 * Runs a reading of the list, and keeps who has which customer ID. There may be only one reading
	 * at a time.
	 * @param isOwn Whether an error concerns only the execution that reads, such as a stop.
	 */
	async keep<L extends WholeList<Listed>>(
		read: () => Promise<L>,
		isOwn: (error: unknown) => boolean,
	): Promise<{ list: L; reading: IdReading }> {
		const number = ++this.begun;
		const beganAt = this.now();
		this.readingSince = beganAt;
		this.incomplete = undefined;
		this.failure = undefined;
		const list = await read()
			.catch((error: unknown) => {
				if (error instanceof Error && !isOwn(error)) this.failure = error;
				throw error;
			})
			.finally(() => {
				this.ended++;
				this.readingSince = undefined;
			});
		const reading = this.readingOf(list, number, beganAt);
		if (reading.isComplete) this.believed = reading;
		else this.incomplete = reading;
		return { list, reading };
	}

	/** Notes that a request may have given a subscriber a customer ID, or deleted a subscriber. */
	note({ method, path, body }: ApiRequest, response: unknown): void {
		const [collection, pathName] = path;
		if (collection !== 'subscribers' || method === 'GET') return;
		const sent = asRecord(Object.values(body ?? {})[0]);
		if (method === 'POST') this.noteCreated(nameKey(sent.email));
		if (method !== 'DELETE' && sent.customer_id === undefined) return;
		const shown = asRecord(response);
		const known = nameOf({ uuid: textOf(shown.uuid), email: textOf(shown.email) });
		const name = known || pathName || textOf(sent.email);
		const customerId = customerIdOf(sent.customer_id);
		this.forgetOld();
		// Deletes the name first, so that the newest write is at the end.
		this.writes.delete(name);
		this.writes.set(name, { at: this.now(), customerId });
		if (this.believed !== undefined) addHolder(this.believed.holders, customerId, name);
	}

	/** How many subscribers this process may have created so far. */
	get createdCount(): number {
		return this.creations;
	}

	/** Whether it may have created one with the email since `createdCount` was `afterCount`. */
	hasCreated(email: string, afterCount: number): boolean {
		return (this.created.get(nameKey(email)) ?? 0) > afterCount;
	}

	private noteCreated(key: string): void {
		this.created.delete(key);
		this.created.set(key, ++this.creations);
		const [oldest = ''] = this.created.keys();
		if (this.created.size > MOST_CREATED) this.created.delete(oldest);
	}

	/** Whether this process has changed someone's customer ID, so that a reading may be outdated. */
	hasWritten(name: string): boolean {
		return this.writes.has(name);
	}

	private readingOf(list: WholeList<Listed>, number: number, beganAt: number): KeptReading {
		const { taken, pages, isComplete } = list;
		const holders = new Map<string, string[]>();
		for (const one of taken) addHolder(holders, one.customerId, nameOf(one));
		for (const [name, { customerId }] of this.writes) addHolder(holders, customerId, name);
		const keptUntil = Math.max(
			beganAt + BELIEVED_MS,
			beganAt + pages * BELIEVED_MS_PER_PAGE,
			this.now() + RECENT_MS,
		);
		return { number, pages, isComplete, holders, beganAt, keptUntil };
	}

	/** Forgets what no longer counts. */
	forgetOld(): void {
		const now = this.now();
		const kept = (one: KeptReading | undefined) => (one && now < one.keptUntil ? one : undefined);
		this.believed = kept(this.believed);
		this.incomplete = kept(this.incomplete);
		const shownSince = this.believed?.beganAt ?? this.readingSince ?? now;
		for (const [name, { at }] of this.writes) {
			if (at >= shownSince - LAG_MS) break;
			this.writes.delete(name);
		}
	}
}

function addHolder(holders: Map<string, string[]>, customerId: string, name: string): void {
	if (customerId === '' || name === '') return;
	const names = holders.get(customerId);
	if (names === undefined) holders.set(customerId, [name]);
	else if (!names.includes(name)) names.push(name);
}

const registers = new Map<string, CustomerIdRegister>();

/** Gets the register of a channel. `channel` names the credential, the host and the channel. */
export function customerIdsOf(channel: string, now: () => number): CustomerIdRegister {
	const register = registers.get(channel) ?? new CustomerIdRegister(now);
	registers.set(channel, register);
	for (const one of registers.values()) one.forgetOld();
	return register;
}
