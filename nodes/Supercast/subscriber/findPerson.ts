/** The one way to find people in Supercast, and to prove that it does not have them. */

import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { customerIdOf, identifierOf, isSameIdentifier } from '../api/identity';
import { textOf } from '../api/json';
import type { IdSnapshot } from '../api/ledger/idSnapshot';
import type { Candidate } from '../api/queue';
import { findRecord, isBareNotFound } from '../api/records';
import { isOpenRecord } from '../api/states';
import { currentSnapshot, findInLowerCase, lookUp, proveMissing } from './listing';

/**
 * What it takes to say that nobody is there.
 *
 * - `told`: Supercast's own 404.
 * - `notKnown`: this process does not know them either. It does not wait for the list if the feed of
 *   the subscriber with the email and the customer ID is open.
 * - `proven`: the list does not show them either.
 */
type Certainty = 'notKnown' | 'proven' | 'told';

/**
 * Finds the subscribers with an email or a customer ID, of which one may be empty. Supercast cannot
 * look up customer IDs, so the node searches them in the list.
 * @throws ServiceError if a request fails, and InputError if an absence cannot be proven.
 */
export async function findPerson(
	client: SupercastClient,
	email: string,
	customerId: string,
	certainty: Certainty,
): Promise<IDataObject[]> {
	const found = email === '' ? [] : await readByEmail(client, email);
	if (customerId !== '') await addHolders(client, customerId, found, certainty);
	const isFound = found.some((one) => isSameIdentifier(one.email, email));
	if (isFound || email === '' || certainty === 'told') return found;
	// "There is nothing to do" must be true.
	const listed =
		certainty === 'proven' && found.length === 0
			? await proveMissing(client, email, false)
			: await readKnown(client, email);
	return listed === undefined ? found : [listed, ...found];
}

/** Reads a subscriber again whom Supercast has shown. Undefined if the list proves that they are gone. */
export async function readSubscriberAgain(
	client: SupercastClient,
	name: string,
): Promise<IDataObject | undefined> {
	return (await readNamed(client, name)) ?? (await proveMissing(client, name, false));
}

/** Reads a subscriber. If a 404 may be a gateway's, the list decides. */
async function readNamed(client: SupercastClient, name: string): Promise<IDataObject | undefined> {
	return await findRecord(client, lookUp(name)).catch(async (error: unknown) => {
		if (!isBareNotFound(error)) throw error;
		return await proveMissing(client, name, true);
	});
}

/** Reads who has an email, as typed or in lower case. */
async function readByEmail(client: SupercastClient, email: string): Promise<IDataObject[]> {
	const found = (await readNamed(client, email)) ?? (await findInLowerCase(client, email));
	return found === undefined ? [] : [found];
}

/** Reads who has an email, according to what this process knows, under the name that it knows. */
async function readKnown(client: SupercastClient, email: string): Promise<IDataObject | undefined> {
	const name = client.channel.customerIds.identifierWithEmail(email);
	if (name === undefined || isSameIdentifier(name, email)) return undefined;
	const record = await findRecord(client, lookUp(name));
	return isSameIdentifier(record?.email, email) ? record : undefined;
}

/** Adds those who have a customer ID to the one who was found. */
async function addHolders(
	client: SupercastClient,
	customerId: string,
	found: IDataObject[],
	certainty: Certainty,
): Promise<void> {
	for (const { name, record } of await likelyHolders(client, customerId, found, certainty)) {
		// A subscriber whom this process has created may be known by their email.
		const isName = (one: unknown): boolean => isSameIdentifier(one, name);
		if (found.some(({ uuid, email }) => isName(uuid) || isName(email))) continue;
		const latest = record ?? (await readSubscriberAgain(client, name));
		// They may not have it any more.
		if (latest !== undefined && hasId(latest, customerId)) found.push(latest);
	}
}

async function likelyHolders(
	client: SupercastClient,
	customerId: string,
	seen: readonly IDataObject[],
	certainty: Certainty,
): Promise<Candidate[]> {
	const { customerIds: index } = client.channel;
	const isThere = seen.some((one) => isOpenRecord(one) && hasId(one, customerId));
	if (certainty !== 'notKnown' || !isThere) {
		const mustProve = certainty === 'proven' && seen.length === 0;
		return await holdersOf(client, customerId, { seen: [...seen], mustProve });
	}
	const known = index.answer(index.ask())?.holders.get(customerId) ?? [];
	return known.map((name) => ({ name }));
}

