import { customerIdOf, identifierOf } from '../identity';
import { asRecord, textOf } from '../json';
import type { ApiRequest } from '../types';
import { IdentifiersByEmail } from './emails';
import {
	addHolder,
	provesAbsence,
	snapshotOf,
	type IdSnapshot,
	type KeptSnapshot,
	type Listed,
	type ReadList,
} from './idSnapshot';
import { Recent } from './recent';

/**
 * A list may lack changes that were made less than this long before it was read, because of
 * replicas (inferred).
 */
const LAG_MS = 60_000;

/** How many of the subscribers that it has created a process remembers. */
const MOST_CREATED = 10_000;

/** Which snapshots are good enough for an execution. */
export interface IndexQuestion {
	/** How many snapshots had ended when the execution asked. */
	readonly afterEnded: number;
	/** The lowest number of a snapshot that counts. */
	readonly firstNumber: number;
}

/**
 * Who has which customer ID, as far as this process knows. This combines the last complete snapshot of
 * the list with what the process has written since. Decision 0012 says how long a snapshot counts,
 * and what can go wrong.
 */
export class CustomerIdIndex {
	/** How many snapshots have begun, and how many have ended. */
	private begun = 0;
	private ended = 0;

	/** When the snapshot in progress began. */
	private fetchingSince: number | undefined;

	/** The latest complete snapshot. */
	private believed: KeptSnapshot | undefined;

	/** The latest snapshot, if it is incomplete. It serves only those who waited for it. */
	private incomplete: KeptSnapshot | undefined;

	/** Why the latest snapshot failed, if that concerns those who waited for it. */
	private failure: Error | undefined;

	/** When this process last wrote a customer ID or deleted a subscriber, by name. */
	private readonly writes = new Recent<{ at: number; customerId: string }>();

	/** The subscribers that this process has created. */
	private readonly created = new IdentifiersByEmail(MOST_CREATED);

	/** @param now In milliseconds. Never goes backward, and runs through the computer's sleep. */
	constructor(private readonly now: () => number) {}

	/** Whether it knows everyone. */
	get hasSnapshot(): boolean {
		this.forgetOld();
		return this.believed !== undefined;
	}

	/** The number of the next snapshot to begin. */
	get nextNumber(): number {
		return this.begun + 1;
	}

	/** @param firstNumber The lowest number of a snapshot that counts. By default, any snapshot does. */
	ask(firstNumber = 0): IndexQuestion {
		return { afterEnded: this.ended, firstNumber };
	}

	/**
	 * Returns a snapshot that is good enough. An incomplete one counts if it ended after the question.
	 * Throws if a snapshot that ended after the question failed.
	 */
	answer({ afterEnded, firstNumber }: IndexQuestion): IdSnapshot | undefined {
		this.forgetOld();
		if (this.ended > afterEnded && this.failure !== undefined) throw this.failure;
		const latest = this.ended > afterEnded ? this.incomplete : undefined;
		return [this.believed, latest].find((one) => one !== undefined && one.number >= firstNumber);
	}

	/** Whether a snapshot is recent enough to say that nobody has an ID, and there is nothing to do. */
	provesAbsence(snapshot: IdSnapshot): boolean {
		return provesAbsence(snapshot, this.now());
	}

	/** How old the latest complete snapshot is, in milliseconds. 0 if there is none. */
	get ageMs(): number {
		return this.believed === undefined ? 0 : this.now() - this.believed.beganAt;
	}

	/**
	 * Takes a snapshot of the list, and keeps who has which customer ID. There may be only one snapshot
	 * at a time.
	 * @param isOwn Whether an error concerns only the execution that reads, such as a stop.
	 */
	async keep<L extends ReadList<Listed>>(
		read: () => Promise<L>,
		isOwn: (error: unknown) => boolean,
	): Promise<{ list: L; snapshot: IdSnapshot }> {
		const number = ++this.begun;
		const beganAt = this.now();
		this.fetchingSince = beganAt;
		this.incomplete = undefined;
		this.failure = undefined;
		const list = await read()
			.catch((error: unknown) => {
				if (error instanceof Error && !isOwn(error)) this.failure = error;
				throw error;
			})
			.finally(() => {
				this.ended++;
				this.fetchingSince = undefined;
			});
		const snapshot = snapshotOf(list, { number, beganAt, endedAt: this.now() });
		for (const [name, { customerId }] of this.writes) addHolder(snapshot.holders, customerId, name);
		if (snapshot.isComplete) this.believed = snapshot;
		else this.incomplete = snapshot;
		return { list, snapshot };
	}

	/** Notes that a request may have given a subscriber a customer ID, or deleted a subscriber. */
	noteResponse({ method, path, body }: ApiRequest, response: unknown): void {
		const [collection, pathName] = path;
		if (collection !== 'subscribers' || method === 'GET') return;
		const sent = asRecord(Object.values(body ?? {})[0]);
		const shown = asRecord(response);
		const known = identifierOf({ uuid: textOf(shown.uuid), email: textOf(shown.email) });
		if (method === 'POST') this.created.set(textOf(sent.email), known);
		if (method === 'DELETE') [known, pathName].forEach((name) => this.forgetIdentifier(name));
		else if (sent.customer_id === undefined) return;
		const name = known || pathName || textOf(sent.email);
		const customerId = customerIdOf(sent.customer_id);
		this.forgetOld();
		this.writes.set(name, { at: this.now(), customerId });
		if (this.believed !== undefined) addHolder(this.believed.holders, customerId, name);
	}

	/**
	 * The name in Supercast's paths of the subscriber who has an email, according to the latest snapshot
	 * or what this process has created.
	 */
	identifierWithEmail(email: string): string | undefined {
		this.forgetOld();
		return this.created.get(email) ?? this.believed?.names.get(email);
	}

	private forgetIdentifier(name = ''): void {
		if (name === '') return;
		this.created.delete(name);
		this.believed?.names.delete(name);
	}

	/** Whether this process has changed someone's customer ID, so that a snapshot may be outdated. */
	hasWritten(name: string): boolean {
		return this.writes.has(name);
	}

	/** Forgets what no longer counts. */
	forgetOld(): void {
		const now = this.now();
		const kept = (one: KeptSnapshot | undefined) => (one && now < one.keptUntil ? one : undefined);
		this.believed = kept(this.believed);
		this.incomplete = kept(this.incomplete);
		const shownSince = this.believed?.beganAt ?? this.fetchingSince ?? now;
		this.writes.forget(({ at }) => at < shownSince - LAG_MS);
	}
}
