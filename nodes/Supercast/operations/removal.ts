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
import { requireChoice } from './validation';

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
	const response = await client.request(request).catch(async (error: unknown) => {
		if (!isNotFound(error) || !error.maybeProcessed) throw error;
		await refuseExisting(client, kind, name, request.subject);
		return undefined;
	});
	return response?.body as IDataObject | undefined;
}

/** Throws ServiceError if a look-up finds the record or, if there is none, the list contains it. */
async function refuseExisting(
	client: SupercastClient,
	kind: RecordKind,
	name: string,
	{ text }: Subject,
): Promise<void> {
	const take = ({ id }: IDataObject): true | undefined => isSameName(id, name) || undefined;
	const exists = kind.isListOnly
		? (await readList(client, kind, { take, limit: 1 })).taken.length > 0
		: (await findRecord(client, readRequest(kind, name))) !== undefined;
	if (!exists) return;
	throw new ServiceError(
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

/** Whether an item may succeed although its record is missing. */
export function maySucceedIfMissing(option: INodeProperties, item: ItemParameters): boolean {
	const { ifMissing } = item.collection('options');
	return requireChoice(ifMissing ?? 'error', option) === 'succeed';
}

/**
 * Whether a change failed because its record is missing. A 404 alone does not prove that. Supercast
 * sends the same status for a wrong address (specification, section 7), and the feed of an existing
 * subscriber may not be found. So the node also looks up the record, which must be missing too, and
 * requests one record of the list, which must succeed.
 *
 * @param name The record's name in paths; undefined if looking it up failed.
 * @throws ServiceError if the record exists, or the list cannot be read.
 */
export async function isMissing(
	client: SupercastClient,
	kind: RecordKind,
	name: string | undefined,
	error: unknown,
): Promise<boolean> {
	if (name === undefined) return error instanceof NoSuchRecordError;
	if (!isNotFound(error)) return false;
	await refuseExisting(client, kind, name, recordSubject(kind, name));
	await client.request({ ...listRequest(kind), query: { page: 1, per_page: 1 } });
	return true;
}