/** How one execution has used the index so far. Each client serves one execution. */
interface Use {
	/** The number of the first snapshot that begins after the execution's first question. */
	readonly ownFrom: number;
	/** How many records were read only to check the index. */
	checks: number;
}

const uses = new WeakMap<SupercastClient, Use>();

/** The question of who has a customer ID. */
interface Search {
	client: SupercastClient;
	customerId: string;
	/** Records that were just read, so that checking them takes no request. */
	seen: readonly IDataObject[];
	use: Use;
}

interface SearchOptions {
	/** Records that were just read. */
	seen?: readonly IDataObject[];
	/** Whether to read the list again before it is said that nobody has the ID, unless it is recent. */
	mustProve?: boolean;
}

/**
 * Finds all subscribers with a customer ID. Paths do not accept it (Supercast API reference, the
 * subscriber object), and lists have no filters. So an index keeps what the whole list shows, and
 * the node checks the people found there. Decision 0012 says how long it trusts the index.
 * @throws InputError if there seems to be none, but the list kept changing.
 */
export async function holdersOf(
	client: SupercastClient,
	customerId: string,
	{ seen = [], mustProve }: SearchOptions = {},
): Promise<Candidate[]> {
	const { customerIds: index } = client.channel;
	const use = uses.get(client) ?? { ownFrom: index.nextNumber, checks: 0 };
	uses.set(client, use);
	const search = { client, customerId, seen, use };
	const snapshot = await goodSnapshot(search);
	const holders = await holdersIn(search, snapshot);
	const isDoubtful = holders?.length === 0 && mustProve && !index.provesAbsence(snapshot);
	if (holders !== undefined && !isDoubtful) return holders;
	const newSnapshot = await currentSnapshot(client, index.ask(index.nextNumber));
	const latest = await holdersIn(search, newSnapshot);
	if (latest === undefined) throw undetermined(customerId);
	return latest;
}

/**
 * The snapshot to search. Checking more and more names would cost more than reading the list again.
 */
async function goodSnapshot(search: Search): Promise<IdSnapshot> {
	const { client, use } = search;
	const { customerIds: index } = client.channel;
	const snapshot = await currentSnapshot(client, index.ask());
	if (use.checks < snapshot.pages) return snapshot;
	return await currentSnapshot(client, index.ask(use.ownFrom));
}

/**
 * Checks who has the customer ID according to a snapshot. Returns undefined if the snapshot is
 * outdated, because someone no longer has the ID, and this process did not change it.
 */
async function holdersIn(search: Search, snapshot: IdSnapshot): Promise<Candidate[] | undefined> {
	const { client, customerId, use } = search;
	const names = snapshot.holders.get(customerId) ?? [];
	// An incomplete list does not prove that someone is missing.
	if (names.length === 0 && !snapshot.isComplete) throw undetermined(customerId);
	const isOwn = snapshot.number >= use.ownFrom;
	const needsCheck = (name: string): boolean =>
		!isOwn || client.channel.customerIds.hasWritten(name);
	const holders = new Map<string, Candidate>();
	let isOutdated = false;
	const look = async (name: string): Promise<void> => {
		const holder = needsCheck(name) ? await check(search, name) : { name };
		if (holder !== undefined) holders.set(holder.name, holder);
		else if (!client.channel.customerIds.hasWritten(name)) isOutdated = true;
	};
	await Promise.all(names.map(look));
	return isOutdated ? undefined : [...holders.values()];
}

/** Reads a record, unless it was just read. Returns undefined if it does not have the customer ID. */
async function check(search: Search, name: string): Promise<Candidate | undefined> {
	const { client, customerId, seen, use } = search;
	const known = seen.find((one) => nameOfRecord(one) === name);
	if (known === undefined) use.checks++;
	const record = known ?? (await findRecord(client, lookUp(name)));
	if (record === undefined || !hasId(record, customerId)) return undefined;
	return { name: nameOfRecord(record) || name, record };
}

function hasId({ customer_id: id }: IDataObject, customerId: string): boolean {
	return customerIdOf(id) === customerId;
}

function nameOfRecord({ uuid, email }: IDataObject): string {
	return identifierOf({ uuid: textOf(uuid), email: textOf(email) });
}

function undetermined(customerId: string): InputError {
	return new InputError(
		`The node could not determine whether a subscriber has the customer ID "${customerId}"`,
		'Supercast sent only part of the list of subscribers, or the list kept changing. Run the node again for this item.',
	);
}
