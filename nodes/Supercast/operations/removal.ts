/** Changes after which a record can no longer be found, and what to do if it is missing before. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { isSameName } from '../api/identity';
import { findRecord, isNotFound } from '../api/records';
import type { ApiRequest, Subject } from '../api/types';
import {
	listRequest,
	NoSuchRecordError,
	readRequest,
	recordSubject,
	type RecordKind,
} from './kinds';
import { readList } from './lists';
import { choice, choiceField } from './properties';
import type { ItemParameters } from './types';
import { requireChoices } from './validation';

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
	const [, name = ''] = request.path;
	const response = await client.request(request).catch((error: unknown) => {
		if (isNotFound(error) && error.maybeProcessed) return undefined;
		throw error;
	});
	if (response === undefined && (await exists(client, kind, name))) {
		throw existsAfterAll(request.subject);
	}
	return response?.body as IDataObject | undefined;
}

/** Whether Supercast has a record, according to a look-up or, if there is none, the list. */
async function exists(client: SupercastClient, kind: RecordKind, name: string): Promise<boolean> {
	if (!kind.isListOnly) return (await findRecord(client, readRequest(kind, name))) !== undefined;
	const take = ({ id }: IDataObject): true | undefined => isSameName(id, name) || undefined;
	return (await readList(client, kind, { take, limit: 1 })).taken.length > 0;
}

function existsAfterAll({ text }: Subject): ServiceError {
	return new ServiceError(
		`Supercast did not find what to change, although the ${text} exists`,
		'The change may not have been made, so feeds may still be open. Check in Supercast, then run this item again.',
		{ kind: 'status', status: 404, body: undefined },
	);
}

/** What else users can do if the record is missing, with an operation that has the option. */
export const REMEDY_IF_MISSING =
	"If it may be missing, choose 'Add Option' and set 'If Missing' to 'Succeed'.";

/** The option If Missing: the description of each choice. */
export interface IfMissing {
	fail: string;
	succeed: string;
	/** What to return for a missing record, besides `alreadyMissing`. */
	output?: IDataObject;
}

/** The option If Missing. */
export function ifMissingOption(
	{ singular }: RecordKind,
	{ fail, succeed }: IfMissing,
): INodeProperties {
	const text = `What to do if the ${singular} does not exist`;
	return choiceField('ifMissing', 'If Missing', {
		default: 'error',
		description: text,
		options: [choice('error', 'Fail', fail), choice('succeed', 'Succeed', succeed)],
	});
}

/** Makes a change. Returns undefined if the record is missing and the option allows that. */
type ChangeUnlessMissing = <T>(
	client: SupercastClient,
	resolve: (client: SupercastClient) => Promise<string>,
	change: (name: string) => Promise<T>,
) => Promise<T | undefined>;

/**
 * Reads the option If Missing.
 *
 * @returns The function that runs the item's change. Without "Succeed", it fails if the record is
 * missing. With "Succeed", a 404 alone does not prove that the record is missing. Supercast sends
 * the same status for a wrong address (specification, section 7), and the feed of an existing
 * subscriber may not be found. So the function also looks up the record, which must be missing too,
 * and requests one record of the list, which must succeed.
 */
export function changeUnlessMissing(kind: RecordKind, item: ItemParameters): ChangeUnlessMissing {
	const { ifMissing } = item.collection('options');
	const [chosen] = requireChoices([ifMissing ?? 'error'], ['error', 'succeed'], 'If Missing');
	if (chosen === 'error')
		return async (client, resolve, change) => await change(await resolve(client));
	return async (client, resolve, change) => {
		const name = await resolve(client).catch((error: unknown) => {
			if (error instanceof NoSuchRecordError) return undefined;
			throw error;
		});
		if (name === undefined) return undefined;
		const changed = await change(name).catch((error: unknown) => {
			if (isNotFound(error)) return undefined;
			throw error;
		});
		if (changed !== undefined) return changed;
		if (await exists(client, kind, name)) throw existsAfterAll(recordSubject(kind, name));
		await client.request({ ...listRequest(kind), query: { page: 1, per_page: 1 } });
		return undefined;
	};
}
