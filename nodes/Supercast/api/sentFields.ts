/** What a request has sent, compared with what a record shows. */

import type { IDataObject } from 'n8n-workflow';

import { isSameIdentifier } from './identity';
import { isRecord, isSameValue } from './json';
import { mayBeState } from './states';
import type { ApiRequest } from './types';

/** Whether a record has the values that a create or update request sent. */
export function showsWhatWasSent(record: IDataObject, request: Pick<ApiRequest, 'body'>): boolean {
	return ignoredFields(record, request).length === 0;
}

/**
 * The fields that a request sent, but that have other values in a record. Ignores white space, and
 * fields that Supercast does not return, such as a password.
 */
export function ignoredFields(record: IDataObject, { body }: Pick<ApiRequest, 'body'>): string[] {
	const sent = sentFields(body);
	return Object.keys(sent).filter((key) => {
		const isSame = COMPARISONS[key] ?? isSameValue;
		return record[key] !== undefined && !isSame(record[key], sent[key]);
	});
}

const COMPARISONS: Record<string, typeof isSameValue | undefined> = {
	email: isSameIdentifier,
	state: mayBeState,
};

/** The fields in the body of a request, without their wrapper. */
export function sentFields(body: IDataObject | undefined): IDataObject {
	return Object.values(body ?? {}).find(isRecord) ?? {};
}
