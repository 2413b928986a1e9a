import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { saysTaken } from '../api/errors/serviceWords';
import { hasName } from '../api/identity';
import { isSameValue } from '../api/json';
import { findRecord, requestNamed, showsWhatWasSent } from '../api/records';
import type { ApiRequest } from '../api/types';
import { createRequest, readRequest } from '../operations/kinds';
import { subscribers } from './kind';

/**
 * Statuses with which an API may refuse a second record with the same email. It is unknown which
 * one Supercast uses.
 */
const REFUSALS = new Set<number | undefined>([409, 422]);

/** Returns the request that reads one subscriber, by uuid or email. */
export function lookUp(name: string): ApiRequest {
	return readRequest(subscribers, name);
}

/**
 * Creates a subscriber, or finds the existing one.
 *
 * @param fields With Supercast's field names as keys.
 * @returns The record, unless Supercast responds without one, and whether it existed before.
 * @throws ServiceError if the request fails, and there is no such subscriber.
 */
export async function createOrFind(
	client: SupercastClient,
	email: string,
	fields: IDataObject,
): Promise<{ record?: IDataObject; existed: boolean }> {
	const request = createRequest(subscribers, email, fields);
	const create = async (): Promise<{ record?: IDataObject; existed: boolean }> => {
		const { body, wasLookedUp } = await requestNamed(client, request);
		// It is not documented whether Supercast responds to a create request with the record.
		if (!hasName(body)) return { existed: false };
		// The response was lost, and someone else may have created the subscriber in the meantime.
		return { record: body, existed: wasLookedUp === true && !showsWhatWasSent(body, request) };
	};
	return await create().catch(async (error: unknown) => {
		const record = await findExisting(client, email, error);
		if (record === undefined) throw error;
		return { record, existed: true };
	});
}

/**
 * Finds the existing subscriber that made Supercast refuse a create request. Either someone added
 * it just before or after the caller's look-up, or its email differs only in case.
 *
 * @returns Undefined if the request was refused for another reason, or did not reach Supercast.
 */
async function findExisting(
	client: SupercastClient,
	email: string,
	error: unknown,
): Promise<IDataObject | undefined> {
	if (!(error instanceof ServiceError && REFUSALS.has(error.status))) return undefined;
	const lowered = email.toLowerCase();
	const other = lowered === email ? undefined : await findRecord(client, lookUp(lowered));
	return other ?? (await findRecord(client, { ...lookUp(email), mayBeHidden: isTaken(error) }));
}

function isTaken({ failure }: ServiceError): boolean {
	if (failure.kind !== 'status') return false;
	return failure.status === 409 || saysTaken(failure.body);
}

/**
 * Finds the fields of a record that must change. Ignores the email, because it was used to find the
 * record, and Supercast may change its capitalization.
 *
 * @param current The record in Supercast. A missing field counts as different.
 * @param wanted The values that the record should have.
 */
export function differences(current: IDataObject, wanted: IDataObject): IDataObject {
	const entries = Object.entries(wanted).filter(([key, value]) => {
		const isSame = current[key] !== undefined && isSameValue(current[key], value);
		return key !== 'email' && !isSame;
	});
	return Object.fromEntries(entries);
}
