import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from './client';
import { ServiceError } from './errors/errors';
import { isRecord } from './json';
import type { FetchPage } from './paging/page';
import type { ApiRequest } from './types';

/** Sends a request. A response that is not the record in the path does not prove success. */
export async function requestRecord(
	client: SupercastClient,
	request: ApiRequest,
): Promise<IDataObject> {
	const { body } = await client.request({ ...request, expects: 'record' });
	return body as IDataObject;
}

/** Whether Supercast responded that the record or the address does not exist. */
export function isNotFound(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.status === 404;
}

/** Whether a 404 came that may be a gateway's. It proves nothing by itself. */
export function isBareNotFound(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { failure } = error;
	return failure.kind === 'status' && failure.isBare === true;
}

/** Reads one record. Returns undefined if Supercast's own 404 comes. */
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
