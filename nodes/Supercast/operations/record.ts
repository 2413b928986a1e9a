import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { changeAndConfirm } from '../api/changes';
import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import type { AskedChange } from '../api/confirm';
import { isSameIdentifier, type Whom } from '../api/identity';
import { isRecord } from '../api/json';
import { LARGEST_PAGE } from '../api/paging/page';
import type { QueuePlace } from '../api/ledger/personQueues';
import { findRecord, isBareNotFound, isNotFound } from '../api/records';
import { runForCandidates, type Candidate } from '../api/queue';
import type { ApiRequest, Subject } from '../api/types';
import {
	identifyRecord,
	type Identifier,
	listRequest,
	NoSuchRecordError,
	personOf,
	readRequest,
	recordSubject,
	type RecordKind,
} from './kinds';
import { readList } from './lists';
import { choice, choiceField } from './properties';
import { refuseSpoiledName } from './spoiled';
import type { AddHint, ItemParameters, Operation } from './types';
import { requireChoice } from './validation';

/** By default, the action consists of the names of the operation and the record. */
export interface Texts extends Pick<Operation, 'description' | 'name' | 'notice'> {
	action?: string;
	/** The verb in error messages. By default, the request's method determines it. */
	verb?: string;
}

interface RecordOperation<Prepared> extends Texts {
	properties?: INodeProperties[];
	/** Without this option, a missing record is always an error. */
	ifMissing?: INodeProperties;
	/** The output for a missing record, besides `alreadyMissing`. */
	missing?: IDataObject;
	prepare?: (item: ItemParameters) => Prepared;
	/** For an operation that changes the record: the names that it gives to a person. */
	gives?: (prepared: Prepared) => IDataObject;
	run: (
		client: SupercastClient,
		target: { key: string; value: string; name: string; subject: Subject },
		prepared: Prepared,
		addHint?: AddHint,
	) => Promise<IDataObject>;
}

const REMEDY = "To allow missing records, use 'Add Option' to set 'If Missing' to 'Succeed'.";

/** Builds an operation on one record, which the item selects with the locator. */
export function recordOperation<Prepared = void>(
	kind: RecordKind,
	operation: RecordOperation<Prepared>,
): Operation {
	const { properties = [], verb, ifMissing, missing, prepare, gives, run, ...texts } = operation;
	return {
		action: `${texts.name} ${kind.singular}`,
		...texts,
		properties: [kind.locator, ...properties],
		options: ifMissing && [ifMissing],
		prepare: (item) => {
			const identifier = identifyRecord(kind, item);
			const { key, value } = identifier;
			const subject = recordSubject(kind, value, { verb, remedyIfMissing: ifMissing && REMEDY });
			const prepared = prepare?.(item) as Prepared;
			const maySucceed = maySucceedWithout(item, ifMissing);
			const isTurn = kind.hasAccess === true && gives !== undefined;
			const changes = isTurn ? personOf(identifier, gives(prepared)) : undefined;
			return {
				record: value,
				changes,
				run: async (client, addHint, place) => {
					let name: string | undefined;
					const workOn = async (found: string): Promise<IDataObject> => {
						name = found;
						return await run(client, { key, value, name: found, subject }, prepared, addHint);
					};
					const done = workInQueue({ kind, identifier, changes }, client, workOn, place);
					const output = await done.catch(async (error: unknown) => {
						if (kind.isPerson && isNotFound(error)) refuseSpoiledName(value, kind.label);
						if (!maySucceed || !(await isMissing(client, kind, name, error))) throw error;
						return { ...missing, alreadyMissing: true, [key]: value };
					});
					return [output];
				},
			};
		},
	};
}

/** What an item is about. `changes`: the person whom it changes. */
interface Target {
	kind: RecordKind;
	identifier: Identifier;
	changes?: Whom;
}

/** Works on the record. If this changes a person, waits for their earlier events. */
async function workInQueue(
	{ kind, identifier, changes }: Target,
	client: SupercastClient,
	workOn: (name: string) => Promise<IDataObject>,
	place: QueuePlace | undefined,
): Promise<IDataObject> {
	const { value, search } = identifier;
	const find = async (): Promise<Candidate[]> => (await search?.find(client)) ?? [{ name: value }];
	const work = async (found: readonly Candidate[]): Promise<IDataObject> =>
		await withLowerCase(identifier, (await search?.choose(client, found)) ?? value, workOn);
	if (changes === undefined) return await work(await find());
	const given = changes.gives?.email ? [{ name: changes.gives.email }] : [];
	const lookUps = (found: readonly Candidate[]): ApiRequest[] =>
		[...found, ...given].map(({ name }) => readRequest(kind, name));
	return await runForCandidates(
		client,
		{ ...changes, subject: readRequest(kind, value), find, lookUps, work },
		place,
	);
}

