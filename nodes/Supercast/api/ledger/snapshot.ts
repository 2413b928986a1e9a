/** What a reading of the list of subscribers says, and how long it counts. */

import { MINUTE_MS } from '../clock';
import { nameOf, type Names } from '../identity';
import { NamesByEmail } from './emails';

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
	/** The name of everyone, as in Supercast's paths. */
	readonly names: Pick<NamesByEmail, 'find'>;
}

export interface KeptReading extends IdReading {
	readonly keptUntil: number;
	readonly holders: Map<string, string[]>;
	readonly names: NamesByEmail;
}

/**
 * Whether a reading is recent enough to say that nobody has an ID, and there is nothing to do.
 * @param now On the register's clock.
 */
export function provesAbsence({ beganAt, pages }: IdReading, now: number): boolean {
	return now - beganAt <= Math.max(RECENT_MS, pages * BELIEVED_MS_PER_PAGE);
}

/** Makes a reading of a list that has just been read. Both times are on the register's clock. */
export function readingOf(
	{ taken, pages, isComplete }: WholeList<Listed>,
	{ number, beganAt, endedAt }: { number: number; beganAt: number; endedAt: number },
): KeptReading {
	const holders = new Map<string, string[]>();
	const names = new NamesByEmail();
	for (const one of taken) {
		addHolder(holders, one.customerId, nameOf(one));
		names.set(one.email, nameOf(one));
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
