import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { saysTaken } from '../api/errors/serviceWords';
import { hasName } from '../api/identity';
import { isSameValue, textOf } from '../api/json';
import {
	contradiction,
	findRecord,
	isAboutAnother,
	isSameState,
	requestChange,
	requestNamed,
	showsWhatWasSent,
	SUBSCRIBER_STATES,
} from '../api/records';
import type { ApiRequest, Subject } from '../api/types';
import { createRequest, readRequest } from '../operations/kinds';
import { subscribers } from './kind';

/** The request that reads one subscriber, by uuid or email. */
export function lookUp(name: string): ApiRequest {
	return readRequest(subscribers, name);
}

/**
 * Creates a subscriber, or finds the existing one. `fields` has Supercast's field names.
 * @throws ServiceError if the request fails, and there is no such subscriber.
 */
export async function createOrFind(
	client: SupercastClient,
	email: string,
	fields: IDataObject,
): Promise<{ record?: IDataObject; existed: boolean }> {
	const request = createRequest(subscribers, email, fields);
	const create = async () => {
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
 * Finds the subscriber that made Supercast refuse a create request: added by someone else, or with
 * other capitals in the email. It is unknown with which status Supercast refuses the second one.
 */
async function findExisting(
	client: SupercastClient,
	email: string,
	error: unknown,
): Promise<IDataObject | undefined> {
	if (!(error instanceof ServiceError) || error.failure.kind !== 'status') return undefined;
	const { status, body } = error.failure;
	if (status !== 409 && status !== 422) return undefined;
	const lowered = email.toLowerCase();
	const other = lowered === email ? undefined : await findRecord(client, lookUp(lowered));
	const mayBeHidden = status === 409 || saysTaken(body);
	return other ?? (await findRecord(client, { ...lookUp(email), mayBeHidden }));
}

/** The fields to change, except the email, which Supercast may capitalize. A missing one differs. */
export function differences(current: IDataObject, wanted: IDataObject): IDataObject {
	const entries = Object.entries(wanted).filter(([key, value]) => {
		const isSame = current[key] !== undefined && isSameValue(current[key], value);
		return key !== 'email' && !isSame;
	});
	return Object.fromEntries(entries);
}

/** Supercast shows `inactive` as `deactivated` on the subscriber (the vendor's Ruby client). */
export type FeedState = 'available' | 'inactive' | 'suspended';

/**
 * Opens or closes feeds. If two responses in a row show another state or another person, the
 * subscriber's own state decides. If `beforeRetry` throws, there is no retry.
 * @throws ServiceError if the request fails, or if the feeds have another state afterwards.
 */
export async function setFeedState(
	client: SupercastClient,
	subscriber: string,
	state: FeedState,
	subject: Subject = feedSubject(subscriber),
	beforeRetry?: () => Promise<void>,
): Promise<IDataObject | undefined> {
	const path = ['feeds', subscriber];
	const body = { feed_token: { state } };
	const request: ApiRequest = { method: 'PATCH', path, body, subject, beforeRetry };
	const record = await requestChange(client, request);
	if (record === undefined) return undefined;
	const isOther = isAboutAnother(record, request);
	if (!isOther && showsWhatWasSent(record, request)) return record;
	const { state: shown } = (await findRecord(client, lookUp(subscriber))) ?? {};
	if (SUBSCRIBER_STATES.includes(textOf(shown)) && isSameState(shown, state)) {
		return isOther ? undefined : record;
	}
	const came = isOther ? 'another subscriber' : `the state "${textOf(record.state)}"`;
	throw contradiction(request, came);
}

/** How error messages name the feed of a subscriber, and what a request does to it. */
export function feedSubject(name: string, more: Partial<Subject> = {}): Subject {
	return { ...more, text: `feed of the subscriber "${name}"`, isRecord: true };
}
