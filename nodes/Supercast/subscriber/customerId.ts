import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { customerIdOf, identifierOf } from '../api/identity';
import { textOf } from '../api/json';
import { findRecord } from '../api/records';
import type { IdSnapshot } from '../api/ledger/idSnapshot';
import type { Candidate } from '../api/queue';
import {
	NoSuchRecordError,
	readRequest,
	type Identifier,
	type RecordKind,
} from '../operations/kinds';
import { refuseSpoiledName } from '../operations/spoiled';
import { requireId } from '../operations/texts';
import { currentSnapshot } from './listing';

export { identifierOf };

/** How one execution has used the index so far. Each client serves one execution. */
interface Use {
	/** The number of the first snapshot that begins after the execution's first question. */
	readonly ownFrom: number;
	/** How many records were read only to check the index. */
	checks: number;
}

const uses = new WeakMap<SupercastClient, Use>();

/** Reads a customer ID, which is case-sensitive. Throws InputError if it is blank. */
export function customerIdentifier(typed: string, kind: RecordKind): Required<Identifier> {
	const value = requireId(typed, 'Subscriber');
	return {
		key: 'customer_id',
		value,
		search: {
			find: async (client) => await findByCustomerId(client, value, kind, { mustProve: true }),
			choose: async (client, holders) => {
				const [holder] = holders;
				if (holder === undefined) {
					refuseSpoiledName(value, 'Subscriber');
					throw new NoSuchRecordError(
						`Supercast has no subscriber with the customer ID "${value}"`,
						'Check the ID, and check that the credential belongs to the right channel. If the subscriber has no customer ID, use the email instead.',
					);
				}
				if (holders.length === 1) return holder.name;
				throw new InputError(
					`${holders.length} subscribers have the customer ID "${value}": ${await emailsOfHolders(client, holders, kind)}`,
					'Select the subscriber by email or UUID, or correct the customer ID in Supercast.',
				);
			},
		},
	};
}

async function emailsOfHolders(
	client: SupercastClient,
	holders: readonly Candidate[],
	kind: RecordKind,
): Promise<string> {
	const emails = holders.map(async ({ name, record }) => {
		const shown = record ?? (await findRecord(client, readRequest(kind, name)));
		return textOf(shown?.email) || name;
	});
	return (await Promise.all(emails)).join(', ');
}

/** The question of who has a customer ID. */
interface Search {
	client: SupercastClient;
	customerId: string;
	kind: RecordKind;
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
export async function findByCustomerId(
	client: SupercastClient,
	customerId: string,
	kind: RecordKind,
	{ seen = [], mustProve }: SearchOptions = {},
): Promise<Candidate[]> {
	const { customerIds: index } = client.channel;
	const use = uses.get(client) ?? { ownFrom: index.nextNumber, checks: 0 };
	uses.set(client, use);
	const search = { client, customerId, kind, seen, use };
	const snapshot = await goodSnapshot(search);
	const holders = await holdersIn(search, snapshot);
	const isDoubtful = holders?.length === 0 && mustProve && !index.provesAbsence(snapshot);
	if (holders !== undefined && !isDoubtful) return holders;
	const newSnapshot = await currentSnapshot(client, kind, index.ask(index.nextNumber));
	return (await holdersIn(search, newSnapshot)) ?? [];
}

/**
 * The names of those who may have a customer ID, as far as this process knows. Sends no request, so it
 * proves nothing about others.
 */
export function likelyHolders({ channel }: SupercastClient, customerId: string): readonly string[] {
	const snapshot = channel.customerIds.answer(channel.customerIds.ask());
	return snapshot?.holders.get(customerIdOf(customerId)) ?? [];
}

/**
 * The snapshot to search. Checking more and more names would cost more than reading the list again.
 */
async function goodSnapshot(search: Search): Promise<IdSnapshot> {
	const { client, kind } = search;
	const { customerIds: index } = client.channel;
	const snapshot = await currentSnapshot(client, kind, index.ask());
	if (search.use.checks < snapshot.pages) return snapshot;
	return await currentSnapshot(client, kind, index.ask(search.use.ownFrom));
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
	const { client, customerId, kind, seen, use } = search;
	const known = seen.find((one) => nameOfRecord(one) === name);
	if (known === undefined) use.checks++;
	const record = known ?? (await findRecord(client, readRequest(kind, name)));
	if (record === undefined || customerIdOf(record.customer_id) !== customerId) return undefined;
	return { name: nameOfRecord(record) || name, record };
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

/** Groups values by a key, and adds them to `groups`. Leaves out those without a key. */
export function groupBy<T, K>(
	things: readonly T[],
	keyOf: (thing: T) => K | undefined,
	groups = new Map<K, T[]>(),
): Map<K, T[]> {
	for (const thing of things) {
		const key = keyOf(thing);
		if (!key) continue;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [thing]);
		else group.push(thing);
	}
	return groups;
}
