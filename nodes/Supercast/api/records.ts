import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from './client';
import { describeFailure } from './errors/describeFailure';
import { ServiceError } from './errors/errors';
import { isRecord, isSameName, isSameValue, textOf } from './json';
import { readPages, type FetchPage, type Page } from './paging/readPages';
import { readAhead } from './paging/readAhead';
import type { ApiRequest, ApiResponse } from './types';

/**
 * Sends a request that is answered with the record that its path names.
 *
 * @throws ServiceError also when the answer is anything else, since then nothing tells that what was
 * asked for has happened.
 */
export async function requestRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject> {
	const { body } = await client.request({ ...request, expects: 'record' });
	return body as IDataObject;
}

/**
 * Sends a change. Whether the service answers each change with the record is not documented, so an
 * empty answer counts as done.
 *
 * A create of one who is known by name takes turns with others of the same name. When its answer was
 * lost and there is a record, it counts as created if it holds what was sent, as far as it shows that.
 * A change of the email a record is named by counts as made, when its answer was lost, if the record is
 * found under its new email.
 *
 * @returns The record as it is now, or undefined when the answer was empty.
 * @throws ServiceError when the answer is something else, such as a list.
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
 * Whether a record holds what a create or change sent. A field that it does not show, such as a
 * password, tells nothing; white space around a text is the service's to keep.
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

/** The fields of a body, which is wrapped in the name of what it is about. */
function sentFields(body: IDataObject | undefined): IDataObject {
	return Object.values(body ?? {}).find(isRecord) ?? {};
}

function trimmed(value: unknown): unknown {
	return typeof value === 'string' ? value.trim() : value;
}

/** Says where a record is found after its email was changed, if that is what it is named by. */
function withNewName(request: ApiRequest): ApiRequest {
	const { method, path, body, subject } = request;
	const [collection = '', name = ''] = path;
	const email = textOf(sentFields(body).email);
	const isRenamed = method === 'PATCH' && name.includes('@') && email !== '';
	if (!isRenamed || isSameName(name, email)) return request;
	return { ...request, findRenamed: { method: 'GET', path: [collection, email], subject } };
}

/**
 * Sends a request that may find nothing.
 *
 * @returns The answer, or undefined when the service says 404.
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

/** Whether the service answered that there is no such record, or no such address. */
export function isNotFound(error: unknown): boolean {
	return error instanceof ServiceError && error.failure.kind === 'status' && error.status === 404;
}

/**
 * Reads one record that may not be there.
 *
 * @returns The record, or undefined when the service says 404.
 * @throws ServiceError for every other failure, and when the answer is anything but that record.
 */
export async function findRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const response = await requestUnlessMissing(client, { ...request, expects: 'record' });
	return response?.body as IDataObject | undefined;
}

/**
 * Yields the records of a list page by page, each once, several pages on their way at a time. The
 * service's lists are bare arrays paged by `page` and `per_page` (the vendor's Ruby client).
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
		// A list of something else, such as null, holds no records.
		records: received.filter(isRecord),
		received: received.length,
		...(perPage === undefined || perPage === 0 ? {} : { perPage }),
		...(total === undefined ? {} : { total }),
	};
}

function count(header: unknown): number | undefined {
	return /^\d+$/.test(String(header)) ? Number(header) : undefined;
}
