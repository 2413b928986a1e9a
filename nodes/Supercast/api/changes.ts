import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from './client';
import { type AskedChange, confirmed, contradiction } from './confirm';
import { newIdentifierOf, sendOrFindEarlierTry } from './earlierTry';
import { describeFailure, ServiceError, withUnknownOutcome } from './errors/errors';
import { hasIdentifier, isForOther, identifiersIn, newPerson } from './identity';
import { isRecord } from './json';
import type { QueuePlace } from './ledger/personQueues';
import { findRecord, isNotFound } from './records';
import { mayFollow } from './retry/retryPolicy';
import { lookUpOf } from './retry/sendWithRetry';
import { ignoredFields, sentFields, showsWhatWasSent } from './sentFields';
import { inQueue, runInQueue } from './queue';
import type { ApiRequest, ApiResponse, Path } from './types';

/**
 * Makes a change that has the same effect if it is sent twice. If the response shows other values
 * or another person, sends it once more. If the response is no proof, reads the record. Sends the
 * change again if the response was only a message, such as "Service unavailable". A removal is sent
 * again after any response that is no proof, because a 404 then means that the record is gone.
 * @param isProof Whether a response with more than a message proves the change.
 * @returns The `answer` that proves the change, or the `record` that Supercast shows afterwards and
 * the `response` that was no proof.
 * @throws ServiceError if the request fails, or if Supercast does not show the change.
 */
export async function changeAndConfirm<Shown extends IDataObject | undefined>(
	client: SupercastClient,
	change: AskedChange<Shown>,
	isProof: (answer: IDataObject | undefined) => boolean = () => true,
): Promise<{ answer?: IDataObject; response?: IDataObject; record?: Shown }> {
	const { request, isShownBy } = change;
	const { ownChanges } = client.channel;
	let answer: IDataObject | undefined;
	try {
		answer = await sendAgainIfIgnored(client, request);
	} catch (error) {
		const record = await foundAfterFailure(change, error);
		if (!ownChanges.mayBeOlder(record)) {
			ownChanges.noteChange(request, record);
			return { record };
		}
		answer = await sendAgainIfIgnored(client, request).catch((again: unknown) => {
			throw withUnknownOutcome(again);
		});
	}
	const isUnclear = isWordsOnly(answer, request);
	if (!isUnclear && isProof(answer)) {
		ownChanges.noteChange(request, answer);
		return { answer };
	}
	const isRemoval = isShownBy(undefined);
	const sendAgain = async (): Promise<void> => {
		await request.beforeRetry?.(true);
		await sendForOwnRecord(client, request).catch((error: unknown) => {
			if (!isRemoval || !isNotFound(error)) throw error;
		});
	};
	const record = await confirmed(change, isUnclear || isRemoval ? sendAgain : undefined);
	ownChanges.noteChange(request, record);
	return { response: answer, record };
}

/**
 * After a failure that does not say whether the change was made, looks once.
 * @throws The failure, if Supercast does not show the change.
 */
async function foundAfterFailure<Shown extends IDataObject | undefined>(
	{ isShownBy, find, looksAfterFailure }: AskedChange<Shown>,
	error: unknown,
): Promise<Shown> {
	const isOpen = error instanceof ServiceError && mayHaveBeenMade(error);
	if (looksAfterFailure !== true || !isOpen) throw error;
	const record = await find(() => false).catch(() => {
		throw error.withUnknownOutcome();
	});
	if (!isShownBy(record)) throw error;
	return record;
}

function mayHaveBeenMade({ failure, maybeProcessed, status }: ServiceError): boolean {
	const isStop = failure.kind === 'network' && failure.code === 'ERR_CANCELED';
	return !isStop && status !== 404 && (maybeProcessed || mayFollow(failure) !== 'never');
}

/**
 * Changes fields of a record. An empty response counts as success, because responses to changes
 * are not documented.
 * @returns The record that Supercast shows, or undefined if the response is empty.
 * @throws ServiceError if the request fails, or if Supercast shows the old email.
 */
export async function updateAndConfirm(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const { path, subject } = request;
	const [collection, name] = path;
	const changed = newIdentifierOf(request) ?? name;
	const now: Path = changed === undefined ? [collection] : [collection, changed];
	const { answer, record = answer } = await changeAndConfirm(client, {
		request,
		isShownBy: (shown): shown is IDataObject =>
			shown !== undefined && showsSome(shown, request) && showsWhatWasSent(shown, request),
		find: async (outdatedIf) =>
			await findRecord(client, { method: 'GET', path: now, subject, outdatedIf }),
		wanted: 'the values of this item',
		inWords: (shown) => (shown === undefined ? 'no such record' : 'other values'),
	});
	if (record !== undefined && ignoredFields(record, request).includes('email')) {
		throw contradiction(request, 'the old email', 'another one');
	}
	return record;
}