/**
 * Works on the record. If there is none, tries the email in lower case, because look-ups may be
 * case-sensitive.
 */
async function withLowerCase<T>(
	{ key, value }: Identifier,
	name: string,
	workOn: (name: string) => Promise<T>,
): Promise<T> {
	const lowered = key === 'email' ? value.toLowerCase() : value;
	return await workOn(name).catch(async (error: unknown) => {
		if (lowered === value || !isNotFound(error)) throw error;
		return await workOn(lowered);
	});
}

/** Reads the option If Missing. Throws InputError if its value is not one of the choices. */
function maySucceedWithout(item: ItemParameters, ifMissing: INodeProperties | undefined): boolean {
	if (ifMissing === undefined) return false;
	const option = item.collection('options').ifMissing ?? 'error';
	return option !== 'error' && requireChoice(option, ifMissing) === 'succeed';
}

/** The option If Missing. `fail` and `succeed` describe its choices. */
export function ifMissingOption(
	{ singular }: RecordKind,
	fail: string,
	succeed: string,
): INodeProperties {
	return choiceField('ifMissing', 'If Missing', {
		default: 'error',
		description: `What to do if the ${singular} does not exist`,
		options: [choice('error', 'Fail', fail), choice('succeed', 'Succeed', succeed)],
	});
}

/**
 * A 404 also means a wrong address (specification, section 7), or perhaps the feed of an existing
 * subscriber. So the node also looks up the record, and the list must not show it.
 */
async function isMissing(
	client: SupercastClient,
	kind: RecordKind,
	name: string | undefined,
	error: unknown,
): Promise<boolean> {
	if (name === undefined) return error instanceof NoSuchRecordError;
	const isBare = isBareNotFound(error);
	if (!isBare && !isNotFound(error)) return false;
	const shown = isBare ? undefined : await findNamed(client, kind, name);
	const found = shown ?? (await kind.proveMissing?.(client, name, isBare));
	if (found !== undefined) throw notFoundAlthoughThere(recordSubject(kind, name));
	return true;
}

/** Without a look-up for this kind, the list has shown the record. */
function notFoundAlthoughThere({ text }: Subject): ServiceError {
	return new ServiceError(
		`Supercast did not find the record to change, although the ${text} exists`,
		'The change may not have been made, so feeds may still be open. Check in Supercast, then run this item again.',
		{ kind: 'status', status: 404, body: undefined },
	);
}

/** Reads a record by its name or ID. If it should be gone, reads it again for a few seconds. */
async function findNamed(
	client: SupercastClient,
	kind: RecordKind,
	name: string,
	outdatedIf?: ApiRequest['outdatedIf'],
): Promise<IDataObject | undefined> {
	if (!kind.isListOnly) return await findRecord(client, { ...readRequest(kind, name), outdatedIf });
	const take = (record: IDataObject): IDataObject | undefined =>
		isSameIdentifier(record.id, name) ? record : undefined;
	const find = async (): Promise<IDataObject | undefined> =>
		(await readList(client, kind, { take, limit: 1 })).taken[0];
	const found = await find();
	if (found === undefined || outdatedIf === undefined) return found;
	const isListed = (body: unknown): boolean =>
		[body].flat().some((record) => isRecord(record) && take(record) !== undefined);
	const query = { page: 1, per_page: LARGEST_PAGE };
	await client.request({ ...listRequest(kind), query, outdatedIf: isListed });
	return await find();
}

/**
 * Sends a request that makes a record disappear, and returns the record, if Supercast responds with
 * it. If the response was lost and a retry gets a 404, looks for the record, because that 404 may
 * be temporary.
 * @param isProof Whether a response with more than a message proves that the record is gone.
 * @throws ServiceError if the request fails, or if the record still exists.
 */
export async function removal(
	client: SupercastClient,
	kind: RecordKind,
	request: ApiRequest,
	isProof?: (answer: unknown) => boolean,
): Promise<IDataObject | undefined> {
	const [, name = ''] = request.path;
	let isAnswered = false;
	const change: AskedChange<undefined> = {
		request,
		isShownBy: (left) => left === undefined,
		find: async (outdatedIf) => {
			isAnswered = true;
			return await findNamed(client, kind, name, outdatedIf);
		},
		wanted: 'the removal of the record',
		inWords: () => 'the record as before',
	};
	const made = changeAndConfirm(client, change, isProof);
	const { answer } = await made.catch(async (error: unknown) => {
		// Afterwards, a 404 is about the list.
		if (isAnswered || !isNotFound(error) || !error.maybeProcessed) throw error;
		const found = await findNamed(client, kind, name);
		if (found !== undefined) throw notFoundAlthoughThere(request.subject);
		return { answer: undefined };
	});
	return answer;
}
