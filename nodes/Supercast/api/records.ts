/** What is expected of an answer: one record, or a page of records. Pure. */

import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from './client';
import { describeFailure } from './errors/describeFailure';
import { ServiceError } from './errors/errors';
import { isRecord } from './json';
import { readPages, type FetchPage, type Page } from './paging/readPages';
import { readAhead } from './paging/readAhead';
import type { ApiRequest, ApiResponse } from './types';

/**
 * Sends a request that is answered with one record.
 *
 * @throws ServiceError also when the answer is anything but a record, since then nothing tells that
 * what was asked for has happened.
 */
export async function requestRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject> {
	const response = await client.request(request);
	if (!isRecord(response.body)) throw unexpected(response, request);
	return response.body;
}

/**
 * Sends a change. Whether the service answers each change with the record is not documented, so an
 * empty answer counts as done.
 *
 * @returns The record as it is now, or undefined when the answer was empty.
 * @throws ServiceError when the answer is something else, such as a list.
 */
export async function requestChange(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const response = await client.request(request);
	if (response.body === undefined || response.body === null) return undefined;
	if (!isRecord(response.body)) throw unexpected(response, request);
	return response.body;
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
 * @throws ServiceError for every other failure, and when the answer is anything but a record.
 */
export async function findRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const response = await requestUnlessMissing(client, request);
	if (response === undefined) return undefined;
	if (!isRecord(response.body)) throw unexpected(response, request);
	return response.body;
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
		return readPage(await client.request({ ...request, query }), request);
	};
}

function readPage(response: ApiResponse, request: ApiRequest): Page {
	if (!Array.isArray(response.body)) throw unexpected(response, request);
	const perPage = count(response.headers['x-per-page']);
	const total = count(response.headers['x-total']);
	return {
		records: response.body as IDataObject[],
		...(perPage === undefined || perPage === 0 ? {} : { perPage }),
		...(total === undefined ? {} : { total }),
	};
}

function count(header: unknown): number | undefined {
	return /^\d+$/.test(String(header)) ? Number(header) : undefined;
}

function unexpected(response: ApiResponse, request: ApiRequest): Error {
	return describeFailure({ kind: 'unexpected', status: response.status }, request);
}
