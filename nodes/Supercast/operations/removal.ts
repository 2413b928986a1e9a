import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { isSameName } from '../api/identity';
import { findRecord, isNotFound } from '../api/records';
import type { ApiRequest, Subject } from '../api/types';
import { listRequest, recordSubject, type RecordKind } from './kinds';
import { readList } from './lists';
import { NoSuchRecordError } from './locators';
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

/** Decides what an operation does if the record that it changes is missing. */

/** What else users can do if the record is missing, with an operation that has the option. */
export const REMEDY_IF_MISSING =
	"If it may be missing, choose 'Add Option' and set 'If Missing' to 'Succeed'.";

/**
 * The option If Missing.
 *
 * @param texts The description of each choice.
 */
export function ifMissingOption(
	kind: RecordKind,
	texts: { fail: string; succeed: string },
): INodeProperties {
	return {
		displayName: 'If Missing',
		name: 'ifMissing',
		type: 'options',
		default: 'error',
		description: `What to do if the ${kind.singular} does not exist`,
		options: [
			{ name: 'Fail', value: 'error', description: texts.fail },
			{ name: 'Succeed', value: 'succeed', description: texts.succeed },
		],
	};
}

/**
 * Makes a change. Returns its result, or undefined if the record is missing and the option allows
 * that.
 *
 * @param name The record's name in paths.
 */
type ChangeUnlessMissing = <T>(
	client: SupercastClient,
	resolve: (client: SupercastClient) => Promise<string>,
	change: (name: string) => Promise<T>,
) => Promise<{ result: T } | undefined>;

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
	const [choice] = requireChoices(
		[item.collection('options').ifMissing ?? 'error'],
		['error', 'succeed'],
		'If Missing',
	);
	return async (client, resolve, change) => {
		const name = await resolve(client).catch((error: unknown) => {
			if (choice === 'succeed' && error instanceof NoSuchRecordError) return undefined;
			throw error;
		});
		if (name === undefined) return undefined;
		const changed = await change(name).then(
			(result) => ({ result }),
			(error: unknown) => {
				if (choice === 'succeed' && isNotFound(error)) return undefined;
				throw error;
			},
		);
		if (changed !== undefined) return changed;
		if (await exists(client, kind, name)) throw existsAfterAll(recordSubject(kind, name), 404);
		await client.request({ ...listRequest(kind), query: { page: 1, per_page: 1 } });
		return undefined;
	};
}
