/**
 * The one way to change something about a person (decision 0012):
 *
 *     an event arrives  ->  earlier events   ->  find     ->  work   ->  note what has changed,
 *     with some names       that share a         the          alone      also after a failure
 *                           name end first       person
 *                                ^                 |
 *                                +-----------------+
 *                           they have more names, or have changed
 *
 * An event waits only for earlier ones, and for those at work. Those at work take no more names. So
 * nobody waits forever.
 */

import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from './client';
import { abortedDuring } from './clock';
import { describeFailure } from './errors/errors';
import {
	keysOf,
	identifierKey,
	identifiersIn,
	type PersonIdentifiers,
	type Whom,
} from './identity';
import type { QueuePlace } from './ledger/personQueues';
import { findRecord } from './records';
import type { ApiRequest } from './types';

/** What the node has found about a person, and the names that it shows. */
export interface FoundPerson<Found> {
	found: Found;
	names?: readonly PersonIdentifiers[];
	/** Whether these are all names that Supercast has for this person. */
	areAll?: boolean;
}

/** Something that happens to a person. */
export interface PersonEvent<Found, Done> extends Whom {
	/** How the error names the person if the execution is stopped. */
	subject: ApiRequest;
	/** Finds the person before it works. Runs again if they have changed since. */
	find: () => Promise<FoundPerson<Found>>;
	/** These find all their names, if `find` does not. They are sent only if they are needed. */
	lookUps?: (found: Found) => ApiRequest[];
	/** Decides and applies. Nobody else works on the person meanwhile. */
	work: (found: Found) => Promise<Done>;
	outcome: (done: Done) => Outcome;
	/** False for Sync, which decides by a list, and does not undo what others decide meanwhile. */
	isEvent?: boolean;
}

export interface Outcome {
	/** Whether it may have changed something in Supercast. */
	isChange: boolean;
	/** Names that Supercast shows afterwards. */
	names?: PersonIdentifiers;
}

/**
 * Works on a person in order of arrival, and notes what has happened.
 * @param place Its place in the queue, if it has arrived before.
 * @throws ServiceError if the execution is stopped, and whatever the event throws.
 */
export async function runInQueue<Found, Done>(
	client: SupercastClient,
	event: PersonEvent<Found, Done>,
	place = client.channel.queues.enter(event),
): Promise<Done> {
	const { isEvent = true } = event;
	const note = ({ isChange, names = {} }: Outcome): void =>
		client.channel.ledger.noteDecision([...place.keys, ...keysOf(names)], {
			isChange,
			isEvent,
		});
	try {
		const found = await findInQueue(client, event, place);
		const beganAt = client.channel.ledger.now();
		const done = await event.work(found).catch((error: unknown) => {
			// A change whose response was lost may have been made.
			note({ isChange: true });
			client.channel.ledger.noteFailure(place.keys, beganAt);
			throw error;
		});
		note(event.outcome(done));
		return done;
	} finally {
		client.channel.ledger.spreadOpen(place.keys);
		client.channel.ownChanges.spread(place.keys);
		place.leave();
	}
}

/** Finds a person who is first in the queue, as they are now. */
async function findInQueue<Found, Done>(
	client: SupercastClient,
	event: PersonEvent<Found, Done>,
	place: QueuePlace,
): Promise<Found> {
	const { ledger } = client.channel;
	let latest: { found: Found; changeCount: number } | undefined;
	for (;;) {
		await waitFor(client, place, event.subject);
		if (await waitForEnd(client, place, event.subject)) latest = undefined;
		else if (latest === undefined || ledger.hasChangedSince(place.keys, latest.changeCount)) {
			const { changeCount } = ledger;
			latest = { found: await findIdentifiers(client, event, place), changeCount };
		} else if (place.begin()) return latest.found;
	}
}

async function findIdentifiers<Found, Done>(
	client: SupercastClient,
	{ find, lookUps }: PersonEvent<Found, Done>,
	place: QueuePlace,
): Promise<Found> {
	// They may have other names than before.
	place.learn([]);
	const { found, names = [], areAll = false } = await find();
	place.learn(names.flatMap(keysOf), areAll);
	if (lookUps === undefined || !place.mayMeetUnknown()) return found;
	// Without these look-ups, the event only loses its place.
	const records = lookUps(found).map(
		async (request) => await findRecord(client, request).catch(() => undefined),
	);
	for (const record of await Promise.all(records)) place.learn(keysOf(identifiersIn(record ?? {})));
	place.learn([], true);
	return found;
}

/**
 * Runs `work` when no other work of this process has the same key. It is not about a person.
 * @throws ServiceError if the execution is stopped during the wait.
 */
export async function inQueue<T>(
	client: SupercastClient,
	request: ApiRequest,
	work: () => Promise<T>,
): Promise<T> {
	const place = client.channel.queues.enterFor([identifierKey(request.path.join(' '))]);
	try {
		await waitFor(client, place, request);
		return await work();
	} finally {
		place.leave();
	}
}

/**
 * Waits until it is sure how earlier changes of the person have ended. Otherwise, one of them might
 * be made after this event, or a read might not show it.
 * @returns Whether it has waited.
 */
async function waitForEnd(
	{ channel, signal }: SupercastClient,
	place: QueuePlace,
	request: ApiRequest,
): Promise<boolean> {
	const open = channel.ledger.openFor(place.keys);
	if (open.length === 0) return false;
	if (await abortedDuring(channel.ended(open, signal), signal)) {
		throw describeFailure({ kind: 'network', code: 'ERR_CANCELED' }, request);
	}
	return true;
}

async function waitFor(
	{ signal }: SupercastClient,
	place: QueuePlace,
	request: ApiRequest,
): Promise<void> {
	for (let others = place.before(); others.length > 0; others = place.before()) {
		const ended = Promise.all(others.map(({ left }) => left));
		if (await abortedDuring(ended, signal)) {
			throw describeFailure({ kind: 'network', code: 'ERR_CANCELED' }, request);
		}
	}
}

/** Someone who may be the person. */
export interface Candidate {
	/** The name in Supercast's paths. */
	name: string;
	/** If the node has read the record. */
	record?: IDataObject;
}

/** Runs an event that finds people without reading all their records. */
export async function runForCandidates(
	client: SupercastClient,
	event: Pick<
		PersonEvent<Candidate[], IDataObject>,
		'gives' | 'lookUps' | 'named' | 'subject' | 'work'
	> & { find: () => Promise<Candidate[]> },
	place?: QueuePlace,
): Promise<IDataObject> {
	const find = async (): Promise<FoundPerson<Candidate[]>> => {
		const found = await event.find();
		const names = found.map(({ name, record }) =>
			record ? identifiersIn(record) : { uuid: name },
		);
		return { found, names };
	};
	const outcome = (record: IDataObject): Outcome => ({
		isChange: true,
		names: identifiersIn(record),
	});
	return await runInQueue(client, { ...event, find, outcome }, place);
}
