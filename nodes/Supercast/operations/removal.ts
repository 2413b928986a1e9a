import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { isSameName } from '../api/identity';
import { findRecord } from '../api/records';
import type { ApiRequest, Subject } from '../api/types';
import { readList } from './readList';
import { recordSubject, type RecordKind } from './recordKind';

/**
 * Sends a request after which a record can no longer be found. If the response is lost and a retry
 * finds no record, the record may have been removed, or Supercast may just not find it at that
 * moment. So the node looks for it.
 *
 * @returns The record in Supercast's response; undefined if there is none.
 * @throws ServiceError if the request fails, or if the record still exists.
 */
export async function removal(
	client: SupercastClient,
	kind: RecordKind,
	request: ApiRequest,
): Promise<IDataObject | undefined> {
	const { status, body } = await client.request(request);
	const [, name = ''] = request.path;
	if (status === 404 && (await exists(client, kind, name))) {
		throw existsAfterAll(request.subject, status);
	}
	return body as IDataObject | undefined;
}

/** Whether Supercast has a record, according to a look-up or, if there is none, the list. */
export async function exists(
	client: SupercastClient,
	kind: RecordKind,
	name: string,
): Promise<boolean> {
	if (kind.isListOnly === true) {
		const take = ({ id }: IDataObject): true | undefined => isSameName(id, name) || undefined;
		return (await readList(client, kind, { take, limit: 1 })).taken.length > 0;
	}
	const subject = recordSubject(kind, name);
	const found = await findRecord(client, { method: 'GET', path: [kind.path, name], subject });
	return found !== undefined;
}

/** The error for a change that found no record, although the record exists. */
export function existsAfterAll({ text }: Subject, status: number): ServiceError {
	return new ServiceError(
		`Supercast did not find what to change, although the ${text} exists`,
		'The change may not have been made, so feeds may still be open. Check in Supercast, then run this item again.',
		{ kind: 'status', status, body: undefined },
	);
}
