/** Decides what an operation does if the record that it changes is missing. */

import type { INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { isNotFound } from '../../api/records';
import { listRequest, type RecordKind } from '../recordKind';
import type { ItemParameters } from '../types';
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
 */
type ChangeUnlessMissing = <T>(
	client: SupercastClient,
	change: () => Promise<T>,
) => Promise<{ result: T } | undefined>;

/**
 * Reads the option If Missing.
 *
 * @returns The function that runs the item's change. Without "Succeed", it fails if the record is
 * missing. With "Succeed", a 404 alone does not prove that the record is missing. Supercast sends
 * the same status for a wrong address (specification, section 7). With a wrong address, the
 * execution would succeed although the feed stays open. So the function also requests one record of
 * the list, and throws if that request fails.
 */
export function changeUnlessMissing(kind: RecordKind, item: ItemParameters): ChangeUnlessMissing {
	const mayBeMissing = item.collection('options').ifMissing === 'succeed';
	return async (client, change) => {
		let isListRead = false;
		const changed = await change().then(
			(result) => ({ result }),
			(error: unknown) => {
				isListRead = error instanceof NoSuchRecordError;
				if (mayBeMissing && (isListRead || isNotFound(error))) return undefined;
				throw error;
			},
		);
		if (changed !== undefined || isListRead) return changed;
		await client.request({ ...listRequest(kind), query: { page: 1, per_page: 1 } });
		return undefined;
	};
}
