/** What the list of all subscribers shows, and what follows from someone's absence. */

import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError, ServiceError } from '../api/errors/errors';
import { customerIdOf, identifierKey, isSameIdentifier } from '../api/identity';
import { textOf } from '../api/json';
import type { IndexQuestion } from '../api/ledger/customerIdIndex';
import type { IdSnapshot, Listed } from '../api/ledger/idSnapshot';
import { inQueue } from '../api/queue';
import { findRecord } from '../api/records';
import type { ApiRequest } from '../api/types';
import { listRequest, readRequest, recordKind } from '../operations/kinds';
import { readList, type FetchedList } from '../operations/lists';

/** What reading them takes. `kind.ts` has the rest, which needs to find them. */
const kind = recordKind('Subscriber', { isPerson: true });

/** The request that reads one subscriber, by uuid or email. */
export function lookUp(name: string): ApiRequest {
	return readRequest(kind, name);
}

/** Reads who has an email in lower case, if that differs, because look-ups may be case-sensitive. */
export async function findInLowerCase(
	client: SupercastClient,
	email: string,
): Promise<IDataObject | undefined> {
	const lowered = email.toLowerCase();
	return lowered === email ? undefined : await findRecord(client, lookUp(lowered));
}

/** Reads all subscribers, and keeps their customer IDs in the index. Only one snapshot at a time. */
export async function readSubscribers<T extends Listed>(
	client: SupercastClient,
	take: (record: IDataObject) => T,
): Promise<FetchedList<T>> {
	const work = async () => await readNow(client, take);
	return (await inQueue(client, listRequest(kind), work)).list;
}

async function readNow<T extends Listed>(
	client: SupercastClient,
	take: (record: IDataObject) => T,
): Promise<{ list: FetchedList<T>; snapshot: IdSnapshot }> {
	const { ledger, ownChanges } = client.channel;
	const beganAt = ledger.now();
	const taken = (record: IDataObject): T =>
		take(ownChanges.corrected({ path: [kind.path] }, record, beganAt) ?? record);
	const read = async () => await readList(client, kind, { take: taken, mustBeSteady: true });
	return await client.channel.customerIds.keep(read, isExecutionStop);
}

/** Whether an error only means that this execution was stopped. */
function isExecutionStop(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { failure } = error;
	return failure.kind === 'network' && failure.code === 'ERR_CANCELED';
}

/** A snapshot of the list that is good enough, or else a new one. */
export async function currentSnapshot(
	client: SupercastClient,
	question: IndexQuestion,
): Promise<IdSnapshot> {
	const { customerIds: index } = client.channel;
	const known = index.answer(question);
	if (known !== undefined) return known;
	return await inQueue(client, listRequest(kind), async () => {
		const meanwhile = index.answer(question);
		return meanwhile ?? (await readNow(client, listedOf)).snapshot;
	});
}

function listedOf({ customer_id: id, uuid, email }: IDataObject): Listed {
	return {
		customerId: customerIdOf(id),
		uuid: textOf(uuid),
		email: textOf(email),
		emailKey: identifierKey(email),
	};
}

/** By client: from which snapshot on the list counts that was read again for this execution. */
const readAgainAt = new WeakMap<SupercastClient, number>();

/**
 * Finds out whether a subscriber whom a look-up did not find is really missing. A 404 alone proves
 * nothing, because a wrong address or a gateway has the same status. So the list must not show them
 * either. After a 404 that may be a gateway's, this takes a new list. If it shows them, finds them
 * by the name there, or else reads it again, once for each execution.
 * @returns The record, if Supercast has it under another name. Undefined if it is missing.
 * @throws InputError if the list proves nothing, and ServiceError if it shows the subscriber.
 */
export async function proveMissing(
	client: SupercastClient,
	name: string,
	isBare: boolean,
): Promise<IDataObject | undefined> {
	const { customerIds: index } = client.channel;
	const again = readAgainAt.get(client) ?? index.nextNumber;
	if (isBare) readAgainAt.set(client, again);
	const known = await currentSnapshot(client, index.ask(isBare ? again : undefined));
	const listed = known.names.find(name);
	if (listed === undefined) return requireComplete(known, name);
	const found = isSameIdentifier(listed, name)
		? undefined
		: await findRecord(client, lookUp(listed));
	if (found !== undefined && isSameIdentifier(found.email, name)) return found;
	readAgainAt.set(client, again);
	const latest = await currentSnapshot(client, index.ask(again));
	if (latest.names.find(name) === undefined) return requireComplete(latest, name);
	throw new ServiceError(
		`Supercast did not find the subscriber "${name}", although its list shows them`,
		'Nothing was changed. Check this subscriber in Supercast, then run this item again.',
		{ kind: 'unexpected', status: 404, came: 'a 404' },
	);
}

/** An incomplete list does not prove that someone is missing. */
function requireComplete({ isComplete }: IdSnapshot, name: string): undefined {
	if (isComplete) return undefined;
	throw new InputError(
		`The node could not determine whether Supercast has the subscriber "${name}"`,
		'Supercast sent only part of the list of subscribers, or the list kept changing. Run the node again for this item.',
	);
}
