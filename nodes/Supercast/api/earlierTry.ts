/** A request whose earlier try may have succeeded. */

import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from './client';
import { ServiceError } from './errors/errors';
import { isSameIdentifier } from './identity';
import { textOf } from './json';
import { findRecord } from './records';
import { lookUpOf } from './retry/sendWithRetry';
import { sentFields } from './sentFields';
import type { ApiRequest, ApiResponse } from './types';

/** The email that finds the record after this request, if the request changes it. */
export function newIdentifierOf({ method, path, body, newName }: ApiRequest): string | undefined {
	const [, name = ''] = path;
	const email = textOf(sentFields(body).email);
	const isRenamed = method === 'PATCH' && name.includes('@') && !isSameIdentifier(name, email);
	return isRenamed && email !== '' ? email : newName;
}

/** Sends a request. If Supercast refuses it, an earlier try may have succeeded: looks for its record. */
export async function sendOrFindEarlierTry(
	client: SupercastClient,
	request: ApiRequest,
): Promise<ApiResponse> {
	const newName = newIdentifierOf(request);
	return await client.request({ ...request, newName }).catch(async (error: unknown) => {
		const found = await findEarlierTry(client, request, newName, error);
		if (found === undefined) throw error;
		return { status: 200, headers: {}, body: found, wasLookedUp: true };
	});
}

/** The record, if a refusal is a sign that an earlier try of the same request succeeded. */
async function findEarlierTry(
	client: SupercastClient,
	request: ApiRequest,
	newName: string | undefined,
	error: unknown,
): Promise<IDataObject | undefined> {
	const status = request.method === 'POST' ? 422 : 404;
	const isProof = error instanceof ServiceError && error.maybeProcessed && error.status === status;
	if (!isProof || newName === undefined) return undefined;
	const find = { ...lookUpOf(request, newName), mayBeHidden: true };
	return await findRecord(client, find).catch(() => undefined);
}