/** Sends a change, and once more if the response shows other values or another person. */
async function sendAgainIfIgnored(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const first = await sendForOwnRecord(client, request);
	if (first === undefined) return undefined;
	if (showsWhatWasSent(first, request) && !isForOther(first, request)) return first;
	await request.beforeRetry?.(true);
	// The name in the path is no longer valid if the first try has changed the email after all.
	return await sendForOwnRecord(client, request).catch((error: unknown) => {
		throw isNotFound(error) ? contradiction(request, 'other values than the node sent') : error;
	});
}

/** Sends a change. Refuses the record of someone else, which an earlier try seems to have found. */
async function sendForOwnRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const response = await sendOrFindEarlierTry(client, request);
	refuseOther(response, request);
	return response.body as IDataObject | undefined;
}

/** Whether a response says nothing about the record, such as `{ "message": "Updated" }`. */
function isWordsOnly(answer: unknown, { body }: Pick<ApiRequest, 'body'>): boolean {
	if (!isRecord(answer) || hasIdentifier(answer)) return false;
	return !showsSome(answer, { body });
}

/** Whether a record shows any of the fields that were sent. */
function showsSome(record: IDataObject, { body }: Pick<ApiRequest, 'body'>): boolean {
	return Object.keys(sentFields(body)).some((key) => record[key] !== undefined);
}

/**
 * Creates a person in their queue, and returns the record that Supercast shows. Requests about the
 * same person run one at a time, in the order of `place`. If a response was lost, a record with the
 * values that were sent proves success.
 * @param isComplete Whether a response shows enough of the new record.
 * @throws ServiceError if the request fails, or if Supercast shows no such record afterwards.
 */
export async function createInQueue(
	client: SupercastClient,
	request: ApiRequest,
	isComplete: (record: IDataObject) => boolean,
	place?: QueuePlace,
): Promise<IDataObject> {
	const find = lookUpOf(request, request.newName ?? '');
	const create = async (): Promise<IDataObject> => {
		const response = await createAndConfirm(client, request, isComplete);
		refuseOther(response, request);
		return response.record;
	};
	if (request.path[0] !== 'subscribers') return await inQueue(client, find, create);
	const event = {
		...newPerson(sentFields(request.body)),
		subject: find,
		find: async () => await Promise.resolve({ found: undefined }),
		lookUps: () => [find],
		work: create,
		outcome: (record: IDataObject) => ({ isChange: true, names: identifiersIn(record) }),
	};
	return await runInQueue(client, event, place);
}

/** Creates a person for a caller in their queue. If `wasLookedUp`, it may be someone else's record. */
export async function createAndConfirm(
	client: SupercastClient,
	request: ApiRequest,
	isComplete: (record: IDataObject) => boolean,
): Promise<ApiResponse & { record: IDataObject }> {
	const response = await sendOrFindEarlierTry(client, request);
	const record = await confirmCreated(client, request, response, isComplete);
	const { ledger, ownChanges } = client.channel;
	ledger.noteNew([request.newName, record.uuid, record.email]);
	const isShown = showsWhatWasSent(record, request) && !ownChanges.mayBeOlder(record);
	if (response.wasLookedUp !== true || isShown) ownChanges.noteChange(request, record);
	return { ...response, record };
}

async function confirmCreated(
	client: SupercastClient,
	request: ApiRequest,
	{ body, wasLookedUp }: ApiResponse,
	isComplete: (record: IDataObject) => boolean,
): Promise<IDataObject> {
	const named = hasIdentifier(body) ? body : undefined;
	if (named !== undefined && (wasLookedUp === true || isComplete(named))) return named;
	const find = { ...lookUpOf(request, request.newName ?? ''), mayBeHidden: true };
	// The response has shown the record. Only some details are missing.
	if (named !== undefined) return (await findRecord(client, find).catch(() => named)) ?? named;
	return await confirmed({
		request,
		isShownBy: hasIdentifier,
		find: async () => await findRecord(client, find),
		wanted: 'a new record',
		inWords: () => 'no such record',
	});
}

/** Refuses a record that a look-up found after a lost response, if its values differ. */
function refuseOther({ body, wasLookedUp }: ApiResponse, request: ApiRequest): void {
	if (wasLookedUp !== true || body === undefined) return;
	if (showsWhatWasSent(body as IDataObject, request)) return;
	throw describeFailure({ kind: 'existedBefore' }, request);
}
