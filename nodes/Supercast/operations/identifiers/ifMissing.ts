/** Decides what an operation does if the record that it changes is missing. */

import type { INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { ServiceError } from '../../api/errors/errors';
import { findRecord, isNotFound } from '../../api/records';
import type { Subject } from '../../api/types';
import { listRequest, recordSubject, type RecordKind } from '../recordKind';
import type { ItemParameters } from '../types';
import { requireChoices } from '../validation';
import { NoSuchRecordError } from './identifier';

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
				if (choice === 'succeed' && isNotFound(error)) return error as ServiceError;
				throw error;
			},
		);
		if (!(changed instanceof ServiceError)) return changed;
		const subject = recordSubject(kind, name);
		const found = await findRecord(client, { method: 'GET', path: [kind.path, name], subject });
		if (found !== undefined) throw existsAfterAll(subject, changed);
		await client.request({ ...listRequest(kind), query: { page: 1, per_page: 1 } });
		return undefined;
	};
}

function existsAfterAll({ text }: Subject, { failure, attempts }: ServiceError): ServiceError {
	return new ServiceError(
		`Supercast did not find what to change, although the ${text} exists`,
		'The change was not made, so check in Supercast whether the feeds are still open. Then run this item again.',
		failure,
		attempts,
	);
}
