import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from './client';
import { describeFailure } from './errors/describeFailure';
import { ServiceError } from './errors/errors';
import { isRecord, isSameName, isSameValue, textOf } from './json';
import { readPages, type FetchPage, type Page } from './paging/readPages';
import { readAhead } from './paging/readAhead';
import type { ApiRequest, ApiResponse } from './types';

/**
 * Sends a request whose response is the record that its path names.
 *
 * @throws ServiceError also for any other response, since it does not show that the request
 * succeeded.
 */
export async function requestRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject> {
	const { body } = await client.request({ ...request, expects: 'record' });
	return body as IDataObject;
}

/**
 * Sends a change. It is not documented whether Supercast answers each change with the record, so an
 * empty response counts as success.
 *
 * Creates with the same name take turns. After the response to a create was lost, the node looks up
 * the record. The create counts as done if the record holds the values that were sent. Fields that
 * the record does not show are ignored. A change of email whose response was lost is similar. It
 * counts as made if Supercast finds the record by its new email.
 *
 * @returns The record as it is now, or undefined when the response was empty.
 * @throws ServiceError when the response is something else, such as a list.
 */
export async function requestChange(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const { findCreated } = request;
	const send = async (): Promise<IDataObject | undefined> =>
		changedRecord(await client.request({ ...withNewName(request), expects: 'change' }), request);
	return findCreated === undefined ? await send() : await client.inTurn(findCreated, send);
}

function changedRecord(
	{ body, wasLookedUp }: ApiResponse,
	request: ApiRequest,
): IDataObject | undefined {
	const record = body as IDataObject | undefined;
	if (wasLookedUp === true && record !== undefined && !showsWhatWasSent(record, request)) {
		throw describeFailure({ kind: 'existedBefore' }, request);
	}
	return record;
}

/**
 * Whether a record holds what a create or change sent. A field that Supercast does not show, such
 * as a password, proves nothing. Supercast may trim white space around a text.
 */
export function showsWhatWasSent(record: IDataObject, { body }: ApiRequest): boolean {
	const sent = sentFields(body);
	return Object.entries(sent).every(([key, value]) => {
		const shown = record[key];
		if (shown === undefined) return true;
		if (key === 'email') return isSameName(shown, value);
		return isSameValue(trimmed(shown), trimmed(value));
	});
}

/** The fields of a body, which is wrapped in the name of its record kind. */
function sentFields(body: IDataObject | undefined): IDataObject {
	return Object.values(body ?? {}).find(isRecord) ?? {};
}

function trimmed(value: unknown): unknown {
	return typeof value === 'string' ? value.trim() : value;
}

/** Notes the new name of a record whose email was changed, if it is named by email. */
function withNewName(request: ApiRequest): ApiRequest {
	const { method, path, body, subject } = request;
	const [collection = '', name = ''] = path;
	const email = textOf(sentFields(body).email);
	const isRenamed = method === 'PATCH' && name.includes('@') && email !== '';
	if (!isRenamed || isSameName(name, email)) return request;
	return { ...request, findRenamed: { method: 'GET', path: [collection, email], subject } };
}

/**
 * Sends a request that may find no record.
 *
 * @returns The response, or undefined when Supercast sends a 404.
 * @throws ServiceError for every other failure.
 */
export async function requestUnlessMissing(
	client: SupercastClient,
	request: ApiRequest,
): Promise<ApiResponse | undefined> {
	return await client.request(request).catch((error: unknown) => {
		if (isNotFound(error)) return undefined;
		throw error;
	});
}

/** Whether Supercast answered that there is no such record, or no such address. */
export function isNotFound(error: unknown): boolean {
	return error instanceof ServiceError && error.failure.kind === 'status' && error.status === 404;
}

/**
 * Reads one record that may not exist.
 *
 * @returns The record, or undefined when Supercast sends a 404.
 * @throws ServiceError for every other failure, and when the response is anything but that record.
 */
export async function findRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const response = await requestUnlessMissing(client, { ...request, expects: 'record' });
	return response?.body as IDataObject | undefined;
}

/**
 * Yields the records of a list page by page, each once. It requests several pages at the same time.
 * Supercast's lists are bare arrays paged by `page` and `per_page` (the vendor's Ruby client).
 */
export function listRecords(
	client: SupercastClient,
	request: ApiRequest,
	limit = Infinity,
): AsyncGenerator<IDataObject[]> {
	return readPages(readAhead(pageReader(client, request), limit), limit);
}

/** Makes the function that reads one page of a list. */
export function pageReader(client: SupercastClient, request: ApiRequest): FetchPage {
	return async (page, perPage) => {
		const query = { ...request.query, page, per_page: perPage };
		return readPage(await client.request({ ...request, query, expects: 'list' }));
	};
}

function readPage({ body, headers }: ApiResponse): Page {
	const received = body as unknown[];
	const perPage = count(headers['x-per-page']);
	const total = count(headers['x-total']);
	return {
		// Entries of another type, such as null, are not records.
		records: received.filter(isRecord),
		received: received.length,
		...(perPage === undefined || perPage === 0 ? {} : { perPage }),
		...(total === undefined ? {} : { total }),
	};
}

function count(header: unknown): number | undefined {
	return /^\d+$/.test(String(header)) ? Number(header) : undefined;
}
