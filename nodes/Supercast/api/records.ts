import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from './client';
import { describeFailure, ServiceError } from './errors/errors';
import { doing } from './errors/messages';
import { emailsOf, isSameName } from './identity';
import { asRecord, isRecord, isSameValue, textOf } from './json';
import type { FetchPage } from './paging/page';
import { lookUpOf } from './retry/sendWithRetry';
import type { ApiRequest, ApiResponse } from './types';

/** States (Supercast API reference, the subscriber object). */
export const SUBSCRIBER_STATES = [
	'available',
	'charge_failure',
	'deactivated',
	'pending',
	'suspended',
];

/** Sends a request. A response that is not the record in the path does not prove success. */
export async function requestRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject> {
	const { body } = await client.request({ ...request, expects: 'record' });
	return body as IDataObject;
}

/**
 * Sends a request that changes something. Successful responses are not documented, so an empty one
 * counts. If an update's response shows other values or another person, sends the update once more.
 * Create requests with the same name run one at a time. If a response was lost, a record with the
 * values that were sent proves success.
 * @throws ServiceError if the request fails, or twice shows the old email.
 */
export async function requestChange(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const { method, newName } = request;
	const send = async (): Promise<IDataObject | undefined> => {
		const { body, wasLookedUp } = await requestNamed(client, request);
		const record = body as IDataObject | undefined;
		if (wasLookedUp === true && record !== undefined && !showsWhatWasSent(record, request)) {
			throw describeFailure({ kind: 'existedBefore' }, request);
		}
		return record;
	};
	if (newName !== undefined) return await client.inTurn(lookUpOf(request, newName), send);
	const first = await send();
	if (method !== 'PATCH' || first === undefined) return first;
	if (showsWhatWasSent(first, request) && !isAboutAnother(first, request)) return first;
	await request.beforeRetry?.();
	// The name in the path is no longer valid if the first try has changed the email after all.
	const second = await send().catch((error: unknown) => {
		throw isNotFound(error) ? contradiction(request, 'other values than the node sent') : error;
	});
	if (second !== undefined && ignoredFields(second, request).includes('email')) {
		throw contradiction(request, 'the old email');
	}
	return second;
}

export function contradiction(request: ApiRequest, shown: string): ServiceError {
	return new ServiceError(
		`Supercast confirmed the change, but shows ${shown} ${doing(request)}`,
		'The node sent the change twice. Check the record in Supercast, because the change may not have been made.',
		{ kind: 'unexpected', status: 200, came: shown },
	);
}

/** Whether a record has the values that a create or update request sent. */
export function showsWhatWasSent(record: IDataObject, request: ApiRequest): boolean {
	return ignoredFields(record, request).length === 0;
}

/**
 * The fields that a request sent, but of which a record shows another value. Ignores fields that
 * Supercast does not return, such as a password, and white space.
 */
export function ignoredFields(record: IDataObject, { body }: Pick<ApiRequest, 'body'>): string[] {
	const sent = sentFields(body);
	return Object.keys(sent).filter((key) => {
		const isSame = key === 'email' ? isSameName : key === 'state' ? isSameState : isSameValue;
		return record[key] !== undefined && !isSame(record[key], sent[key]);
	});
}

/** Whether a subscriber or feed shows the state that a feed was set to. An unknown state counts too. */
export function isSameState(shown: unknown, sent: unknown): boolean {
	// Supercast shows `inactive` as `deactivated` (the vendor's Ruby client).
	const [state, wanted] = [shown, sent].map((one) => (one === 'inactive' ? 'deactivated' : one));
	return state === wanted || !SUBSCRIBER_STATES.includes(textOf(state));
}

/**
 * Whether the response to a change of a feed is about another subscriber. The fields of a feed are
 * not documented. A feed's own uuid says nothing about its subscriber.
 */
export function isAboutAnother(record: IDataObject, { path }: Pick<ApiRequest, 'path'>): boolean {
	const [collection, name = ''] = path;
	if (collection !== 'feeds') return false;
	const { uuid, email, subscriber, subscriber_uuid: other } = record;
	const uuids = [other, asRecord(subscriber).uuid, textOf(email) === '' ? '' : uuid];
	const shown = name.includes('@') ? emailsOf(record) : uuids.filter((one) => textOf(one) !== '');
	return shown.length > 0 && !shown.some((one) => isSameName(one, name));
}

function sentFields(body: IDataObject | undefined): IDataObject {
	return Object.values(body ?? {}).find(isRecord) ?? {};
}

/** Creates or renames a record. After a refusal, looks whether an earlier try succeeded. */
export async function requestNamed(
	client: SupercastClient,
	request: ApiRequest,
): Promise<ApiResponse> {
	const { method, path, body } = request;
	const [, name = ''] = path;
	const email = textOf(sentFields(body).email);
	const isRenamed = method === 'PATCH' && name.includes('@') && !isSameName(name, email);
	const newName = isRenamed && email !== '' ? email : request.newName;
	return await client.request({ ...request, newName }).catch(async (error: unknown) => {
		const isSign =
			error instanceof ServiceError &&
			error.maybeProcessed &&
			error.status === (method === 'POST' ? 422 : 404);
		if (!isSign || newName === undefined) throw error;
		const lookUp = { ...lookUpOf(request, newName), mayBeHidden: true };
		const found = await findRecord(client, lookUp).catch(() => undefined);
		if (found === undefined) throw error;
		return { status: 200, headers: {}, body: found, wasLookedUp: true };
	});
}

/** Whether Supercast responded that the record or the address does not exist. */
export function isNotFound(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.status === 404;
}

/** Reads one record. Returns undefined if Supercast sends a 404. */
export async function findRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	return await requestRecord(client, request).catch((error: unknown) => {
		if (isNotFound(error)) return undefined;
		throw error;
	});
}

/** Supercast's lists are bare arrays paged by `page` and `per_page` (the vendor's Ruby client). */
export function pageReader(client: SupercastClient, request: ApiRequest): FetchPage {
	return async (page, perPage) => {
		const query = { ...request.query, page, per_page: perPage };
		const { body, headers } = await client.request({ ...request, query, expects: 'list' });
		const received = body as unknown[];
		return {
			// Entries of another type, such as null, are not records.
			records: received.filter(isRecord),
			received: received.length,
			perPage: count(headers['x-per-page']) || undefined,
			total: count(headers['x-total']),
		};
	};
}

function count(header: unknown): number | undefined {
	return /^\d+$/.test(String(header)) ? Number(header) : undefined;
}
