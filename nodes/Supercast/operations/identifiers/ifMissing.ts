/** Decides what an operation does if the record that it changes is missing. */

import type { INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { isNotFound } from '../../api/records';
import { exists, existsAfterAll } from '../removal';
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
