/** What a snapshot of the list of subscribers says, and how long it counts. */

import { MINUTE_MS } from '../clock';
import { identifierOf, type Identifiers } from '../identity';
import { IdentifiersByEmail } from './emails';

/**
 * For at least this long, a snapshot of the list proves that nobody has a certain customer ID. A
 * Sync that runs every five minutes reads the list again in time.
 */
const BELIEVED_MS = 6 * MINUTE_MS;

/**
 * The snapshot of a longer list counts for longer. So snapshots take at most 10 of the 100 requests
 * per minute.
 */
const BELIEVED_MS_PER_PAGE = 6_000;

/** A snapshot is recent for this long. It counts for at least this long after its end. */
const RECENT_MS = MINUTE_MS;

/** A subscriber on the list. */
export interface Listed extends Identifiers {
	/** The email in the form in which emails are compared. */
	emailKey: string;
	customerId: string;
}

/** A list, as it was read. */
export interface ReadList<T> {
	taken: T[];
	/** How many requests its last snapshot took. */
	pages: number;
	/** Whether this list shows all subscribers, so that nobody else exists. */
	isComplete: boolean;
}

/** What a snapshot of the list says about customer IDs. */
export interface IdSnapshot {
	/** Snapshots are numbered from 1, in the order in which they began. */
	readonly number: number;
	readonly pages: number;
	readonly isComplete: boolean;
	/** On the index's clock. */
	readonly beganAt: number;
	/** The names of the people who may have each customer ID, as in Supercast's paths. */
	readonly holders: ReadonlyMap<string, readonly string[]>;
	/** The name of everyone, as in Supercast's paths. */
	readonly names: Pick<IdentifiersByEmail, 'find'>;
}

export interface KeptSnapshot extends IdSnapshot {
	readonly keptUntil: number;
	readonly holders: Map<string, string[]>;
	readonly names: IdentifiersByEmail;
}

/**
 * Whether a snapshot is recent enough to say that nobody has an ID, and there is nothing to do.
 * @param now On the index's clock.
 */
export function provesAbsence({ beganAt, pages }: IdSnapshot, now: number): boolean {
	return now - beganAt <= Math.max(RECENT_MS, pages * BELIEVED_MS_PER_PAGE);
}

/** Makes a snapshot of a list that has just been read. Both times are on the index's clock. */
export function snapshotOf(
	{ taken, pages, isComplete }: ReadList<Listed>,
	{ number, beganAt, endedAt }: { number: number; beganAt: number; endedAt: number },
): KeptSnapshot {
	const holders = new Map<string, string[]>();
	const names = new IdentifiersByEmail();
	for (const one of taken) {
		addHolder(holders, one.customerId, identifierOf(one));
		names.setByKey(one.emailKey, identifierOf(one));
	}
	const keptUntil = Math.max(
		beganAt + BELIEVED_MS,
		beganAt + pages * BELIEVED_MS_PER_PAGE,
		endedAt + RECENT_MS,
	);
	return { number, pages, isComplete, holders, names, beganAt, keptUntil };
}

/** Adds someone who may have a customer ID. */
export function addHolder(holders: Map<string, string[]>, customerId: string, name: string): void {
	if (customerId === '' || name === '') return;
	const names = holders.get(customerId);
	if (names === undefined) holders.set(customerId, [name]);
	else if (!names.includes(name)) names.push(name);
}
